"""The chief in an actor: a whole run, on the node of the process the user started, where its directory is.

That process only asks now and then what is new, and passes Ctrl-C on.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from zerosum.errors import ClusterError
from zerosum.learn.cluster.actors import Hello, LostError, answer, check_same, start_role
from zerosum.learn.deepcfr.training import conduct
from zerosum.runs.directory import RunDirectory

if TYPE_CHECKING:
    from zerosum.learn.deepcfr.settings import TrainSettings
    from zerosum.learn.watching import Progress, Trained, Watcher

ASK_SECONDS = 0.2


class Conductor:
    """What the chief's actor holds: a run, and the news of it that nobody has asked for yet."""

    def __init__(self, settings: TrainSettings) -> None:
        self.settings = settings
        self._news: list[tuple[str, tuple[Any, ...]]] = []
        self._lock = Lock()
        self._stopping = False

    def conduct(self, path: str, new: bool, limit: int | None) -> Trained:
        from zerosum.learn.cluster.crew import RayCrew

        crew = RayCrew(self.settings, limit, self.noted)
        trained = conduct(self.settings, RunDirectory(Path(path)), new, crew, self)
        return replace(trained, policy=None)  # it is in the directory

    def news(self, stop: bool) -> list[tuple[str, tuple[Any, ...]]]:
        """What happened since the last call; `stop`: the run is to be left at the next iteration."""
        self._stopping = stop
        with self._lock:
            news, self._news = self._news, []
        return news

    def _tell(self, what: str, *about: Any) -> None:
        with self._lock:
            if what == "stepped" and self._news and self._news[-1][0] == what:
                self._news.pop()  # the newest will do
            self._news.append((what, about))

    def stopping(self) -> bool:
        return self._stopping

    def started(self, path: Path, memory_bytes: int) -> None:
        self._tell("started", path, memory_bytes)

    def stepped(self, progress: Progress) -> None:
        self._tell("stepped", progress)

    def measured(self, row: dict[str, Any]) -> None:
        self._tell("measured", row)

    def noted(self, text: str) -> None:
        self._tell("noted", text)


def conduct_on_cluster(
    settings: TrainSettings, directory: RunDirectory, new: bool, limit: int | None, watcher: Watcher
) -> Trained:
    """As `conduct`, by a chief in an actor. Made within a session."""
    import ray

    here = ray.get_runtime_context().get_node_id()
    actor, promise = start_role("chief", settings, here, 0, threads=2)
    who: Hello | str = "not yet up"
    try:
        who = hello = answer(promise)
        check_same(hello)
        run = actor.call.remote("conduct", str(directory.path.absolute()), new, limit)
        over = False
        while not over:
            over = bool(ray.wait([run], timeout=ASK_SECONDS)[0])
            for what, about in answer(actor.call.remote("news", watcher.stopping())):
                getattr(watcher, what)(*about)
        trained: Trained = answer(run)
        return trained
    except LostError as error:
        lost = f"the chief ({who}) was lost: {error}"
        raise ClusterError(f"{lost}; all up to the last checkpoint is kept: go on with --resume") from None
    finally:
        ray.kill(actor)
