"""Training on Ray: the same bits as in one process, whoever is killed, and nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from e2e.cluster import LONG, SHORT, WIDE, Cluster, leftovers, pids_of, rows_of, train_long, wait_for
from e2e.command import ZEROSUM, refusal, report, zerosum

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two nodes on the loopback address, each with room for one worker."""
    up = Cluster(tmp_path_factory.mktemp("state"), nodes=2)
    yield up
    up.down()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The same run in one process."""
    return report("train", *LONG, "--out", tmp_path_factory.mktemp("alone") / "run")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return report("train", *SHORT, "--out", tmp_path_factory.mktemp("short") / "run")


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_local_ray_ends_with_the_same_bits(tmp_path: Path, short: dict[str, Any], workers: str) -> None:
    done = report("train", *SHORT, "--out", tmp_path / "run", "--cluster", "ray", "--workers", workers)
    assert (done["weights_sha256"], done["nodes"]) == (short["weights_sha256"], short["nodes"])
    row = rows_of(tmp_path / "run")[-1]
    assert len({worker["pid"] for worker in row["workers"]}) == int(workers)
    assert all(worker["leases"] > 0 and worker["host"] for worker in row["workers"])
    assert not any(psutil.pid_exists(pid) for pid in pids_of(row))


def test_a_node_joins_and_a_worker_and_a_node_are_killed(tmp_path: Path, cluster: Cluster) -> None:
    run = tmp_path / "run"
    with train_long(run, cluster, "--set", "run.iterations=100_000") as training:  # as long as it takes
        wait_for(lambda: len(rows_of(run)) >= 1, training=training)
        first = rows_of(run)[-1]["workers"]
        assert len({worker["node"] for worker in first}) == 2
        os.kill(first[0]["pid"], signal.SIGKILL)
        with cluster.another():
            wait_for(lambda: len({worker["node"] for worker in rows_of(run)[-1]["workers"]}) == 3, training=training)
            again = rows_of(run)[-1]["leases_walked_again"]
            os.kill(cluster.nodes[1], signal.SIGKILL)
            wait_for(lambda: rows_of(run)[-1]["leases_walked_again"] > again, training=training)
            training.send_signal(signal.SIGINT)
            out, errors = training.communicate(timeout=120)
        assert training.returncode == 130, errors
    done = json.loads(out)
    assert again > 0
    assert errors.count("was lost") >= 2
    assert "joined" in errors
    assert [row["iteration"] for row in rows_of(run)] == list(range(1, done["iterations"] + 1))
    alone = report("train", *WIDE, "--set", f"run.iterations={done['iterations']}", "--out", tmp_path / "alone")
    assert (done["weights_sha256"], done["nodes"]) == (alone["weights_sha256"], alone["nodes"])


@pytest.mark.parametrize("role", [pytest.param("learner", marks=pytest.mark.slow), "chief"])
def test_a_lost_learner_or_chief_is_one_line_and_the_run_resumes(
    tmp_path: Path, alone: dict[str, Any], cluster: Cluster, role: str
) -> None:
    run = tmp_path / "run"
    with train_long(run, cluster, "--set", "run.checkpoint_seconds=0") as training:
        wait_for(lambda: len(rows_of(run)) >= 3, training=training)
        os.kill(rows_of(run)[-1][role]["pid"], signal.SIGKILL)
        _, errors = training.communicate(timeout=120)
    assert training.returncode == 2
    last = errors.strip().splitlines()[-1]
    assert f"the {role} (pid" in last
    assert "go on with --resume" in last
    assert "Traceback" not in errors
    done = report("train", "--resume", run, "--cluster", cluster.address, "--token", cluster.token)
    assert (done["weights_sha256"], done["nodes"]) == (alone["weights_sha256"], alone["nodes"])


def test_a_killed_command_leaves_nobody_behind_but_the_cluster(
    tmp_path: Path, alone: dict[str, Any], cluster: Cluster
) -> None:
    run = tmp_path / "run"
    with train_long(run, cluster, "--set", "run.checkpoint_seconds=0") as training:
        wait_for(lambda: len(rows_of(run)) >= 2, training=training)
        row = rows_of(run)[-1]
        training.kill()
    wait_for(lambda: not any(psutil.pid_exists(pid) for pid in pids_of(row)))
    assert psutil.pid_exists(cluster.nodes[0])
    done = report("train", "--resume", run)  # on threads: a run is not bound to where it began
    assert (done["weights_sha256"], done["nodes"]) == (alone["weights_sha256"], alone["nodes"])


def test_a_lost_node_of_the_chief_is_one_line(tmp_path: Path) -> None:
    run, up = tmp_path / "run", Cluster(tmp_path / "state", nodes=1)
    with train_long(run, up, "--set", "run.checkpoint_seconds=0") as training:
        wait_for(lambda: len(rows_of(run)) >= 1, training=training)
        up.down()
        _, errors = training.communicate(timeout=60)
    assert training.returncode == 2, errors
    assert "go on with --resume" in errors.strip().splitlines()[-1]
    assert "Traceback" not in errors


@pytest.mark.parametrize("by", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL])
def test_a_ray_of_its_own_ends_with_the_command(tmp_path: Path, by: signal.Signals) -> None:
    run = tmp_path / "run"
    mine = {**os.environ, "ZEROSUM_TEST": str(tmp_path)}
    with train_long(run, None, env=mine) as training:
        wait_for(lambda: len(rows_of(run)) >= 1, training=training)
        assert leftovers(tmp_path)
        training.send_signal(by)
        _, errors = training.communicate(timeout=60)
    wait_for(lambda: not leftovers(tmp_path))
    if by is signal.SIGINT:
        assert training.returncode == 130, errors
        assert "go on with --resume" in errors
    assert rows_of(run)


def test_refusals(tmp_path: Path, cluster: Cluster) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("f" * 64)
    run = ("train", "kuhn-sdcfr", "--out", tmp_path / "run", "--cluster")
    assert "the token is not the cluster's" in refusal(*run, cluster.address, "--token", wrong)
    assert "nobody answers there" in refusal(*run, "127.0.0.1:9", "--token", wrong)
    assert "got no token, wanted one" in refusal(*run, "127.0.0.1:9")
    assert "wanted ray or HOST:PORT" in refusal(*run, "somewhere")
    assert "token: got one, wanted --cluster too" in refusal(*run[:-1], "--token", wrong)
    assert "wanted sd-cfr or deep-cfr" in refusal(
        "train", "leduc-nfsp", *run[2:], cluster.address, "--token", cluster.token
    )
    assert "got no token" in refusal("cluster", "join", "127.0.0.1:9")
    assert "the token is not the cluster's" in refusal("cluster", "join", cluster.address, "--token", wrong)
    assert "nobody answers there" in refusal("cluster", "join", "a..b:80", "--token", wrong)
    assert "wanted none" in refusal(*run, "ray", "--token", wrong)
    assert "and no token, wanted --token FILE" in refusal("cluster", "up", "--host", "192.0.2.1")
    assert "wanted one address of this machine" in refusal("cluster", "up", "--host", "0.0.0.0", "--token", wrong)
    assert "wanted one address of this machine" in refusal("cluster", "up", "--host", "192.0.2.77", "--token", wrong)
    assert "nodes: got 0" in refusal("cluster", "up", "--nodes", "0")
    (tmp_path / "short").write_text("secret")
    assert "wanted one word of at least 16" in refusal(*run, cluster.address, "--token", tmp_path / "short")
    assert "cannot be read" in refusal(*run, cluster.address, "--token", tmp_path / "none")
    assert "not a cluster that zerosum cluster up started" in refusal("cluster", "down", "127.0.0.1:9")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("ray", "the cluster runs Ray: 2.0.0", marks=pytest.mark.slow),
        ("zerosum", "runs zerosum 0.0.0"),
    ],
)
def test_another_version_is_refused(tmp_path: Path, name: str, words: str) -> None:
    """A cluster whose Ray, or whose zerosum, is not this one."""
    up = Cluster(tmp_path / name, nodes=1, pretends=name)
    try:
        told = refusal("train", "kuhn-sdcfr", "--out", tmp_path / "run", "--cluster", up.address, "--token", up.token)
        assert words in told
        assert "install the same" in told
    finally:
        up.down()
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_without_ray_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['ray'] = None\n")
    told = subprocess.run(
        [*ZEROSUM, "train", "kuhn-sdcfr", "--out", str(tmp_path / "run"), "--cluster", "ray"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert (
        told.stderr
        == "zerosum train: Ray is not installed, wanted the extra 'cluster': pip install 'zerosum[cluster,train]'\n"
    )


def test_up_and_down(cluster: Cluster) -> None:
    """Only the loopback address listens, the token is nobody else's, and down ends what up started and no more."""
    second = Cluster(cluster.state, nodes=1)
    family = psutil.Process(second.keeper).children(recursive=True)
    listening = [
        connection.laddr.ip
        for process in [*family, *psutil.Process(cluster.keeper).children(recursive=True)]
        for connection in process.net_connections(kind="tcp")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert {address.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
    assert second.token.stat().st_mode & 0o077 == 0
    said = zerosum("cluster", "down", second.address, env=second.env).stdout
    assert said == f"{second.address} is down\n"
    assert not any(process.is_running() for process in family)
    assert not second.token.exists()
    assert psutil.pid_exists(cluster.keeper)


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        ["deep-cfr", "strategy.train=true", "strategy.every=2"],
        ["sd-cfr", "walks.ahead=true"],
        ["sd-cfr", "walks.baseline=network", "strategy.train=true"],
    ],
)
def test_holdem_on_ray_ends_with_the_same_bits(tmp_path: Path, settings: list[str]) -> None:
    """Walks that ask networks, in leases; a strategy network, a baseline, and learning while others walk."""
    file = tmp_path / "flop.toml"
    file.write_text(
        f'[run]\ngame = "flop-holdem"\nalgorithm = "{settings[0]}"\niterations = 4\nevaluate_every = 2\n'
        "[walks]\nper_player = 300\nlease = 50\n[buffer]\nmerge = false\n[network]\nhidden = 32\n"
        "[advantage]\nsteps = 4\nbatch_rows = 128\n[strategy]\nsteps = 4\nbatch_rows = 128\n"
    )
    changes = [word for change in settings[1:] for word in ("--set", change)]
    hashes = {
        report("train", file, *changes, "--out", tmp_path / name, *where)["weights_sha256"]
        for name, where in (("threads", ()), ("ray", ("--cluster", "ray", "--workers", "2")))
    }
    assert len(hashes) == 1


