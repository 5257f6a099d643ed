"""Starts and ends the keeper of this machine's nodes, and remembers which ones are up."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from zerosum.errors import ClusterError
from zerosum.learn.cluster.reasons import reason
from zerosum.learn.cluster.tokens import environment
from zerosum.runs.files import write_atomically

if TYPE_CHECKING:
    from zerosum.learn.cluster.keeper import Wanted

START_SECONDS = 120.0
END_SECONDS = 30.0
PROMPT = {  # Ray is to tell soon what does not work: an address where nobody is, a node that is gone
    "RAY_NUM_REDIS_GET_RETRIES": "5",
    "RAY_health_check_period_ms": "1000",
}


@dataclass(frozen=True)
class Started:
    """A keeper under way, the address of its cluster, and the processes that are its nodes."""

    keeper: subprocess.Popen[str]
    address: str
    nodes: list[int]

    def end(self) -> None:
        """Tells it to end, and waits until it has ended everything it started."""
        if self.keeper.stdin is not None:
            with contextlib.suppress(OSError):
                self.keeper.stdin.close()
        end_process(self.keeper.pid)
        self.keeper.wait()
        if self.keeper.stdout is not None:
            self.keeper.stdout.close()


def start_keeper(wanted: Wanted, token: str) -> Started:
    """Starts nodes and waits until they are up."""
    check_ray()
    command = [sys.executable, "-m", "zerosum.learn.cluster.keeper", wanted.as_json()]
    keeper = subprocess.Popen(
        command,
        stdin=subprocess.PIPE if wanted.tied else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment(token, wanted.host), **PROMPT},
        start_new_session=True,  # Ctrl-C is for who started it
    )
    assert keeper.stdout is not None
    try:
        ready = select.select([keeper.stdout], [], [], START_SECONDS)[0]
        told = json.loads((keeper.stdout.readline() if ready else "") or '{"error": "it did not come up"}')
    except BaseException:
        end_process(keeper.pid)
        raise
    if "error" in told:
        end_process(keeper.pid)
        keeper.wait()
        where = "" if wanted.join is None else f"{wanted.join}: "
        raise ClusterError(f"{where}{reason(told['error'], wanted.join or wanted.host)}")
    return Started(keeper, told["address"], told["nodes"])


def check_ray() -> None:
    """Without importing it: Ray looks at its surroundings when it is imported, and they are not ready yet."""
    found = find_spec("ray")
    if found is None or found.origin is None:
        raise ClusterError("Ray is not installed, wanted the extra 'cluster': pip install 'zerosum[cluster,train]'")


def end_process(pid: int) -> None:
    """Asks a keeper to end, and insists when it does not."""
    try:
        process = psutil.Process(pid)
        process.send_signal(signal.SIGTERM)
        process.wait(END_SECONDS)
    except psutil.TimeoutExpired:
        family = [*process.children(recursive=True), process]
        for one in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
    except psutil.NoSuchProcess:
        pass


@dataclass(frozen=True)
class Record:
    """A cluster that `zerosum cluster up` started and that outlives the command."""

    address: str
    keeper: int
    born: float  # its process's; another process may have its number one day
    token: str  # the file
    nodes: list[int]

    @property
    def alive(self) -> bool:
        try:
            process = psutil.Process(self.keeper)
            return bool(abs(process.create_time() - self.born) < 1.0 and process.status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False

    def end(self) -> None:
        if self.alive:
            end_process(self.keeper)
        Path(self.token).unlink(missing_ok=True)
        _file(self.address).unlink(missing_ok=True)


def records() -> list[Record]:
    """Of the clusters that are up; those that ended by themselves are forgotten."""
    found = []
    for path in sorted(place().glob("*.json")):
        try:
            record = Record(**json.loads(path.read_text()))
        except (OSError, ValueError, TypeError):
            continue
        if record.alive:
            found.append(record)
        else:
            record.end()
    return found


def remember(started: Started, token: Path) -> Record:
    born = psutil.Process(started.keeper.pid).create_time()
    record = Record(started.address, started.keeper.pid, born, str(token), started.nodes)
    write_atomically(_file(record.address), json.dumps(asdict(record)).encode())
    return record


def new_name() -> str:
    """For a token that no other cluster has."""
    return f"{int(time.time())}-{os.getpid()}"


def place() -> Path:
    """Where records are kept."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "zerosum" / "clusters"


def _file(address: str) -> Path:
    return place() / f"{address.replace(':', '_')}.json"
