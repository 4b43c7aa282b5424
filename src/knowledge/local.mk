# The knowledge base: documents of a company, cut into pieces, and the search in them.
libagent_a_SOURCES += %D%/chunks.c %D%/chunks.h
libagent_a_SOURCES += %D%/documents.c %D%/documents.h
libagent_a_SOURCES += %D%/ingest.c
libagent_a_SOURCES += %D%/knowledge.c
libagent_a_SOURCES += %D%/knowledge_file.c %D%/knowledge_file.h
libagent_a_SOURCES += %D%/pdf_text.c %D%/pdf_text.h
libagent_a_SOURCES += %D%/by_encoder.c %D%/by_encoder.h
libagent_a_SOURCES += %D%/by_meaning.c %D%/by_meaning.h
libagent_a_SOURCES += %D%/by_words.c %D%/by_words.h
libagent_a_SOURCES += %D%/stems.c %D%/stems.h
