# Cuprum's commands. `make help` lists them; each is described by the `##` comment on its line.
# Needed beforehand: Rust, Python 3.10 or later, a C and C++ compiler. All else is installed into .venv.

PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=
# Processes that share the Python tests: one for each core.
PYTEST_WORKERS ?= auto
BENCH_ARGS ?=
FUZZ_ARGS ?=
LIBRARY_ARGS ?=
SUITE_ARGS ?= --list
GPU_ARGS ?=
# The interpreter of the machine with the GPU, and what the tests need there beside NumPy.
GPU_PYTHON_VERSION ?= 3.12
GPU_PLATFORMS := --platform manylinux2014_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux_2_28_x86_64
GPU_PACKAGES := pytest mpmath pytest-xdist execnet iniconfig pluggy packaging pygments scipy
# Tests that must also hold when nothing is deferred; `make test-all` runs them all twice.
UNDEFERRED ?= tests/semantics

CARGO_TARGET_DIR ?= $(CURDIR)/target
export CARGO_TARGET_DIR

# The extension module, the tests and clippy share one profile and one set of packages, so that a dependency is built
# once: with fewer packages some would have fewer features.
PROFILE := --release

IS_WINDOWS := $(filter Windows_NT,$(OS))
BIN := $(VENV)/$(if $(IS_WINDOWS),Scripts,bin)
RUST_SOURCES := $(shell find crates Cargo.toml Cargo.lock -type f 2>/dev/null)
TOOLS_STAMP := $(VENV)/.tools
DIST_STAMP := $(VENV)/.dist-tools
BUILD_STAMP := $(VENV)/.build
DOCS_STAMP := $(VENV)/.docs-tools

MATURIN = env -u CONDA_PREFIX VIRTUAL_ENV=$(abspath $(VENV)) PATH="$(abspath $(BIN)):$$PATH" $(BIN)/maturin
# Wheels for Linux are linked by zig against the C library of manylinux_2_17, so that old distributions take them; the
# outcome is under target/<triple>/, apart from that of `make build`. The unwinder must be the system's: Python ends threads
# by unwinding their stacks, and a second unwinder, zig's own, crashes on the first one's frames.
IS_LINUX := $(filter Linux,$(shell uname -s))
WHEEL_ENV ?= $(if $(IS_LINUX),CARGO_ZIGBUILD_ZIG_COMMAND=$(CURDIR)/scripts/zig_ordered.py)
WHEEL_ARGS ?= $(if $(IS_LINUX),--zig --compatibility manylinux_2_17)
WHEEL_LINK_ARGS ?= $(if $(IS_LINUX),-- -C link-arg=$(shell cc -print-file-name=libgcc_s.so.1) -C link-arg=-Wl$(comma)-z$(comma)now)
# Where rustc knows that all addresses are bound when the library is loaded (`-z now`), it has calls between crates read the address
# from a table. The linker alone is told so: then such calls are direct, and the library is smaller.
WHEEL_RUSTFLAGS ?= $(if $(IS_LINUX),-C relro-level=partial)
comma := ,
# Other systems that the sources compile for; `rustup target add` has them.
OTHER_TARGETS ?= aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-pc-windows-msvc

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## "; print "make <target>, where target is one of:" } \
		/^[a-z][a-z-]*:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(TOOLS_STAMP): requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "Python 3.10 or later is needed; name one with: make PYTHON=/path/to/python3"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

$(DIST_STAMP): $(TOOLS_STAMP) requirements-dist.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dist.txt
	@touch $@

$(BUILD_STAMP): $(TOOLS_STAMP) $(RUST_SOURCES) pyproject.toml
	$(MATURIN) develop $(PROFILE)
	@touch $@

.PHONY: demo
demo: build ## Build, then run examples/pipeline.py
	$(BIN)/python examples/pipeline.py

.PHONY: build
build: $(BUILD_STAMP) ## Release build into .venv, with .venv/bin/cuprum on it

.PHONY: test
test: test-rust test-python ## Run every test, Rust's and Python's

# Where there is no GPU, the CUDA device's tests run on a stand-in for the driver; all else runs on the CPU.
STANDIN = standin=$$($(BIN)/python tests/cuda/standin/build.py --env) && eval "$$standin" && export CUPRUM_DEVICE=cpu
# The ignored tests of the CUDA device send kernel texts through NVIDIA's own compiler, which needs no GPU: that of CUDA 13
# for sm_90, unless NVRTC=/path/to/libnvrtc.so.12 and CUPRUM_TEST_TARGET=sm_80 say otherwise.
NVRTC = $(firstword $(wildcard $(abspath $(VENV))/lib/python3*/site-packages/nvidia/cu13/lib/libnvrtc.so.13))

.PHONY: test-rust
test-rust: $(TOOLS_STAMP) ## Run the Rust tests (unit, integration, documentation)
	$(STANDIN) && cargo test $(PROFILE) --workspace
	CUPRUM_LIBNVRTC=$(or $(NVRTC),libnvrtc.so.13) cargo test $(PROFILE) --package cuprum-cuda --lib --tests -- --ignored

