"""Policies for hold'em bots, and how tests talk to a compiled one."""

from __future__ import annotations

import json
import socket
import subprocess
from typing import TYPE_CHECKING, Any

import torch

from zerosum.games.holdem import Holdem
from zerosum.policy.heads_up import HeadsUpPolicy
from zerosum.protocols.botzone_holdem import botzone_card

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from zerosum.native import HoldemView

KEEP = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


def decided(order: str) -> HeadsUpPolicy:
    """Random weights, with strategies far enough from uniform to see a difference."""
    policy = HeadsUpPolicy.untrained(Holdem(order=order), 3)
    with torch.no_grad():
        policy.network.policy_head.weight *= 20
    return policy


def talk(bot: Path, lines: Sequence[str], *options: str, cwd: Path | None = None) -> tuple[list[int], list[str]]:
    """What a bot answers to lines of Botzone's protocol, and what it says on stderr."""
    done = subprocess.run(
        [str(bot), *options],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        cwd=cwd or bot.parent,
        timeout=60,
        check=True,
    )
    told = done.stdout.splitlines()
    if "--one-shot" not in options:
        assert told[1::2] == [KEEP] * len(told[::2])
        told = told[::2]
    return [json.loads(line)["response"] for line in told], done.stderr.splitlines()


def request(view: HoldemView, number: int) -> dict[str, Any]:
    """A view in Botzone's order as its request; the dealer is player 0."""
    kinds = {-1: "fold", 0: "call"}
    history = [
        {
            "round": street,
            "player_id": (seat + 1) % 2,
            "action": action if action <= 0 else -2 if all_in else added,
            "action_type": kinds.get(action, "raise"),
        }
        for seat, street, action, added, all_in in view.events()
        if seat >= 0
    ]
    return {
        "num_players": 2,
        "dealer_id": 0,
        "my_id": (view.seat + 1) % 2,
        "my_chips": view.stacks[view.seat],
        "my_cards": [botzone_card(card) for card in view.hole],
        "public_cards": [botzone_card(card) for card in view.board],
        "history": history,
        "hand": number,
        "max_hand": 70,
    }


def exchange(bot: Path, lines: Sequence[str], *options: str) -> tuple[list[str], list[str]]:
    """What a bot answers to lines of ACPC's protocol, until it has heard them all, and what it says on stderr."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        command = [str(bot), "acpc", "127.0.0.1", port, *options]
        with subprocess.Popen(command, cwd=bot.parent, stderr=subprocess.PIPE, text=True) as process:
            server.settimeout(20)
            connection, _ = server.accept()
            with connection, connection.makefile("rw", newline="") as stream:
                assert stream.readline() == "VERSION:2.0.0\r\n"
                stream.write("".join(f"{line}\r\n" for line in lines))
                stream.flush()
                connection.shutdown(socket.SHUT_WR)
                answers = list(stream)
            _, told = process.communicate(timeout=20)
            assert process.returncode == 0
    assert all(answer.endswith("\r\n") for answer in answers)
    return [answer[:-2] for answer in answers], told.splitlines()
