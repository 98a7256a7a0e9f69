"""A bot over plain HTTP, in ten lines of its own: python3 http_bot.py http://127.0.0.1:8000 match"""

import json
import random
import sys
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen


def ask(path: str, token: str = "", send: Any = None, method: str = "POST") -> Any:
    content = None if send is None else json.dumps(send).encode()
    headers = {"Authorization": f"Bearer {token}"}
    return urlopen(Request(f"{sys.argv[1]}/api/bot{path}", content, headers, method=method))


token = json.load(ask("/account", send={"name": "Rookie"}))["token"]
table = json.load(ask("/offers", token, {"game": sys.argv[2]}))["table"]  # somebody sits down there
for line in ask(f"/tables/{table}/stream", token, method="GET"):
    state = json.loads(line) if line.strip() else {}
    if state.get("result"):
        break
    if state.get("legal"):
        move = quote(random.choice(state["legal"]))
        with suppress(HTTPError):  # asked twice for the same move: the second is refused
            ask(f"/tables/{table}/move/{move}?number={state['number']}", token)
