"""The table of `library_suites.py`: which libraries, which versions, where their tests are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NUMPY = "numpy==2.4.6"
SCIPY = ("scipy==1.18.1; python_version >= '3.12'", "scipy==1.17.1; python_version < '3.12'")
"""The version whose dtypes and signatures Cuprum has; before Python 3.12 the last that runs there."""


@dataclass(frozen=True)
class Suite:
    """A library's tests.

    They come from its source distribution, from the installed package (`source` is "installed"), or from a
    commit of its repository.
    """

    name: str
    version: str
    tests: tuple[str, ...]
    """Paths for pytest, within the source or, where the package holds them, within the site's packages."""
    library: str = ""
    """Rows that name one library share its environment; without it the row's own name."""
    title: str = ""
    what: str = ""
    """What of the library is tested, for the page; without it the paths."""
    project: str = ""
    """The name on the index where it is another."""
    source: str = "sdist"
    repository: str = ""
    commit: str = ""
    unpack: tuple[str, ...] = ()
    """Files and folders that the tests need beside them."""
    install: bool = True
    """Whether the library itself is installed; CuPy is what Cuprum stands for."""
    packages: tuple[str, ...] = ()
    pythonpath: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    every: int = 1
    limit: int = 600
    plugins: tuple[str, ...] = ()
    """Files beside this one that pytest loads as plugins."""
    private: tuple[tuple[str, str], ...] = ()
    """Patterns of test names that are not run, each with the reason."""
    internal: str = ""
    """A pattern of causes by which a failed test is known to be one of the library's private names."""
    gpu_only: str = ""
    """A pattern of causes by which a failed test on the CPU is known to need a GPU."""
    broken: str = ""
    """A pattern of causes by which a test is known to fail on NumPy and SciPy as well."""
    missing: str = ""
    """A pattern of names and causes by which a test is known to ask that something is not implemented."""

    @property
    def files(self) -> tuple[str, ...]:
        return (*(path.partition("::")[0] for path in self.tests), *self.unpack, *self.pythonpath)

    def requirements(self) -> list[str]:
        own = [f"{self.project or self.name}=={self.version}"] if self.install else []
        return [NUMPY, *SCIPY, "pytest", "hypothesis", *own, *self.packages]

    def shown_version(self) -> str:
        return f"{self.version} ({self.commit[:9]})" if self.commit else self.version


CUPY = {
    "version": "15.0.0a1",
    "library": "cupy",
    "repository": "cupy/cupy",
    "commit": "6b6d9563c",
    "unpack": ("tests/", "cupy/testing/", "pyproject.toml"),
    "plugins": ("library_suites_cupy",),
    "arguments": ("-m", "not slow and not multi_gpu"),
    "install": False,
}
INTERNALS = "tests of CuPy's private modules, of its build and of its use of NVIDIA's libraries"
CUPY_PRIVATE = tuple(
    (pattern, INTERNALS)
    for pattern in (
        r"core_tests/test_(carray|core|cub_reduction|include|internal|mdspan|scan|syncdetect)\.py",
        r"test_raw\.py::TestRawNameExpressionCache",
        r"core_tests/test_reduction\.py::TestArgumentTypes|test_structured\.py::TestGetTypename",
        r"fusion_tests/test_(kernel_cache|optimization)\.py",
        r"cuda_tests/test_(compiler|compiler_cache|cublas|cufft|curand|cusolver|cusparse|cutensor|nccl|nvrtc)\.py",
        r"cupy_tests/testing_tests/",
        r"cupyx_tests/(test_cusolver|test_cusparse|test_cutensor|test_lapack)\.py",
        r"fft_tests/test_(cache|callback)\.py",
        r"random_tests/test_generator\.py::Test(Interval|GetRandomState)",
    )
)


