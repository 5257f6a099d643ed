"""Work that is leased by number: whoever is lost, every piece is done, and none counts twice."""

from __future__ import annotations

from collections import Counter, deque
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Leases(Generic[Result]):
    """The pieces 0 .. count − 1: waiting, out with someone, or done."""

    def __init__(self, count: int) -> None:
        self._waiting = deque(range(count))
        self._holder: dict[int, int] = {}
        self._done: dict[int, Result] = {}
        self.count = count
        self.losses: Counter[int] = Counter()  # how often each was lost

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def finished(self) -> bool:
        return len(self._done) == self.count

    def take(self, holder: int) -> int:
        """The next piece, out with this holder from now on."""
        lease = self._waiting.popleft()
        self._holder[lease] = holder
        return lease

    def done(self, lease: int, holder: int, result: Result) -> bool:
        """A piece came back; says whether it counts: not from one who was given up, nor a second time."""
        if self._holder.get(lease) != holder:
            return False
        del self._holder[lease]
        self._done[lease] = result
        return True

    def lost(self, holder: int) -> list[int]:
        """Someone is gone: what it held waits again, before the rest."""
        back = sorted(lease for lease, who in self._holder.items() if who == holder)
        for lease in back:
            self.losses[lease] += 1
        for lease in reversed(back):
            del self._holder[lease]
            self._waiting.appendleft(lease)
        return back

    def results(self) -> list[Result]:
        """In the order of the pieces."""
        return [self._done[lease] for lease in range(self.count)]
