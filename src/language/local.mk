# Human language: words and their stems, languages, what exact knowledge says of words, frames.
libagent_a_SOURCES += %D%/clock.c
libagent_a_SOURCES += %D%/evidence.c
libagent_a_SOURCES += %D%/catalogue.c
libagent_a_SOURCES += %D%/frame.c
libagent_a_SOURCES += %D%/languages.c
libagent_a_SOURCES += %D%/linear.c
libagent_a_SOURCES += %D%/quantity.c
libagent_a_SOURCES += %D%/stem.c
libagent_a_SOURCES += %D%/vocabulary.c
libagent_a_SOURCES += %D%/vocabulary_read.c
libagent_a_SOURCES += %D%/word_reader.c
libagent_a_SOURCES += %D%/wording.c %D%/wording.h
libagent_a_SOURCES += %D%/words.c
libagent_a_SOURCES += %D%/train/linear_write.c