CUPY_INTERNAL = "|".join(
    (
        r"has no attribute '_(?!_)",
        r"'StandIn' object|'bool' object is not callable",
        r"cannot import name '_(?!_)",
        r"No module named 'cupyx?\.[\w.]*\b_\w+'",
        r"module 'cupy\._core[\w.]*' has no attribute",
        r"module 'cuprum\.scipy\.sparse\._\w+' has no attribute",
        r"module 'cuprum\.compat\.cupy\._(core|util)[\w.]*' has no attribute",
        r"Expected '\w+' to be called|expected call not found",
        r"has no attribute 'SingleDeviceMemoryPool'|the allocator failed: cupy\.cuda\.memory\._",
        r"cuprum\.cuda\.(cublas|curand|cusolver|cusparse) has no '",
    )
)


CUPY_GPU_ONLY = "|".join(
    (
        r"the CPU records no graphs|the CPU has none of NVIDIA's libraries",
        r"test_kernel_attributes.*\n.*assert 0 > 0",
    )
)
"""Graphs and handles, by the errors of a run on the CPU that refuses them; the registers of a kernel."""


CUPY_MISSING = "|".join(
    (
        r"DID NOT RAISE NotImplementedError|NotImplementedError not raised",
        # These ask for a NotImplementedError too, with arguments that are wrong in SciPy as well.
        r"TestDctDst.*type=[14].*\n.*invalid number of data points",
        r"test_i?hfft_plan.*\n.*plan must be None",
    )
)
"""Tests of what CuPy lacks."""


NUMBA = "numba_cuda/numba/cuda/tests"
COMPILER = "tests of Numba's compiler: its machine code, passes, typing rules and linker"
NUMBA_PRIVATE = tuple(
    (pattern, COMPILER)
    for pattern in (
        r"cudapy/test_(analysis|byteflow|caching|compiler|copy_propagate|debuginfo|debuginfo_types)\.py",
        r"cudapy/test_(extending|extending_types|fp8_bindings|idiv|inline|inspect|ir|ir_utils|libdevice)\.py",
        r"cudapy/test_(launch_config_sensitive|lineinfo|lto|overload|serialize|tracing|typeconv|typeinfer)\.py",
        r"test_(dump_|ptx|.*_ptx\b)",
        r"test_intrinsics\.py::TestCudaIntrinsic::test_selp|test_declare_device_cabi_propagate",
    )
)
NUMBA_INTERNAL = "|".join(
    (
        r"use inspect_types\(\) instead of",
        r"inspect_(llvm|lto_ptx|sass)|assertFileCheck|Generated by NVIDIA NVVM|__local_depot",
        r"has no attribute '(compile_device|add_overload)'",
        r"has no attribute '_(?!_)",
        r"StandIn|StructModelType|'(issue_718_)?get_42'",
        # Methods of Numba's driver that a test has put a mock in place of.
        r"Expected '\w+' to be called|Calls not found",
        # The class of errors is one of NVIDIA's bindings.
        r"assertRaisesRegex\(\) arg 1 must be an exception type",
    )
)
NUMBA_GPU_ONLY = "|".join(
    (
        r"test_ipc\.py.*\n.*cudaErrorNotSupported",
        r"test_get_(regs_per_thread|const_mem)_\w+\n.*0 not greater",
        r"test_multiprocessing\.py::TestMultiprocessing::test_fork",
    )
)
"""Memory that processes share, registers and constant memory of a kernel, a process that forks with a GPU."""


CHAINER_MARKS = "gpu and not (cudnn or multi_gpu or slow or ideep or chainerx)"
"""Which of Chainer's tests are run, by their marks."""


def cupy(name: str, what: str, *tests: str, every: int = 1, limit: int = 600) -> Suite:
    """A part of CuPy's own tests."""
    return Suite(
        name=name,
        title=f"CuPy: {what}",
        what=what,
        tests=tuple(f"tests/{path}" for path in tests),
        every=every,
        limit=limit,
        private=CUPY_PRIVATE,
        internal=CUPY_INTERNAL,
        gpu_only=CUPY_GPU_ONLY,
        missing=CUPY_MISSING,
        broken=r"Both cupy and numpy raise exceptions",
        **CUPY,
    )