# The fuzzers: FUZZ=n runs them n times as long, SEED=n other programs, JOBS=n in so many processes.
# What differs is written to fuzz-failures/ as tests. Under CUPRUM_DEVICE=cuda arrays and functions are a GPU's.
FUZZ_JOBS = --jobs $(or $(JOBS),$(shell nproc)) --seed $(or $(SEED),1)
FUZZ_TIMES = $(or $(FUZZ),1)

.PHONY: fuzz
fuzz: fuzz-kernels fuzz-arrays ## Fuzz kernels and arrays for some minutes; FUZZ=n: n times as long

.PHONY: fuzz-kernels
fuzz-kernels: build ## Fuzz kernels: their front end, mutants, random ones against g++ and a GPU, Python functions
	CUPRUM_FUZZ=$$((10 * $(FUZZ_TIMES))) CUPRUM_FUZZ_SEED=$(or $(SEED),0) \
		cargo test $(PROFILE) --package cuprum-kernel --test fuzz
	$(BIN)/python tests/fuzz/kernels.py --mutants $$((5000 * $(FUZZ_TIMES))) $(FUZZ_JOBS)
	$(BIN)/python tests/fuzz/random_kernels.py --modules $$((100 * $(FUZZ_TIMES))) $(FUZZ_JOBS)
	$(BIN)/python tests/fuzz/python_functions.py --functions $$((1000 * $(FUZZ_TIMES))) $(FUZZ_JOBS)

.PHONY: fuzz-arrays
fuzz-arrays: build ## Run random programs beside NumPy and SciPy for a minute
	$(BIN)/python tests/fuzz/arrays.py --seconds $$((60 * $(FUZZ_TIMES))) $(FUZZ_JOBS) $(FUZZ_ARGS)

.PHONY: test-load
test-load: build ## Load: threads, memory over many ops, a shared cache; for a minute each, or LOAD=n minutes
	$(BIN)/python tests/load/load.py --minutes $(or $(LOAD),1)

.PHONY: test-all
test-all: UNDEFERRED = --ignore=tests/cuda
test-all: test ## Run every test, and all Python tests again with nothing deferred (CUPRUM_DEFER=0)

PYTEST = $(BIN)/python -m pytest --numprocesses=$(PYTEST_WORKERS) --dist=worksteal $(PYTEST_ARGS)

# Short forms of these run with all other tests.
.PHONY: test-faults
test-faults: build ## Let each allocation, driver call and task of many programs fail, one at a time
	CUPRUM_FAULTS=all $(BIN)/python -m pytest $(PYTEST_ARGS) tests/faults tests/semantics/test_out_of_memory.py
	CUPRUM_FAULTS=all $(BIN)/python -m pytest $(PYTEST_ARGS) tests/cuda/test_driver_faults.py

.PHONY: valgrind
valgrind: build ## Run a part of the library under valgrind; an invalid access fails
	PYTHONMALLOC=malloc valgrind --undef-value-errors=no --smc-check=all-non-file --error-exitcode=9 \
		--suppressions=scripts/valgrind.supp \
		.venv/bin/python scripts/memory_smoke.py

.PHONY: test-asan
test-asan: $(TOOLS_STAMP) ## Run tests of unsafe code under AddressSanitizer: crates, and a part of the Python suite
	$(BIN)/python scripts/sanitize.py $(ASAN_ARGS)

.PHONY: test-tsan
test-tsan: $(TOOLS_STAMP) ## Run tests of threads under ThreadSanitizer, with a standard library that is built for it (nightly, rust-src)
	$(BIN)/python scripts/sanitize.py --tool thread $(TSAN_ARGS)

# The models are of the code itself: `--cfg loom` puts loom's locks and counts in the place of the standard library's.
LOOM = RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/loom cargo test $(PROFILE)

.PHONY: test-loom
test-loom: ## Try orders of steps (with two or three switches between threads) of the worker threads, the registers of pending work and the pools of memory
	$(LOOM) --package cuprum-threads --lib models
	$(LOOM) --package cuprum-graph --test models
	$(LOOM) --package cuprum-cpu --lib memory::models

# Fewer elements than otherwise, and limits above which work is cut or shared out that are lower (`cfg!(miri)`).
MIRI = CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/miri MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-deterministic-floats" cargo +nightly miri test
MIRI_CRATES ?= core graph threads sort random fft gemm lapack cpu

.PHONY: test-miri
test-miri: ## Run under Miri what needs neither vector instructions nor machine code (nightly, miri); MIRI_CRATES="sort fft"
	$(MIRI) $(MIRI_CRATES:%=--package cuprum-%) --lib --tests
	$(MIRI) --package cuprum-lanes --lib --test levels

