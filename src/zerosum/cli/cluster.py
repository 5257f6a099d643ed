"""`zerosum cluster`: nodes of a Ray cluster on this machine, for trying out or to join others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.errors import ClusterError

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "cluster",
        help="start, join and end a Ray cluster to train on",
        description="Nodes of a Ray cluster on this machine. Only those who know its token get in.",
    )
    parser.set_defaults(run=lambda _: parser.error("wanted up, join or down"))
    actions = parser.add_subparsers(metavar="ACTION")
    up = actions.add_parser("up", help="start a cluster; it stays until zerosum cluster down")
    up.add_argument("--nodes", type=int, default=1, metavar="N", help="how many on this machine (default: 1)")
    up.add_argument("--cpus", type=int, metavar="N", help="workers a node has room for (default: processors / nodes)")
    up.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where others reach it (default: nowhere)")
    up.add_argument("--token", metavar="FILE", help="holds the token; needed for any other host than the default")
    up.set_defaults(run=start)
    join = actions.add_parser("join", help="make this machine a node of a cluster; it stays until Ctrl-C")
    join.add_argument("address", metavar="HOST:PORT", help="of the cluster")
    join.add_argument("--cpus", type=int, metavar="N", help="workers it has room for (default: its processors)")
    join.add_argument("--host", metavar="ADDRESS", help="this machine's own, where the others reach it")
    join.add_argument("--token", metavar="FILE", help="holds the cluster's token")
    join.set_defaults(run=enter)
    down = actions.add_parser("down", help="end what zerosum cluster up started, and nothing else")
    down.add_argument("address", metavar="HOST:PORT", nargs="?", help="only this one")
    down.set_defaults(run=stop)


def start(args: argparse.Namespace) -> int:
    from zerosum.learn.cluster.addresses import check_own
    from zerosum.learn.cluster.keeper import Wanted
    from zerosum.learn.cluster.nodes import check_ray, new_name, place, remember, start_keeper
    from zerosum.learn.cluster.tokens import is_loopback, known_token, new_token
    from zerosum.runs.files import make_directory
    from zerosum.settings import within

    within("nodes", args.nodes, 1, 64)
    if args.host in ("0.0.0.0", "::"):
        raise ClusterError(f"host: got {args.host}, wanted one address of this machine that others reach")
    cpus = _cpus(args.cpus, args.nodes)
    check_ray()
    folder = make_directory(place())
    word = None if is_loopback(args.host) and args.token is None else known_token(args.token)
    if word is None and not is_loopback(args.host):
        got = f"host: got {args.host} and no token"
        raise ClusterError(f"{got}, wanted --token FILE or RAY_AUTH_TOKEN: others can reach that address")
    check_own(args.host)
    name = new_name()
    token = new_token(folder / f"{name}.token", word)
    wanted = Wanted(nodes=args.nodes, cpus=cpus, host=args.host, tied=False)
    started = None
    try:
        started = start_keeper(wanted, token.read_text())
        record = remember(started, token)
    except BaseException:
        if started is not None:
            started.end()
        token.unlink(missing_ok=True)
        raise
    print(f"up at {record.address}: {_counted(args.nodes, 'node')}, each with room for {_counted(cpus, 'worker')}")
    print(f"  train on it: zerosum train leduc-sdcfr --cluster {record.address}")
    if is_loopback(args.host):
        print("  other machines: start it with --host ADDRESS --token FILE to let them join")
    else:
        print(f"  other machines, with the same token: zerosum cluster join {record.address} --token FILE")
    print(f"  end it: zerosum cluster down {record.address}")
    return 0


def enter(args: argparse.Namespace) -> int:
    from zerosum.learn.cluster.addresses import check_reachable, own_address, parse_address
    from zerosum.learn.cluster.keeper import Wanted
    from zerosum.learn.cluster.nodes import check_ray, start_keeper
    from zerosum.learn.cluster.session import token_for

    cpus = _cpus(args.cpus, 1)
    check_ray()
    host, port = parse_address(args.address)
    token = token_for(host, port, args.token)
    check_reachable(host, port)
    wanted = Wanted(nodes=1, cpus=cpus, host=args.host or own_address(host, port), join=f"{host}:{port}")
    started = start_keeper(wanted, token)
    print(f"joined {started.address} with room for {_counted(cpus, 'worker')}; Ctrl-C leaves", flush=True)
    try:
        started.keeper.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        started.end()
    raise ClusterError(f"{started.address}: the cluster is gone")


def stop(args: argparse.Namespace) -> int:
    from zerosum.learn.cluster.addresses import parse_address
    from zerosum.learn.cluster.nodes import records

    address = None if args.address is None else "{}:{}".format(*parse_address(args.address))
    found = [record for record in records() if address in (None, record.address)]
    if args.address is not None and not found:
        raise ClusterError(f"{args.address}: not a cluster that zerosum cluster up started here")
    for record in found:
        record.end()
        print(f"{record.address} is down")
    if not found:
        print("nothing is up")
    return 0


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _cpus(given: int | None, nodes: int) -> int:
    import os

    from zerosum.settings import within

    if given is not None:
        within("cpus", given, 1, 1024)
    return given or max(1, len(os.sched_getaffinity(0)) // nodes)
