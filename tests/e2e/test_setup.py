"""What a newcomer's machine may lack is said in one line, before anything is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def preflight(python: str, path: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(path)}
    command = [shutil.which("sh") or "/bin/sh", str(ROOT / "scripts" / "preflight.sh"), python]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def link(folder: Path, **programs: str) -> None:
    for name, target in programs.items():
        (folder / name.replace("xx", "++")).symlink_to(target)


def script(path: Path, text: str) -> None:
    path.write_text(f"#!{shutil.which('sh')}\n{text}\n")
    path.chmod(0o755)


def test_all_is_well() -> None:
    done = subprocess.run([str(ROOT / "scripts" / "preflight.sh"), sys.executable], capture_output=True, check=True)
    assert done.stdout == done.stderr == b""


def test_no_python(tmp_path: Path) -> None:
    done = preflight("python3", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "zerosum: no python3 found, wanted Python 3.11 or newer (set PYTHON=...)\n"


def test_old_python(tmp_path: Path) -> None:
    script(tmp_path / "python3", 'case "$2" in *print*) echo 3.9.1 ;; *) exit 1 ;; esac')
    done = preflight("python3", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "zerosum: python3 is Python 3.9.1, wanted 3.11 or newer (set PYTHON=...)\n"


def test_no_compiler(tmp_path: Path) -> None:
    link(tmp_path, python3=sys.executable)
    done = preflight("python3", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("zerosum: no C++ compiler found, wanted one that knows C++17")
    assert done.stderr.count("\n") == 1


def test_a_compiler_that_is_named_but_missing() -> None:
    command = [str(ROOT / "scripts" / "preflight.sh"), sys.executable]
    environment = {**os.environ, "CXX": "no-such-compiler"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr == "zerosum: CXX is no-such-compiler, which is not found, wanted a C++17 compiler\n"


def test_old_compiler(tmp_path: Path) -> None:
    link(tmp_path, python3=sys.executable)
    script(tmp_path / "g++", "exit 1")
    done = preflight("python3", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "zerosum: g++ does not compile C++17, wanted one that does\n"


@pytest.mark.slow
def test_a_wheel_works_in_a_clean_venv(tmp_path: Path) -> None:
    """Built in isolation, installed outside the checkout, solving without torch."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, env=environment, cwd=tmp_path)
    (wheel,) = tmp_path.glob("zerosum-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv" / "bin"
    install = [str(binaries / "python"), "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), str(wheel)]
    subprocess.run(install, check=True, env=environment, cwd=tmp_path)
    done = subprocess.run(
        [binaries / "zerosum", "solve", "leduc", "--iterations", "1000", "--plot", "curve.png", "--json"],
        check=True,
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert '"infosets": 936' in done.stdout
    have = subprocess.run([binaries / "python", "-m", "pip", "freeze"], check=True, capture_output=True, text=True)
    assert "torch" not in have.stdout
