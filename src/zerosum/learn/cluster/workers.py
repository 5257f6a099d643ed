"""Workers in actors on every node of a cluster.

Walks are leased by number. A lost worker's leases are walked again by others; nodes that join later are used; nobody
holds more than a few leases at a time.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.errors import ClusterError, ZerosumError
from zerosum.learn.cluster.actors import Hello, LostError, answer, check_same, start_role
from zerosum.learn.cluster.leases import Leases

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from zerosum.learn.deepcfr.ground import Ground, Task
    from zerosum.learn.deepcfr.settings import TrainSettings

DEPTH = 2  # leases a worker holds: one to walk, one that waits
LOOK_SECONDS = 2.0  # between two looks for new nodes
LONELY_SECONDS = 120.0  # without any worker before a run gives up
WAIT_SECONDS = 0.5
PATIENCE_SECONDS = 30.0  # for a worker to come up, before its node is taken for busy
GATHER_SECONDS = 10.0  # for others, at the start, once someone is up
MOST_LOSSES = 5  # of one lease


@dataclass
class Member:
    """One worker: on a node, known once it has said hello."""

    number: int
    actor: Any
    node: str
    promise: Any
    since: float
    hello: Hello | None = None
    holds: int = 0
    leases: int = 0
    nodes: int = 0


class RayWorkers:
    """As many workers as the nodes have processors, or as were asked for."""

    def __init__(self, ground: Ground, settings: TrainSettings, limit: int | None, note: Callable[[str], None]) -> None:
        import ray

        self.ray, self.ground, self.settings, self.limit, self.note = ray, ground, settings, limit, note
        self.members: dict[int, Member] = {}
        self.walked_again = 0
        self._refused: set[str] = set()  # nodes with other code
        self._dead: set[str] = set()  # nodes that are gone; what lies in their stores may be waited for in vain
        self._busy: dict[str, float] = {}  # nodes that had no room, and when
        self._shipped: dict[int, tuple[Any, Any]] = {}  # arrays by identity, and where they are in the store
        self._hired = 0
        self._looked_at = 0.0
        self._begun = False
        self._muster()

    def walk(self, iteration: int, traverser: int, playing: Any, baseline: npt.NDArray[Any] | None) -> list[Any]:
        """All walks of one traverser in one iteration: references to what was found, in the order of the walks."""
        self._wait_for_someone()
        ready = sum(member.hello is not None for member in self.members.values())
        tasks = self.ground.tasks(iteration, traverser, DEPTH * ready)
        shipped: dict[int, tuple[Any, Any]] = {}
        told = (self._ship(playing, shipped), self._ship(baseline, shipped))
        self._shipped = shipped
        leases: Leases[Any] = Leases(len(tasks))
        out: dict[Any, tuple[Member, int]] = {}
        while not leases.finished:
            self._hand_out(tasks, told, leases, out)
            self._collect(leases, out)
            self._look_around()
            for member in [member for member in self.members.values() if member.node in self._dead]:
                self._lose(member, "its node is gone", leases, out)
            if not out:
                self._wait_for_someone()
        return leases.results()

    def _hand_out(self, tasks: list[Task], told: Any, leases: Leases[Any], out: dict[Any, tuple[Member, int]]) -> None:
        """The next leases, to those who hold least; the last ones only to those who hold none."""
        up = [member for member in self.members.values() if member.hello is not None]
        while leases.waiting:
            depth = DEPTH if leases.waiting > len(up) else 1
            free = [member for member in up if member.holds < depth]
            if not free:
                return
            member = min(free, key=lambda member: member.holds)
            lease = leases.take(member.number)
            member.holds += 1
            out[member.actor.call.remote("walk", tasks[lease], *told)] = (member, lease)

    def _collect(self, leases: Leases[Any], out: dict[Any, tuple[Member, int]]) -> None:
        """Waits for the next answer, be it a walk's or a new worker's hello."""
        promises = [*out, *self._promises()]
        if not promises:
            return
        ready, _ = self.ray.wait(promises, num_returns=1, timeout=WAIT_SECONDS)
        for promise in ready:
            if promise in out:
                member, lease = out.pop(promise)
                self._came_back(promise, member, lease, leases, out)
            else:
                self._greet(promise)

    def _came_back(
        self, promise: Any, member: Member, lease: int, leases: Leases[Any], out: dict[Any, tuple[Member, int]]
    ) -> None:
        try:
            found = answer(promise)  # mapped from the store of this node, not copied
        except LostError as error:
            self._lose(member, str(error), leases, out)
            return
        member.holds -= 1
        if leases.done(lease, member.number, promise):
            member.leases += 1
            member.nodes += found.nodes

    def _lose(self, member: Member, why: str, leases: Leases[Any], out: dict[Any, tuple[Member, int]]) -> None:
        """Others walk what someone held."""
        back = leases.lost(member.number)
        for old in [promise for promise, (who, _) in out.items() if who is member]:
            del out[old]
        self.walked_again += len(back)
        if max(leases.losses.values(), default=0) > MOST_LOSSES:
            lost = f"{MOST_LOSSES + 1} workers were lost over the same walks ({why})"
            raise ClusterError(f"{lost}; all up to the last checkpoint is kept: go on with --resume") from None
        self._drop(member, f"{why}; {len(back)} of its leases are walked again")

    def _promises(self) -> list[Any]:
        return [member.promise for member in self.members.values() if member.hello is None]

    def _greet(self, promise: Any) -> None:
        """A worker is up, or will never be."""
        member = next(member for member in self.members.values() if member.promise == promise)
        try:
            hello = answer(promise)
            check_same(hello)
        except LostError as error:
            self._drop(member, str(error))
        except ZerosumError as error:
            if not self._begun:
                raise
            self._refused.add(member.node)
            self._drop(member, str(error))
        else:
            member.hello = hello
            if self._begun:
                self.note(f"worker {hello} joined")

    def _drop(self, member: Member, why: str) -> None:
        self.note(f"worker {member.hello or member.node[:8]} was lost: {why}")
        del self.members[member.number]
        self.ray.kill(member.actor)
        self._looked_at = 0.0

    def _look_around(self) -> None:
        if time.monotonic() - self._looked_at >= LOOK_SECONDS:
            self._muster()

    def _muster(self) -> None:
        """A worker for each processor of each node that has none yet, up to the limit."""
        self._looked_at = now = time.monotonic()
        for member in [m for m in self.members.values() if m.hello is None and now - m.since > PATIENCE_SECONDS]:
            self._busy[member.node] = now
            self._drop(member, "it did not come up: no processor of its node is free")
        have = Counter(member.node for member in self.members.values())
        known = self.ray.nodes()
        self._dead = {node["NodeID"] for node in known if not node["Alive"]}
        nodes = {
            node["NodeID"]: int(node["Resources"].get("CPU", 0))
            for node in known
            if node["Alive"]
            and node["NodeID"] not in self._refused
            and now - self._busy.get(node["NodeID"], -PATIENCE_SECONDS) >= PATIENCE_SECONDS
        }
        for turn in range(max(nodes.values(), default=0)):  # one on every node before a second on any
            for node in sorted(nodes):
                room = self.limit is None or len(self.members) < self.limit
                if have[node] <= turn < nodes[node] and room:
                    self._hire(node)

    def _hire(self, node: str) -> None:
        actor, promise = start_role("worker", self.settings, node, 1)
        self._hired += 1
        self.members[self._hired] = Member(self._hired, actor, node, promise, time.monotonic())

    def _wait_for_someone(self) -> None:
        """Until at least one worker is up; at the start, for a while, until all are."""
        since = time.monotonic()
        while True:
            up = any(member.hello is not None for member in self.members.values())
            promises, waited = self._promises(), time.monotonic() - since
            if up and (self._begun or not promises or waited > GATHER_SECONDS):
                self._begun = True
                return
            if waited > LONELY_SECONDS:
                lonely = f"the cluster has had no worker for {LONELY_SECONDS:.0f} s"
                raise ClusterError(f"{lonely}: no node of it has a free processor")
            if promises:
                for promise in self.ray.wait(promises, num_returns=1, timeout=WAIT_SECONDS)[0]:
                    self._greet(promise)
            else:
                time.sleep(WAIT_SECONDS)
            self._look_around()

    def _ship(self, thing: Any, shipped: dict[int, tuple[Any, Any]]) -> Any:
        """Arrays go to the store once, however often they are handed out."""
        if thing is None:
            return None
        if isinstance(thing, list):
            return [self._ship(one, shipped) for one in thing]
        if id(thing) not in shipped:
            known = self._shipped.get(id(thing))
            shipped[id(thing)] = known if known is not None else (thing, self.ray.put(thing))
        return shipped[id(thing)][1]

    def figures(self) -> dict[str, Any]:
        """Who walked how much."""
        known = [member for member in self.members.values() if member.hello is not None]
        return {
            "workers": [
                {"host": m.hello.host, "pid": m.hello.pid, "node": m.node, "leases": m.leases, "nodes": m.nodes}
                for m in known
                if m.hello is not None
            ],
            "leases_walked_again": self.walked_again,
        }

    def close(self) -> None:
        for member in self.members.values():
            self.ray.kill(member.actor)
        self.members.clear()