SUITES: tuple[Suite, ...] = (
    cupy("cupy-core", "core", "cupy_tests/core_tests"),
    cupy(
        "cupy-arrays",
        "creation, indexing, manipulation, logic, files",
        *(
            f"cupy_tests/{name}_tests"
            for name in (
                "binary",
                "creation",
                "functional",
                "indexing",
                "io",
                "lib",
                "logic",
                "manipulation",
                "misc",
                "padding",
                "polynomial",
            )
        ),
        "cupy_tests/test_init.py",
        "cupy_tests/test_ndim.py",
        "cupy_tests/test_numpy_interop.py",
        "cupy_tests/test_type_routines.py",
        "cupy_tests/test_cublas.py",
        every=3,
    ),
    cupy("cupy-math", "math", "cupy_tests/math_tests", every=3),
    cupy("cupy-linalg", "linalg", "cupy_tests/linalg_tests", every=3),
    cupy("cupy-fft", "fft", "cupy_tests/fft_tests", every=10),
    cupy("cupy-random", "random", "cupy_tests/random_tests", every=3),
    cupy(
        "cupy-sorting",
        "sorting, statistics",
        "cupy_tests/sorting_tests",
        "cupy_tests/statistics_tests",
        every=3,
    ),
    cupy("cupy-cuda", "cuda", "cupy_tests/cuda_tests"),
    cupy("cupyx-jit", "cupyx.jit", "cupyx_tests/jit_tests"),
    cupy(
        "cupyx",
        "cupyx",
        "cupyx_tests/linalg_tests",
        "cupyx_tests/profiler_tests",
        "cupyx_tests/signal_tests",
        *(
            f"cupyx_tests/test_{name}.py"
            for name in ("cupyx", "optimize", "pinned_array", "rsqrt", "runtime", "time")
        ),
        every=3,
    ),
    cupy(
        "cupyx-fft",
        "cupyx.scipy.fft",
        *(f"cupyx_tests/scipy_tests/{n}_tests" for n in ("fft", "fftpack")),
        every=20,
    ),
    cupy(
        "cupyx-interpolate", "cupyx.scipy.interpolate", "cupyx_tests/scipy_tests/interpolate_tests", every=3
    ),
    cupy("cupyx-linalg", "cupyx.scipy.linalg", "cupyx_tests/scipy_tests/linalg_tests", every=3),
    cupy("cupyx-ndimage", "cupyx.scipy.ndimage", "cupyx_tests/scipy_tests/ndimage_tests", every=20),
    cupy("cupyx-signal", "cupyx.scipy.signal", "cupyx_tests/scipy_tests/signal_tests", every=5),
    cupy("cupyx-sparse", "cupyx.scipy.sparse", "cupyx_tests/scipy_tests/sparse_tests", every=5),
    cupy(
        "cupyx-special",
        "cupyx.scipy.special, spatial, stats",
        *(f"cupyx_tests/scipy_tests/{name}_tests" for name in ("special", "spatial", "stats")),
        every=3,
    ),
    Suite(
        "einops",
        "0.8.2",
        ("einops/tests",),
        source="installed",
        environment={"EINOPS_TEST_BACKENDS": "numpy,cupy"},
    ),
    Suite("opt_einsum", "3.4.0", ("opt_einsum/tests",), source="installed", every=3),
    Suite("autoray", "0.11.0", ("tests",), arguments=("-k", "cupy or not torch"), every=2),
    Suite("array-api-compat", "1.16.0", ("tests",), packages=("array-api-strict",)),
    Suite(
        "array-api-extra",
        "0.11.5",
        ("tests/main",),
        packages=("array-api-compat", "array-api-strict", "typing-extensions"),
        # It takes NumPy out of the imported modules, and what runs after it fails on every library.
        arguments=("--deselect", "tests/main/test_testing.py::test_import_dependencies"),
        unpack=("pyproject.toml",),
        every=2,
    ),
    Suite(
        "POT",
        "0.9.7.post1",
        ("test",),
        repository="PythonOT/POT",
        commit="aed01202",
        arguments=("--ignore=test/batch", "--ignore=test/test_helpers.py"),
        # The tests of the commit ask for what the release does not do yet.
        broken=r"semisupervised mode is not working",
    ),
    Suite(
        "pylops",
        "2.8.0",
        ("pytests",),
        unpack=("testdata",),
        environment={"TEST_CUPY_PYLOPS": "1"},
        packages=("sympy",),
        arguments=("--ignore=pytests/test_ct.py", "--ignore=pytests/test_torchoperator.py"),
        every=2,
    ),
    Suite("tensorly", "0.9.0", ("tensorly",), source="installed", environment={"TENSORLY_BACKEND": "cupy"}),
    Suite(
        "thinc",
        "9.1.1",
        ("thinc/tests",),
        source="installed",
        packages=("mock",),
        # It compares zeros with memory of NumPy's that nobody has written.
        broken=r"^assert not True",
    ),
    *(
        Suite(
            name=f"scipy-{part}",
            library="scipy",
            title=f"SciPy: {part}",
            what="cases of the cupy backend",
            version="1.18.1",
            tests=(f"scipy/{part}/tests",),
            source="installed",
            install=False,
            environment={"SCIPY_ARRAY_API": '["cupy"]'},
            arguments=("-k", "cupy"),
            packages=("pooch", "mpmath"),
            every=every,
        )
        for part, every in (
            ("special", 1),
            ("ndimage", 3),
            ("signal", 5),
            ("stats", 5),
            ("fft", 3),
            ("optimize", 1),
        )
    ),
    *(
        Suite(
            name=f"cucim-{part}",
            library="cucim",
            title=f"cuCIM: {part}",
            what="cucim.skimage",
            version="26.08",
            repository="rapidsai/cucim",
            commit="043cf754",
            unpack=("python/cucim/src/cucim", "VERSION"),
            pythonpath=("python/cucim/src",),
            tests=(f"python/cucim/src/cucim/skimage/{part}",),
            install=False,
            packages=("scikit-image==0.26.0", "lazy-loader", "click", "pooch", "psutil"),
            every=every,
        )
        for part, every in (
            ("filters", 20),
            ("measure", 5),
            ("morphology", 5),
            ("transform", 2),
            ("color", 2),
            ("exposure", 1),
        )
    ),
    Suite(
        name="numba-cuda",
        title="Numba: CUDA",
        what="cudapy, doc_examples",
        version="0.30.4",
        repository="NVIDIA/numba-cuda",
        commit="b18b944b",
        tests=tuple(f"{NUMBA}/{part}" for part in ("cudapy", "doc_examples")),
        unpack=(NUMBA,),
        install=False,
        packages=("numba==0.68.1", "cffi", "ml_dtypes", "nvidia-cuda-nvrtc"),
        plugins=("library_suites_numba",),
        private=NUMBA_PRIVATE,
        internal=NUMBA_INTERNAL,
        gpu_only=NUMBA_GPU_ONLY,
    ),
    Suite(
        name="pycuda",
        title="PyCUDA",
        version="2026.1",
        repository="inducer/pycuda",
        commit="19bed90",
        tests=("test",),
        install=False,
        packages=("pytools", "mako", "platformdirs"),
        private=((r"test_big_array|_\d+gb", "tests of arrays of 8 GB and more"),),
    ),
    *(
        Suite(
            name=f"chainer-{part}",
            library="chainer",
            title=f"Chainer: functions, {part}",
            what="functions_tests",
            version="7.8.1",
            repository="chainer/chainer",
            commit="a8e15cbe55",
            tests=(f"tests/chainer_tests/functions_tests/{part}_tests",),
            unpack=("chainer/", "chainerx/", "tests/"),
            install=False,
            packages=("six", "filelock", "mock", "typing_extensions", "protobuf", "setuptools<70"),
            plugins=("library_suites_chainer",),
            gpu_only=r"the CPU has none of NVIDIA's libraries",
            # "cuda_device_1" marks cases on a second GPU.
            arguments=("-m", CHAINER_MARKS, "-k", "not cuda_device_1"),
            every=every,
        )
        for part, every in (
            ("activation", 5),
            ("array", 5),
            ("connection", 20),
            ("loss", 10),
            ("math", 10),
            ("normalization", 20),
            ("pooling", 20),
        )
    ),
    Suite(
        "dask",
        "2026.8.0",
        tuple(
            f"dask/array/tests/test_cupy_{part}.py"
            for part in (
                "core",
                "creation",
                "gufunc",
                "linalg",
                "overlap",
                "percentile",
                "random",
                "reductions",
                "routines",
                "slicing",
                "sparse",
            )
        ),
        source="installed",
        packages=("dask[array,dataframe]",),
        what="dask/array/tests/test_cupy_*.py",
        missing=CUPY_MISSING,
    ),
    Suite("xarray", "2026.9.0", ("xarray/tests/test_cupy.py",), source="installed", packages=("pandas",)),
    Suite(
        "scikit-learn",
        "1.9.1",
        (
            "sklearn/utils/tests/test_array_api.py",
            "sklearn/utils/tests/test_extmath.py",
            "sklearn/utils/tests/test_multiclass.py",
            "sklearn/preprocessing/tests/test_data.py",
            "sklearn/decomposition/tests/test_pca.py",
            "sklearn/linear_model/tests/test_ridge.py",
            "sklearn/metrics/tests/test_common.py",
            "sklearn/mixture/tests/test_gaussian_mixture.py",
        ),
        source="installed",
        what="cases of the cupy namespace, some files",
        environment={"SCIPY_ARRAY_API": "1"},
        arguments=("-k", "array_api and cupy"),
    ),
    Suite(
        "sigpy",
        "0.1.27",
        ("tests",),
        repository="mikgroup/sigpy",
        commit="5da0e86",
        packages=("numba", "tqdm", "PyWavelets"),
        arguments=("--ignore=tests/learn", "--ignore=tests/mri"),
    ),
    Suite(
        name="cusignal",
        title="cuSignal",
        version="23.10",
        repository="rapidsai/cusignal",
        commit="136453a",
        tests=("python/cusignal/test",),
        unpack=("cpp/src", "python/cusignal"),
        pythonpath=("python",),
        install=False,
        packages=("numba", "pytest-benchmark"),
        plugins=("library_suites_cusignal",),
        # Functions that SciPy has given up since, and a reference that NumPy 2 refuses.
        broken="|".join(
            (
                r"module 'scipy\.signal' has no attribute",
                r"setting an array element with a sequence\.$|only 0-dimensional arrays can be converted",
            )
        ),
        arguments=("--benchmark-disable",),
        every=5,
        what="cusignal/test",
    ),
    Suite(
        name="qutip-cupy",
        version="0.1.0.dev0",
        repository="qutip/qutip-cupy",
        commit="bd471ca",
        tests=("tests",),
        unpack=("src/",),
        pythonpath=("src",),
        install=False,
        packages=("qutip==5.3.1",),
        plugins=("library_suites_qutip",),
    ),
    Suite(
        "stumpy",
        "1.14.1",
        (
            "tests/test_gpu_stump.py",
            "tests/test_gpu_aamp.py",
            "tests/test_gpu_mpdist.py",
            "tests/test_gpu_ostinato.py",
        ),
        unpack=("tests/",),
        packages=("numba", "pandas", "polars"),
        what="gpu_stump, gpu_aamp, gpu_mpdist, gpu_ostinato",
    ),
    Suite(
        "anndata",
        "0.12.19",
        ("tests/test_gpu.py", "tests/test_concatenate.py", "tests/test_views.py", "tests/test_helpers.py"),
        unpack=("tests/", "src/testing", "pyproject.toml"),
        pythonpath=("src",),
        packages=("awkward", "boltons", "dask[array]", "joblib", "scikit-learn", "filelock"),
        arguments=("-k", "cupy", "-o", "addopts=--import-mode=importlib -ptesting.anndata._pytest"),
        what="cases of cupy",
    ),
    Suite(
        "zarr",
        "3.1.6",
        ("tests",),
        arguments=("-m", "gpu"),
        unpack=("pyproject.toml",),
        packages=("pytest-benchmark", "pytest-asyncio", "fsspec", "numcodecs", "numpydoc", "tomlkit"),
        what="marked gpu",
    ),
    Suite(
        "datashader",
        "0.19.1",
        tuple(f"datashader/tests/test_{part}.py" for part in ("quadmesh", "transfer_functions", "xarray")),
        source="installed",
        packages=("dask[array,dataframe]", "numba"),
        arguments=("--gpu",),
        what="marked gpu, without cuDF",
    ),
    Suite(
        "ccdproc",
        "2.5.1",
        ("ccdproc",),
        source="installed",
        environment={"CCDPROC_ARRAY_LIBRARY": "cupy"},
        packages=("psutil",),
    ),
)

