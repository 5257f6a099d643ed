"""A role of a run in an actor of its own: the same class as in one process, called from afar."""

from __future__ import annotations

import functools
import hashlib
import os
import socket
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import ClusterError, ZerosumError

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerosum.learn.deepcfr.settings import TrainSettings


INSTALL = "pip install 'zerosum[cluster,train]' on every machine"
TRIES = 3  # with one that keeps nothing


@dataclass(frozen=True)
class Hello:
    """Who an actor is."""

    host: str
    pid: int
    node: str
    version: str
    code: str  # a checksum of its sources

    def __str__(self) -> str:
        return f"pid {self.pid} on {self.host}"


@functools.cache
def code_checksum() -> str:
    """Of this package's Python and the versions below it: results are the same only where the code is."""
    whole = hashlib.sha256(f"torch {version('torch')} numpy {version('numpy')}".encode())
    top = Path(__file__).parents[2]
    for path in sorted(top.rglob("*.py")):
        whole.update(str(path.relative_to(top)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


class Role:
    """The actor. It holds the chief, a worker, the learner or the evaluator, and passes calls on."""

    def begin(self, kind: str, settings: TrainSettings) -> Hello:
        import ray

        self.it = _made(kind, settings)
        node = ray.get_runtime_context().get_node_id()
        return Hello(socket.gethostname(), os.getpid(), node, version("zerosum"), code_checksum())

    def call(self, method: str, *told: Any) -> Any:
        return getattr(self.it, method)(*fetched(told))


def _made(kind: str, settings: TrainSettings) -> Any:
    from zerosum.learn.cluster.chief import Conductor
    from zerosum.learn.deepcfr.crew import LocalCrew
    from zerosum.learn.deepcfr.worker import Worker

    if kind == "chief":
        return Conductor(settings)
    crew = LocalCrew(settings, 1)
    make: dict[str, Callable[[], Any]] = {
        "worker": lambda: Worker(crew.ground),
        "learner": crew.learner,
        "evaluator": crew.evaluator,
    }
    return make[kind]()


def fetched(thing: Any) -> Any:
    """With what references stand for in their place, in lists and tuples too."""
    import ray

    if isinstance(thing, ray.ObjectRef):
        return ray.get(thing)
    if isinstance(thing, list | tuple):
        return type(thing)(fetched(one) for one in thing)
    return thing


def start_role(kind: str, settings: TrainSettings, node: str, cpus: int, threads: int = 1) -> tuple[Any, Any]:
    """An actor on a node that answers so many calls at a time, and the promise of its hello. Nobody restarts it but
    us.
    """
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    where = NodeAffinitySchedulingStrategy(node, soft=False)
    options = {"num_cpus": cpus, "max_restarts": 0, "max_concurrency": threads, "scheduling_strategy": where}
    actor = ray.remote(Role).options(**options).remote()
    return actor, actor.begin.remote(kind, settings)


def answer(promise: Any) -> Any:
    """What a call came to. Our own errors come back as they were; LostError: whoever was asked is gone."""
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        return ray.get(promise)
    except RayTaskError as error:
        if isinstance(error.cause, ZerosumError):
            raise error.cause from None
        if isinstance(error.cause, RayError):
            raise LostError(type(error.cause).__name__) from None
        if isinstance(error.cause, ImportError):
            raise ClusterError(f"a node of the cluster lacks something ({error.cause}); {INSTALL}") from None
        raise
    except RayError as error:
        if "No module named" in str(error):
            raise ClusterError(f"a node of the cluster has no zerosum; {INSTALL}") from None
        raise LostError(type(error).__name__) from None


class LostError(Exception):
    """An actor, its node or what it held is gone."""


def check_same(hello: Hello) -> None:
    """Refuses an actor that runs other code than this process."""
    ours = f"{version('zerosum')} ({code_checksum()})"
    theirs = f"{hello.version} ({hello.code})"
    if theirs != ours:
        got = f"runs zerosum {theirs}, this process {ours}"
        raise ClusterError(f"{hello.host}: {got}; install the same on every machine")


class Remote:
    """Stands for a role that lives in an actor: its methods wait for the answer.

    One that keeps nothing is started again when it is lost; one that does ends the run, which resumes.
    """

    def __init__(self, kind: str, settings: TrainSettings, node: str, keeps: bool) -> None:
        self._told = (kind, settings, node, 0)
        self._keeps = keeps
        self._hello: Hello | None = None
        self._start()

    def _start(self) -> None:
        self._actor, self._promise = start_role(*self._told)
        self._hello = None

    def hello(self) -> Hello:
        if self._hello is None:
            self._hello = answer(self._promise)
            check_same(self._hello)
        return self._hello

    def end(self) -> None:
        import ray

        ray.kill(self._actor)

    def __getattr__(self, method: str) -> Any:
        if method.startswith("_"):
            raise AttributeError(method)
        return functools.partial(self._call, method)

    def _call(self, method: str, *told: Any) -> Any:
        for left in reversed(range(1 if self._keeps else TRIES)):
            try:
                self.hello()
                return answer(self._actor.call.remote(method, *told))
            except LostError as error:
                if left == 0:
                    who = f"the {self._told[0]} ({self._hello or 'not yet up'}) was lost: {error}"
                    raise ClusterError(f"{who}; all up to the last checkpoint is kept: go on with --resume") from None
                self._start()
        raise AssertionError("unreachable")
