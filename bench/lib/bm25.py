"""Reads {"documents": [[word]], "queries": [[word]], "stemmer": name or null, "depth": n} and writes, for each query, the numbers of
the documents that BM25 ranks first, best first, without those that share no word with it."""

import json
import sys

import bm25s
import Stemmer

given = json.load(sys.stdin)
stemmer = Stemmer.Stemmer(given["stemmer"]) if given["stemmer"] else None


def terms(words):
    return stemmer.stemWords(words) if stemmer else words


ranking = bm25s.BM25()
ranking.index([terms(words) for words in given["documents"]], show_progress=False)
depth = min(given["depth"], len(given["documents"]))
ranked = []
for words in given["queries"]:
    numbers, scores = ranking.retrieve([terms(words)], k=depth, show_progress=False)
    ranked.append([int(n) for n, score in zip(numbers[0], scores[0]) if score > 0])
json.dump(ranked, sys.stdout)
