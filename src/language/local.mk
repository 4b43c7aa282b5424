# Human language: words and their stems, languages, frames.
libagent_a_SOURCES += %D%/frame.c
libagent_a_SOURCES += %D%/languages.c
libagent_a_SOURCES += %D%/linear.c
libagent_a_SOURCES += %D%/stem.c
libagent_a_SOURCES += %D%/word_reader.c
libagent_a_SOURCES += %D%/words.c
libagent_a_SOURCES += %D%/train/linear_write.c
