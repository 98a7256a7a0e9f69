"""A bot for any game of Kibitz, in Python without any package: it plays the first legal move it likes."""

import random
import sys

legal: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "kibitz":
        print("id name Python example")
        print("ready", flush=True)
    elif word == "legal":
        legal.append(rest)
    elif word == "go":
        print("bestmove", random.choice(legal), flush=True)
        legal = []
    elif word == "quit":
        break
