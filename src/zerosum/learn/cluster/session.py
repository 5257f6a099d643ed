"""This process's seat in a cluster: one of its own, started and ended with it, or one that is up."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zerosum.errors import ClusterError
from zerosum.learn.cluster.addresses import check_reachable, parse_address
from zerosum.learn.cluster.keeper import Wanted
from zerosum.learn.cluster.nodes import check_ray, records, start_keeper
from zerosum.learn.cluster.tokens import environment, is_loopback, known_token, read_token

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL = "ray"
PROBE_SECONDS = 60.0


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
    if given is None and is_loopback(host):
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

    worker.print_to_stdstream = lambda *_, **__: (
        None
    )  # it would write of lost workers on stdout; we note them ourselves
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError) as error:
        raise ClusterError(f"{address}: {_reason(str(error), address)}") from None
    try:
        yield
    finally:
        ray.shutdown()


def _probe(address: str, token: str) -> None:
    """Joins and leaves in a process of its own first: what Ray says there, or does not, becomes one line here."""
    code = f"import ray; ray.init(address={address!r}, log_to_driver=False, logging_level='ERROR'); print('joined')"
    env = {**os.environ, **environment(token, address.rpartition(":")[0]), "RAY_NUM_REDIS_GET_RETRIES": "3"}
    try:
        tried = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ClusterError(f"{address}: somebody answers there, but not as a Ray cluster does") from None
    if "joined" in tried.stdout:
        return
    raise ClusterError(f"{address}: {_reason(tried.stderr, address)}")


def _reason(said: str, address: str) -> str:
    """What Ray's words mean, and what to do."""
    if "AuthToken" in said or "nauthenticated" in said:
        return "the token is not the cluster's; give the right one with --token FILE or RAY_AUTH_TOKEN"
    if "ersion mismatch" in said:
        versions = [line.strip() for line in said.splitlines() if line.strip().startswith(("Ray: ", "Python: "))]
        there = " and ".join(versions[:2]) or "another version"
        return f"the cluster runs {there}, this process does not; install the same on both sides"
    if "raylet" in said or "node" in said:
        return f"no node of the cluster is on this machine; make it one: zerosum cluster join {address}"
    return f"the cluster cannot be joined ({(said.strip() or 'no reason given').splitlines()[-1]})"