CAUSES: tuple[tuple[str, str], ...] = (
    (r"requires API version", "array-api-strict asks for a newer version of the standard"),
    (
        r"alternative_backends\[cupy-n?[bp]dtr[ci]?-",
        "counts beyond 32 bits, for which SciPy gives NaN or another count's value",
    ),
    (
        r"alternative_backends\[cupy-(betaln|poch)-intp",
        "integers beyond 32 bits, where SciPy gives inf or NaN",
    ),
    (r"test_dtype_tensor_init", "the library's backend makes float32 of what it is given"),
    (r"regionprops_gpu_kernels.*\n.*Not equal to tolerance", "sums of float32 that nearly cancel"),
    (r"test_hilbert2_gpu|test_lombscargle_gpu", "SciPy computes it in another way since"),
    (
        r"special_tests/test_(beta|ellipk|gamma|zeta)\.py.*\n(?s:.)*(nan|inf)",
        "infinite arguments, poles and NaN, of which SciPy makes infinity and Cuprum the limit or NaN",
    ),
    (r"_inv_cpd", "the test helpers of QuTiP 5.3 invert another matrix than these tests do"),
    (r"::test_argspec", "signatures say types, which NumPy's do not"),
    (r"TestCMath::test_log_base", "a complex64 rounded to zero, compared with a double that is not"),
    (r"caching_distiguish_custom_dtypes", "signatures know the layout of a structure, not its `align`"),
    (r"test_this_grid_is_cooperative", "a grid that does not wait for itself is launched as any other"),
    (r"TestCaCfar", "a kernel gets an array of another dtype than it declares, which Cuprum refuses"),
    (r"ncv must be k<ncv<=n, ncv=1", "CuPy takes `ncv=1`, which SciPy and Cuprum refuse"),
    (r"Test(Eigsh|Svds)::test_invalid", "`eigsh` and `svds` refuse what SciPy refuses, with its errors"),
    (
        r"int64_indices\.py.*\n(?s:.)*dtype\('int32'\)",
        "indices have int32 where it suffices, as SciPy's have; CuPy keeps int64",
    ),
    (r"TestCooMatrixDiagonal::test_setdiag", "coordinates stand in another order than SciPy's"),
    (r"TestSplu::test_spilu", "incomplete factors, which leave out other elements than SciPy's"),
    (r"test_mean_with_out", "`mean` returns `out`, SciPy another array"),
    (r"test_vectorize_arithmetic_ops", "halves are rounded after each operation, as NumPy's arrays are"),
    (r"test_ne_object", "objects with comparisons of their own meet the array, not its elements"),
    (r"TestUfunc::test_types", "`ufunc.types` lists bfloat16, and int64 once"),
    (
        r"numba_cuda/.*\n(?s:.)*(not found in|does not match|Regex didn't match)|test_target_cuda_nopython",
        "an error in other words than Numba's",
    ),
    (
        r"numba_cuda/.*\n(?s:.)*(not raised|DID NOT WARN|DID NOT RAISE|Unexpected success)",
        "Numba refuses, warns or fails, Cuprum does not",
    ),
    (r"test_const_string|bytes\d+|str\d+'", "texts as elements of arrays"),
    (r"test_transpose_view|view_transpose_device", "Numba copies what Cuprum makes a view of"),
    (r"test_ownership", "when memory is freed"),
    (r"test_dispatcher_cpointer|test_exception\.py", "reads outside of arrays, which the CPU reports"),
    (r"test_ssa\.py", "variables that are read where nothing has bound them"),
    (r"test_spawn_concurrent", "the test starts itself anew, without what stands for Numba's helpers"),
    (r"cudapy/test_complex\.py", "complex functions of NaN, where C and Python differ"),
    (r"test_enums\.py", "members of enumerations as values that a kernel chooses"),
    (r"test_optimization\.py", "the PTX that Numba writes"),
    (r"assert 'warning' in ''", "warnings of NVIDIA's compiler, which the CPU's does not give"),
    (r"test_cuDoubleComplex", "last bits of `cuCabs`"),
    (
        r"n_free_blocks|TestDLTensorMemory|memory_hooks|test_(pinned_)?memory(_hook)?\.py|allocator failed",
        "which blocks a pool keeps, and when it asks for memory",
    ),
    (r"DeviceSynchronized|TestPoly1d", "the host waits for the device, where CuPy does not"),
    (
        r"pyscalar_int_and_bool|test_pow_python_scalar|test_imag_inplace|dirichlet: alpha",
        "CuPy differs from NumPy or SciPy, which Cuprum follows",
    ),
    (r"_overwrite\[", "`overwrite_input` is left as it was"),
    (r"test_with_zero_size_array", "the address of an array without elements"),
    (r"test_2d_square|TestLinearNDInterpolator|test_find_pairs|test_approx", "ties between equal answers"),
    (
        r"DID NOT RAISE|not raised|XPASS|DID NOT WARN",
        "CuPy raises or warns, Cuprum does not: mostly it computes it",
    ),
    (r"test_SplitBregman", "a limit that the noise of a seed just meets"),
    (r"TestPadSequence.*\n.*(out of bounds|cannot hold -1)", "NumPy 2 refuses the number as well"),
    (r"cudaErrorInvalidDevice|_non_default_gpu", "several GPUs are needed"),
    (r"test/test_(ot|backend)\.py.*\nNotImplementedError", "the library's own backend for CuPy lacks it"),
    (
        r"TestVectorNorm.*ord=-[12]",
        "negative norms of sparse rows, where elements that are not stored count as zeros",
    ),
    (r"cudnn must be installed", "cuDNN is needed, which CuPy has no more"),
    (r"datashader/tests/test_xarray", "cuDF is needed"),
    (r"Backend\.argmin\(\)", "the library's own functions differ between backends"),
    (r"CupyIndices", "CuPy wraps positions that are out of bounds, Cuprum raises as NumPy does"),
    (r"Only numpy raises error", "NumPy or SciPy refuses what Cuprum computes, of float16 mostly"),
    (r"has no 'thrust'|has no 'cub'", "`cupyx.jit.thrust` and `cupyx.jit.cub` are missing"),
    (
        r"RecordArray|dtype 'void|voidN|datetime|timedelta",
        "structures and dates are no `ndarray`, and not taken everywhere",
    ),
    (r"OutOfMemory|died of signal 9", "more memory is needed than the run allows"),
    (r"NameResolutionError", "the test downloads data"),
    (r"TookTooLong", "no result within the time limit, on a busy machine"),
    (
        r"test_sparray.*1[dD]|shape must have two axes|sparse matrix has two axes",
        "sparse arrays of one dimension",
    ),
    (r"different dtypes|dtypes do not match|assert dtype", "another dtype than NumPy's, SciPy's or CuPy's"),
    (r"contiguous flag|Strides are not equal", "another layout in memory"),
    (r"Regex pattern did not match", "an error in other words"),
    (r"returned? different type|different type of return", "another type of result"),
    (r"Not equal to tolerance|Arrays are not|Mismatched elements|not almost equal", "other numbers"),
)