.PHONY: test-python
# Kernels that are wrong on purpose run in the tests of tests/cuda: in processes apart from the others.
test-python: build ## Run the Python tests, deferred, then the semantics tests undeferred
	CUPRUM_DEFER=1 $(PYTEST) --ignore=tests/cuda
	$(PYTEST) tests/cuda
	CUPRUM_DEFER=0 $(PYTEST) $(UNDEFERRED)

.PHONY: check
check: check-rust check-python check-generated ## Check formatting, lints, generated files and stubs

.PHONY: check-rust
check-rust: $(TOOLS_STAMP)
	cargo fmt --all --check
	PYO3_PYTHON=$(abspath $(BIN))/python cargo clippy $(PROFILE) --workspace --all-targets -- -D warnings

.PHONY: check-python
check-python: $(TOOLS_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: check-generated
check-generated: build
	$(BIN)/python scripts/check_generated.py
	$(BIN)/mypy --strict python/cuprum

.PHONY: stubs
stubs: build ## Write the generated files anew: type stubs, reference pages and plots
	$(BIN)/python scripts/stubs.py

$(DOCS_STAMP): $(TOOLS_STAMP) requirements-docs.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@touch $@

.PHONY: docs
docs: build $(DOCS_STAMP) ## Build the site into build/site/html; it works from there without a network
	$(BIN)/python scripts/site_pages.py

.PHONY: fmt
fmt: $(TOOLS_STAMP) ## Format Rust and Python, and apply safe lint fixes
	cargo fmt --all
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: bench
bench: build ## Time Cuprum beside NumPy, SciPy and C; write benches/RESULTS.md
	$(BIN)/python benches/table.py $(BENCH_ARGS)
	$(BIN)/python benches/library.py $(LIBRARY_ARGS)
	$(BIN)/python benches/special.py $(SPECIAL_ARGS)
	$(BIN)/python benches/kernels.py $(KERNEL_ARGS)
	$(BIN)/python benches/programs.py $(PROGRAM_ARGS)
	$(BIN)/python benches/scale.py $(SCALE_ARGS)

.PHONY: libraries
libraries: build ## Run other libraries' own tests, SUITE_ARGS="--work DIR NAME ..."; write docs/compatibility.md
	$(BIN)/python scripts/library_suites.py $(SUITE_ARGS)

.PHONY: wheel
wheel: $(DIST_STAMP) ## Build the abi3 wheel, stripped, into dist/
	$(if $(WHEEL_RUSTFLAGS),RUSTFLAGS="$(WHEEL_RUSTFLAGS)") $(WHEEL_ENV) $(MATURIN) build --profile dist --strip $(WHEEL_ARGS) --interpreter $(abspath $(BIN))/python --out dist \
		$(WHEEL_LINK_ARGS)
	$(if $(IS_LINUX),$(BIN)/python scripts/pack_wheel.py)

.PHONY: sdist
sdist: $(DIST_STAMP) ## Pack the sources that pip can build into dist/
	$(MATURIN) sdist --out dist

.PHONY: dist
dist: wheel sdist ## Build the wheel and the sdist into dist/
	$(BIN)/python scripts/check_wheel.py --contents-only
	$(BIN)/python scripts/check_wheel.py --contents-only --sdist

.PHONY: test-wheel
test-wheel: ## Check the wheel in dist/, and run a program of every part from it in an environment of its own
	$(PYTHON) scripts/check_wheel.py

.PHONY: test-sdist
test-sdist: ## Let pip build the sdist in dist/ and nothing else, and run the same program; a whole build
	$(PYTHON) scripts/check_wheel.py --sdist

.PHONY: check-targets
check-targets: ## Compile for the other systems, as far as that goes without their linkers (OTHER_TARGETS)
	for target in $(OTHER_TARGETS); do \
		PYO3_NO_PYTHON=1 cargo clippy --workspace --target $$target -- -D warnings || exit 1; \
	done

.PHONY: check-crates
check-crates: ## Pack every crate as for the registry, each building from the packed form of the others
	cargo publish --workspace --dry-run $(CRATE_ARGS)

.PHONY: gpu-wheels
gpu-wheels: wheel ## Put the wheel and what `make gpu-check` needs into dist/, to carry to a machine with a GPU
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --dest dist --no-deps \
		--only-binary=:all: --python-version $(GPU_PYTHON_VERSION) $(GPU_PLATFORMS) $(GPU_PACKAGES)
	@du -ch dist/*.whl | tail -1

.PHONY: gpu-check
gpu-check: ## On a machine with a GPU: test the wheel in dist/ on it, write the speed table, run the sanitizer
	$(PYTHON) scripts/gpu_check.py $(GPU_ARGS)

.PHONY: clean
clean: ## Remove everything that was built, .venv included
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
	rm -f python/cuprum/_core*.so python/cuprum/_core*.pyd python/cuprum/_core*.dylib
	find python tests benches examples scripts -name __pycache__ -type d -prune -exec rm -rf {} +
	cargo clean
