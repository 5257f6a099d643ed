"""The process that holds this machine's nodes of a Ray cluster: whatever it started ends with it.

Ray's own helpers may outlive a driver that was killed. So nodes are the keeper's: it adopts every process that loses
its parent, and when it is told to end, or when the process that it is tied to is gone, it kills all of them.
It starts nodes by Ray's private parts: `ray start` cannot hold several of them on the loopback address.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from threading import Event
from typing import Any

import psutil

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
STORE_BYTES = 4_000_000_000  # at most, for the objects of one node
FEWEST_STORE_BYTES = 100_000_000
LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class Wanted:
    """Nodes to hold on this machine: a cluster of their own, or more of the one at an address."""

    nodes: int
    cpus: int  # of each
    host: str
    join: str | None = None
    tied: bool = True  # ends when its standard input does

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def main() -> int:
    wanted = Wanted(**json.loads(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever Ray prints is no answer
    _adopt_orphans()
    told_to_end = Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: told_to_end.set())  # only a flag: nothing may cut the clean-up short
    place = tempfile.mkdtemp(prefix="zerosum-ray-", dir="/tmp") if wanted.join is None else None
    try:
        told = _start(wanted, place)
        print(json.dumps(told), file=answers, flush=True)
        if "error" in told:
            return 2
        _wait(wanted.tied, told["nodes"], told_to_end)
    finally:
        _end_descendants()
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)
    return 0


def _start(wanted: Wanted, place: str | None) -> dict[str, Any]:
    """Starts the nodes; tells their address and the process of each."""
    from ray._private.node import Node
    from ray._private.parameter import RayParams

    room = int(psutil.virtual_memory().available * 0.3 / wanted.nodes)
    address, pids = wanted.join, []
    try:
        for _ in range(wanted.nodes):
            head = address is None
            params = RayParams(
                node_ip_address=wanted.host,
                gcs_address=address,
                num_cpus=wanted.cpus,
                include_dashboard=False,
                object_store_memory=max(FEWEST_STORE_BYTES, min(STORE_BYTES, room)),
                min_worker_port=0,
                max_worker_port=0,
                node_manager_port=0,
                dashboard_agent_listen_port=0,
                temp_dir=place and f"{place}/r",  # Ray lets everyone into its own, but nobody into ours
            )
            node = Node(params, head=head, shutdown_at_exit=False, spawn_reaper=True)
            address = node.gcs_address
            pids.append(node.all_processes["raylet"][0].process.pid)
    except Exception as error:  # whatever Ray raises
        return {"error": str(error).strip() or type(error).__name__}
    return {"address": address, "nodes": pids}


def _wait(tied: bool, nodes: list[int], told_to_end: Event) -> None:
    """Until it is told to end, until who it is tied to is gone, or until no node is left."""
    while not told_to_end.is_set() and any(_is_up(pid) for pid in nodes):
        if not tied:
            told_to_end.wait(LOOK_SECONDS)
        elif select.select([0], [], [], LOOK_SECONDS)[0] and not os.read(0, 1):
            return


def _is_up(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0)


def _end_descendants() -> None:
    """Kills until nobody is left: those who lose their parent come to us."""
    while children := psutil.Process().children(recursive=True):
        for child in children:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main())
