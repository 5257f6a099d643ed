"""Clusters for tests, and runs on them that last long enough to be disturbed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from e2e.command import ZEROSUM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDE = (
    *("leduc-sdcfr", "--set", "run.evaluate_every=1", "--set", "run.nodes=1_000_000_000_000"),
    *("--set", "walks.per_player=60_000", "--set", "advantage.steps=10"),
)
SHORT, LONG = ((*WIDE, "--set", f"run.iterations={count}") for count in (3, 30))

PRETEND = {
    "ray": "import ray\nray.__version__ = '2.0.0'\n",
    "zerosum": "import importlib.metadata as m\nold = m.version\n"
    "m.version = lambda name: '0.0.0' if name == 'zerosum' else old(name)\n",
}


class Cluster:
    """What `zerosum cluster up` started; its records are kept apart from the user's."""

    def __init__(self, state: Path, nodes: int, pretends: str | None = None) -> None:
        self.state = state
        self.env = {**os.environ, "XDG_STATE_HOME": str(state)}
        extra = {}
        if pretends is not None:
            state.mkdir(parents=True, exist_ok=True)
            (state / "sitecustomize.py").write_text(PRETEND[pretends])
            extra = {"PYTHONPATH": str(state)}
        command = [*ZEROSUM, "cluster", "up", "--nodes", str(nodes), "--cpus", "1"]
        done = subprocess.run(
            command, env={**self.env, **extra}, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        self.address = done.stdout.split()[2].rstrip(":")
        record = json.loads((state / "zerosum" / "clusters" / f"{self.address.replace(':', '_')}.json").read_text())
        self.keeper, self.nodes, self.token = record["keeper"], record["nodes"], Path(record["token"])
        self.joined: subprocess.Popen[str] | None = None

    def down(self) -> None:
        if self.joined is not None:
            self._leave()
        command = [*ZEROSUM, "cluster", "down", self.address]
        subprocess.run(command, env=self.env, capture_output=True, timeout=60, check=True)

    def join(self) -> subprocess.Popen[str]:
        """One more node, in a process of its own."""
        command = [*ZEROSUM, "cluster", "join", self.address, "--cpus", "1", "--token", str(self.token)]
        joined = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert joined.stdout is not None
        assert "joined" in joined.stdout.readline()
        return joined

    @contextmanager
    def another(self) -> Iterator[None]:
        joined = self.join()
        try:
            yield
        finally:
            assert _interrupted(joined) == 0

    def replace_node(self) -> None:
        """Kills the node that is not the chief's, and joins another."""
        if self.joined is None:
            os.kill(self.nodes[1], signal.SIGKILL)
        else:
            raylets = [p for p in psutil.Process(self.joined.pid).children(recursive=True) if "raylet" in p.name()]
            raylets[0].kill()
            self._leave()
        self.joined = self.join()

    def _leave(self) -> None:
        assert self.joined is not None
        _interrupted(self.joined)


def _interrupted(joined: subprocess.Popen[str]) -> int:
    """Ctrl-C, and how it ended."""
    with joined:
        joined.send_signal(signal.SIGINT)
        return joined.wait(60)


@contextmanager
def train_long(
    run: Path, cluster: Cluster | None, *more: str, resume: bool = False, env: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A run of many short iterations under way; dead when the block ends."""
    where = ["ray", "--workers", "2"] if cluster is None else [cluster.address, "--token", str(cluster.token)]
    what = ["--resume", str(run)] if resume else [*LONG, *more, "--out", str(run)]
    command = [*ZEROSUM, "train", *what, "--json", "--cluster", *where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as training:
        try:
            yield training
        finally:
            training.kill()


def rows_of(run: Path) -> list[dict[str, Any]]:
    """The metrics so far."""
    path = run / "metrics.jsonl"
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def pids_of(row: dict[str, Any]) -> list[int]:
    """Everyone a row of the metrics names."""
    return [who["pid"] for who in (row["chief"], row["learner"], row["evaluator"], *row["workers"])]


def wait_for(done: Callable[[], bool], seconds: float = 90.0, training: subprocess.Popen[str] | None = None) -> None:
    """Until something is so; what a run that is under way has said is told where that is in vain."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end or (training is not None and training.poll() is not None):
            said = ""
            if training is not None:
                training.kill()
                said = training.communicate()[1]
            raise AssertionError(f"waited in vain; {said}")
        time.sleep(0.05)


def leftovers(mark: Path) -> list[psutil.Process]:
    """Processes with this mark in their environment, other than this one."""
    found = []
    for process in psutil.process_iter():
        try:
            marked = process.environ().get("ZEROSUM_TEST") == str(mark)
        except psutil.Error:
            continue
        if marked and process.pid != os.getpid() and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found
