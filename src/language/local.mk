# Human language: words and their stems.
libagent_a_SOURCES += %D%/stem.c
libagent_a_SOURCES += %D%/word_reader.c