@pytest.mark.slow
def test_twenty_random_kills(tmp_path: Path) -> None:
    """Workers, nodes, the learner, the chief and the command, at random moments."""
    import random

    luck, run, kills = random.Random(20), tmp_path / "run", 0
    long = (*LONG, "--set", "run.iterations=200")
    alone = report("train", *long, "--out", tmp_path / "alone")
    more = ("--set", "run.iterations=200", "--set", "run.checkpoint_seconds=0.5")
    up = Cluster(tmp_path / "state", nodes=2)
    try:
        while True:
            with train_long(run, up, *more, resume=(run / "settings.toml").exists()) as training:
                begun = len(rows_of(run))
                while training.poll() is None and kills < 20:
                    time.sleep(luck.uniform(0.2, 1.5))
                    rows = rows_of(run)
                    if len(rows) > begun and "workers" in rows[-1] and training.poll() is None:
                        victim = luck.choice(["worker", "worker", "node", "learner", "chief", "command"])
                        kills += kill(victim, rows[-1], up, training, luck)
                out, errors = training.communicate(timeout=600)
            if training.returncode == 0:
                break
            assert training.returncode in (2, -signal.SIGKILL), errors
    finally:
        up.down()
    assert kills == 20
    done = json.loads(out)
    assert (done["weights_sha256"], done["nodes"]) == (alone["weights_sha256"], alone["nodes"])


def kill(victim: str, row: dict[str, Any], up: Cluster, training: subprocess.Popen[str], luck: Any) -> int:
    """Kills someone; says whether there was someone to kill. A killed node is replaced."""
    try:
        if victim == "worker":
            os.kill(luck.choice(row["workers"])["pid"], signal.SIGKILL)
        elif victim in ("learner", "chief"):
            os.kill(row[victim]["pid"], signal.SIGKILL)
        elif victim == "node":
            up.replace_node()
        else:
            training.kill()
    except ProcessLookupError:
        return 0
    return 1
