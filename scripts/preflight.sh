#!/bin/sh
# preflight.sh PYTHON: says in one line what is missing, before anything is installed.
python=$1

fail() {
  echo "zerosum: $1" >&2
  exit 2
}

command -v "$python" >/dev/null 2>&1 || fail "no $python found, wanted Python 3.11 or newer (set PYTHON=...)"
found=$("$python" -c 'import sys; print(".".join(map(str, sys.version_info[:3])))') || fail "$python does not run"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "$python is Python $found, wanted 3.11 or newer (set PYTHON=...)"
"$python" -c 'import venv, ensurepip' 2>/dev/null || fail "$python has no venv module, wanted one (Debian: python3-venv)"

[ -z "$CXX" ] || command -v "$CXX" >/dev/null 2>&1 || fail "CXX is $CXX, which is not found, wanted a C++17 compiler"
for compiler in "${CXX:-c++}" g++ clang++ none; do
  [ "$compiler" = none ] && fail "no C++ compiler found, wanted one that knows C++17 (Debian: g++; or set CXX=...)"
  command -v "$compiler" >/dev/null 2>&1 && break
done
printf '#include <optional>\nint main() { std::optional<int> one = 1; return *one - 1; }\n' |
  "$compiler" -std=c++17 -fsyntax-only -x c++ - 2>/dev/null || fail "$compiler does not compile C++17, wanted one that does"
