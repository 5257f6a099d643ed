"""A chief's crew in actors: workers on every node, the learner and the evaluator on the chief's.

The learner is beside the chief, so what walks found crosses the network once, into the store of that node.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any, cast

from zerosum.learn.cluster.actors import Remote
from zerosum.learn.cluster.workers import RayWorkers
from zerosum.learn.deepcfr.crew import ground_for
from zerosum.networks.small import alone

if TYPE_CHECKING:
    from collections.abc import Callable

    from zerosum.learn.deepcfr.evaluator import Evaluator
    from zerosum.learn.deepcfr.learner import Learner
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.deepcfr.worker import Workers


class RayCrew:
    """Made by the chief, within a session."""

    def __init__(self, settings: TrainSettings, limit: int | None, note: Callable[[str], None]) -> None:
        import ray

        alone()
        self.ground = ground_for(settings)
        here = ray.get_runtime_context().get_node_id()
        self._learner = Remote("learner", settings, here, keeps=True)
        self._evaluator = Remote("evaluator", settings, here, keeps=False)
        self._workers = RayWorkers(self.ground, settings, limit, note)

    def workers(self) -> Workers:
        return self._workers

    def learner(self) -> Learner:
        return cast("Learner", self._learner)

    def evaluator(self) -> Evaluator:
        return cast("Evaluator", self._evaluator)

    def figures(self) -> dict[str, Any]:
        roles = {"learner": self._learner.hello(), "evaluator": self._evaluator.hello()}
        return {
            **self._workers.figures(),
            "chief": {"host": socket.gethostname(), "pid": os.getpid()},
            **{name: {"host": hello.host, "pid": hello.pid} for name, hello in roles.items()},
        }

    def close(self) -> None:
        self._workers.close()
        self._learner.end()
        self._evaluator.end()
