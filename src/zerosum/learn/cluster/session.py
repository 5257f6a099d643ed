"""This process's seat in a cluster: one of its own, started and ended with it, or one that is up."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from zerosum.errors import ClusterError
from zerosum.learn.cluster.addresses import check_reachable, parse_address
from zerosum.learn.cluster.keeper import Wanted
from zerosum.learn.cluster.nodes import check_ray, records, start_keeper
from zerosum.learn.cluster.reasons import reason
from zerosum.learn.cluster.tokens import environment, known_token, read_token

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL = "ray"
PROBE_SECONDS = 60.0
LOOK_SECONDS = 1.0


@contextmanager
def joined(where: str, workers: int, token: str | None) -> Iterator[None]:
    """Within the block this process is part of a cluster. What was started for it ends with it."""
    check_ray()
    if where == LOCAL:
        import secrets

        word = secrets.token_hex(32)
        started = start_keeper(Wanted(nodes=1, cpus=workers, host="127.0.0.1"), word)
        try:
            with _seat(started.address, word):
                yield
        finally:
            started.end()
        return
    host, port = parse_address(where)
    word = token_for(host, port, token)
    check_reachable(host, port)
    _probe(f"{host}:{port}", word)
    with _seat(f"{host}:{port}", word):
        yield


def token_for(host: str, port: int, given: str | None) -> str:
    """The token of the cluster at an address: given, of a cluster of ours, or Ray's usual one."""
    if given is None:
        for record in records():
            if record.address == f"{host}:{port}":
                return read_token(record.token)
    word = known_token(given)
    if word is None:
        raise ClusterError(f"{host}:{port}: got no token, wanted one: --token FILE, or RAY_AUTH_TOKEN")
    return word


@contextmanager
def _seat(address: str, token: str) -> Iterator[None]:
    os.environ.update(environment(token, address.rpartition(":")[0]))
    import ray
    from ray._private import worker

    worker.print_to_stdstream = _say_nothing  # of lost workers, on stdout: we note them ourselves
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError) as error:
        raise ClusterError(f"{address}: {reason(str(error), address)}") from None
    socket_name = worker.global_worker.node.raylet_socket_name
    left = Event()
    Thread(target=_leave_with_node, args=(socket_name, address, left), daemon=True).start()
    try:
        yield
    finally:
        left.set()
        ray.shutdown()


def _say_nothing(*_: object, **__: object) -> None:
    pass


def _leave_with_node(socket_name: str, address: str, left: Event) -> None:
    """When this machine's node is gone Ray would end the process without a word that helps; this is one."""
    table = Path("/proc/net/unix")
    while table.exists() and not left.wait(LOOK_SECONDS):
        if socket_name not in table.read_text() and not left.is_set():
            lost = f"{address}: this machine's node of the cluster is gone"
            print(f"zerosum train: {lost}; all up to the last checkpoint is kept: go on with --resume", file=sys.stderr)
            os._exit(2)


def _probe(address: str, token: str) -> None:
    """Joins and leaves in a process of its own first: what Ray says there, or does not, becomes one line here."""
    code = f"import ray; ray.init(address={address!r}, log_to_driver=False, logging_level='ERROR'); print('joined')"
    env = {**os.environ, **environment(token, address.rpartition(":")[0]), "RAY_NUM_REDIS_GET_RETRIES": "3"}
    try:
        tried = subprocess.run(
            [sys.executable, "-c", code],
            env=env,
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
            start_new_session=True,  # Ctrl-C is for us
        )
    except subprocess.TimeoutExpired:
        raise ClusterError(f"{address}: somebody answers there, but not as a Ray cluster does") from None
    if "joined" in tried.stdout:
        return
    raise ClusterError(f"{address}: {reason(tried.stderr, address)}")
