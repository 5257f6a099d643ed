# Everything a user or a developer calls. Set-up is done once, and again when sources or pins change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
CMAKE := $(BIN)/cmake --no-warn-unused-cli -G Ninja "-DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja" "-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python"

NATIVE := $(shell find native -name '*.hpp' -o -name '*.cpp')
NATIVE_TESTS := $(shell find tests/native -name '*.hpp' -o -name '*.cpp')
INSTALLED := pyproject.toml constraints.txt CMakeLists.txt $(NATIVE)

.PHONY: help setup demo test test-slow lint format stubs goldens bench sanitize fuzz clean

help:
	@echo "make demo       set up, solve Kuhn and Leduc, learn Leduc and 5 × 5 Gomoku, play hold'em, make a C++ bot"
	@echo "make setup      only set up: .venv, native core, tools"
	@echo "make test       the tests (make test-slow: the long ones)"
	@echo "make lint       ruff, mypy, import layers, clang-format, compiler warnings, stubs"
	@echo "make format     let ruff and clang-format rewrite the sources"
	@echo "make bench      benchmarks against other libraries (installs them first)"
	@echo "make sanitize   native tests under ASan + UBSan, and under TSan"
	@echo "make fuzz       a million mutated protocol lines and weight files under ASan + UBSan"
	@echo "make stubs      regenerate the native module's type stubs"
	@echo "make goldens    regenerate the golden playthroughs"

$(VENV)/.tools: pyproject.toml constraints.txt
	@scripts/preflight.sh $(PYTHON)
	@echo "zerosum: setting up $(VENV) (a minute or two)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) scikit-build-core nanobind cmake ninja
	@touch $@

$(VENV)/.installed: $(INSTALLED) $(VENV)/.tools
	@scripts/preflight.sh $(PYTHON)
	@echo "zerosum: building and installing"
	@$(PIP) --no-build-isolation --editable '.[cluster,dev,onnx,openspiel,train]'
	@touch $@

setup: $(VENV)/.installed

demo: setup
	@$(BIN)/zerosum demo

build/native/.built: $(NATIVE) $(NATIVE_TESTS) CMakeLists.txt $(VENV)/.installed
	@$(CMAKE) -S . -B build/native -DZEROSUM_TESTS=ON >/dev/null
	@$(BIN)/cmake --build build/native >/dev/null
	@touch $@

# Three at once, on two cores, too: many tests wait for what they started.
test: setup build/native/.built
	$(BIN)/ctest --test-dir build/native --output-on-failure
	$(BIN)/python -m pytest -m "not slow" --numprocesses 3 --dist loadfile --no-loadscope-reorder

test-slow: setup
	$(BIN)/python -m pytest -m slow

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(NATIVE) $(NATIVE_TESTS)
	$(CMAKE) -S . -B build/lint -DZEROSUM_WERROR=ON >/dev/null
	$(BIN)/cmake --build build/lint
	$(CMAKE) -S . -B build/lint-tests -DZEROSUM_WERROR=ON -DZEROSUM_TESTS=ON >/dev/null
	$(BIN)/cmake --build build/lint-tests
	$(BIN)/python -m nanobind.stubgen -q -m zerosum.native._core -o build/_core.pyi
	diff build/_core.pyi src/zerosum/native/_core.pyi

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(NATIVE) $(NATIVE_TESTS)

stubs: setup
	$(BIN)/python -m nanobind.stubgen -q -m zerosum.native._core -o src/zerosum/native/_core.pyi

goldens: setup
	$(BIN)/python tests/golden/regenerate.py

$(VENV)/.peers: $(VENV)/.installed
	@echo "zerosum: installing the libraries to compare with (several minutes)"
	@$(PIP) $$($(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['peers'])")
	@touch $@

bench: $(VENV)/.peers
	$(BIN)/python benchmarks/tabular.py
	$(BIN)/python benchmarks/cards.py
	$(BIN)/python benchmarks/holdem.py
	$(BIN)/python benchmarks/evaluate.py
	$(BIN)/python benchmarks/encoding.py
	$(BIN)/python benchmarks/deepcfr.py
	$(BIN)/python benchmarks/scaling.py
	$(BIN)/python benchmarks/mcts.py
	$(BIN)/python benchmarks/gomoku.py gomoku-9x9 gomoku-15x15
	$(BIN)/python benchmarks/headsup.py
	$(BIN)/python benchmarks/bot.py

sanitize: setup
	$(CMAKE) -S . -B build/asan -DZEROSUM_TESTS=ON -DZEROSUM_SANITIZE=address,undefined >/dev/null
	$(BIN)/cmake --build build/asan
	ASAN_OPTIONS=quarantine_size_mb=16 $(BIN)/ctest --test-dir build/asan --output-on-failure
	$(CMAKE) -S . -B build/tsan -DZEROSUM_TESTS=ON -DZEROSUM_SANITIZE=thread >/dev/null
	$(BIN)/cmake --build build/tsan
	$(BIN)/ctest --test-dir build/tsan --output-on-failure

fuzz: setup
	$(CMAKE) -S . -B build/asan -DZEROSUM_TESTS=ON -DZEROSUM_SANITIZE=address,undefined >/dev/null
	$(BIN)/cmake --build build/asan --target test_bot
	ASAN_OPTIONS=quarantine_size_mb=16 build/asan/test_bot 1000000

clean:
	rm -rf build $(VENV)
