"""A program that speaks ACPC's protocol and always calls, or misbehaves: `acpc_bot.py MODE HOST PORT`."""

from __future__ import annotations

import re
import socket
import sys
import time


def main() -> None:
    mode, host, port = sys.argv[1:]
    stream = socket.create_connection((host, int(port))).makefile("rw", newline="")
    stream.write("HELLO\r\n" if mode == "stranger" else "VERSION:2.0.0\r\n")
    stream.flush()
    asked = 0
    for line in stream:
        state = line.rstrip("\r\n")
        _, position, _, betting, cards = state.split(":")
        streets = betting.split("/")
        moves = re.findall(r"f|c|r\d+", streets[-1])
        turn = (len(moves) + (len(streets) == 1)) % 2
        shown = all(cards.split("/")[0].split("|"))
        if "f" in betting or shown or turn != int(position):
            continue
        asked += 1
        if mode == "crash" and asked == 5:
            sys.exit(3)
        if mode == "sleep" and asked == 5:
            time.sleep(60)
        if mode == "mute":
            continue
        if mode == "comment":
            stream.write("# thinking\r\n")
        answer = {"short": ":r1", "odd": ":raise"}.get(mode, ":c") if asked % 3 == 0 else ":c"
        if mode == "double":
            stream.write(f"{state}:c\r\n")
        stream.write(("MATCHSTATE:9:9::|" if mode == "other" and asked % 3 == 0 else state) + answer + "\r\n")
        stream.flush()


main()
