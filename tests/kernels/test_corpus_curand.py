"""curand's device functions: the numbers that cuRAND itself gives, and the shape of the distributions."""

import numpy as np
import pytest
from corpus import Case, run

import cuprum as cp

STATES = {
    "xorwow": "curandStateXORWOW_t",
    "philox": "curandStatePhilox4_32_10_t",
    "mrg32k3a": "curandStateMRG32k3a_t",
}

# What cuRAND 10.4 prints, in hexadecimal: generator, seed, sequence, offset; curand, curand_uniform,
# curand_uniform_double, curand_normal, curand_normal_double, after skipahead(1000003), after one number and
# skipahead_sequence(77); curand_poisson of 3 and of 5000, in decimal.
KNOWN = [
    ("xorwow", 0, 0, 0,
     "bd7f03b6 703e556d 845af0c5 283067fd", "3f3d7f04 3ee07cab", "3fdc0f9421be076d 3fc41831efebc316",
     "3e95c75b bf37e660", "3ff122e78d14180c 3fe6abc68024cf7c 3ff173430998fa8a", "7c5e94ac 9a29fcad",
     "f4805747 f08a2e52", "3 1 2 4", "5076 5050"),
    ("philox", 0, 0, 0,
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8", "3ecc4fd2 3f6169c6", "3fd989fa35800000 3fec2d38b1c00000",
     "bf6cb6ad 3f7dbb30", "bfd3dd8613bc203a bfd97360dc4ab0f5 3fd511c9c2dc0cf4", "ad59679e b8a50675",
     "fe2ff666 be26335b", "6 0 0 1", "4978 4972"),
    ("mrg32k3a", 0, 0, 0,
     "2083cd07 518b05c4 4f26d091 d36ab334", "3e020f34 3ea3160c", "3fc041e683c5cd32 3fd462c171249fee",
     "3fec4c1d bf591197", "3ffd89839e5b718f bfeb22333da76865 bff5c89b05cd4189", "b5ee75cc bedd7bfc",
     "f7882d3e 669e2c07", "1 3 2 4", "5131 4940"),
    ("xorwow", 1234, 1, 0,
     "d1f7605a ed29ae49 83030ed9 899fbaf4", "3f51f760 3f6d29ae", "3feda53518d7605a 3fe133f7dd830eda",
     "be8fcb67 3f104495", "bfb76c3e15c318a5 bfd853de628f3853 c005aac7e68c4160", "e595df33 5a18ba4b",
     "d7ab5206 1837645e", "5 2 1 7", "4994 4973"),
    ("philox", 1234, 1, 0,
     "d115a128 52fc7c75 c7f33f17 0f1539db", "3f5115a1 3ea5f8f9", "3fea22b425200000 3fd4bf1f1d800000",
     "3f118647 be9260fe", "3fe160b494276644 3ff6639d59125b33 bfcdca93b6a9ba2e", "1ebcf59f 14418927",
     "66f15376 57cb2181", "3 0 1 2", "5038 5099"),
    ("mrg32k3a", 1234, 1, 0,
     "26f0d612 ac5068d7 a3dbc910 8fa62437", "3e1bc358 3f2c5069", "3fc3786b09654f63 3fe58a0d1af5b4b3",
     "bfdbf8ff bf66d00c", "bffb7f1fab5cbf8d bfecda02b85eee3b bfd6a7640b825f07", "30833f54 07086f9f",
     "7e29d039 35cb3c72", "3 3 1 2", "4878 4936"),
    ("xorwow", 1234, 5, 3,
     "615a80aa 51410e03 a11b89e5 b0335a0d", "3ec2b501 3ea2821c", "3fd4504342750155 3fe6066be0bb89e6",
     "3fa244c9 bf124940", "bff670aa0a93b74d bfe254dfebea7a03 3fe25eeb3bce58c1", "e6859a8b ee8aef1d",
     "ba8be233 212a2d3a", "4 2 2 3", "4901 4959"),
    ("philox", 1234, 5, 3,
     "bd95acc8 5c5cf6f4 3fc0ce58 32773955", "3f3d95ad 3eb8b9ee", "3fe7b2b599200000 3fd7173dbd400000",
     "3f183ea7 befe76a2", "3ff598f3c1de629d 3fddcd291df3528f 3fd9f3248ca5b03d", "877b990a 0dec00d4",
     "1350f875 cc1add99", "3 3 3 3", "5095 5033"),
    ("mrg32k3a", 1234, 5, 3,
     "6932a3f4 469dd3a1 f21d797b 5d647078", "3ed26548 3e8d3ba7", "3fda4ca8fd3895f7 3fd1a774e869b672",
     "3fa876a6 be5ccd9b", "3ff50ed4c92ab889 bfcb99b6813f6f13 3fd00c844fc27202", "7bfd3ab2 c3434ad7",
     "b0377888 80767f30", "3 2 4 3", "5093 4985"),
    ("xorwow", 42, 123456, 99,
     "45627807 1bd107e7 f78cc2c5 732a90a3", "3e8ac4f0 3dde883f", "3fbbd105cc13c03c 3fdccaa5c7d9858b",
     "3f827da3 3fa078bf", "3fe4e32338fac86e c00006ac5a333f2d 3ff87ff5c0622b42", "dbaf2245 ea4a980a",
     "fc0bb7e5 d66b1c53", "1 4 2 4", "5046 4858"),
    ("philox", 42, 123456, 99,
     "06606e85 8c159168 90179285 cee080fa", "3ccc0dd1 3f0c1591", "3f9981ba18000000 3fe182b22d200000",
     "bf4b5313 c0265444", "bff0695fa13a33c9 3fd91863b7fd5fe3 3ff31c667a9d1c5c", "dab56e5b 41033029",
     "dc093aa8 e40fb5a5", "0 3 2 5", "4927 5028"),
    ("mrg32k3a", 42, 123456, 99,
     "489bfcb2 f937b809 8536cea9 45d31098", "3e9137f9 3f7937b8", "3fd226ff2c91d654 3fef26f7012ecfa9",
     "be86ada3 3fc86440", "bfd0d5b35404d681 3ff90c8814d9b124 3ff219f49e50ae7d", "5f99ca8b d7c67bfe",
     "7affa97c f97bab27", "3 2 5 2", "4981 5111"),
    ("xorwow", 244837814094590, 4294967313, 12345678901,
     "bf2ef6c5 d40f5871 94316b4d 545bd35f", "3f3f2ef7 3f540f58", "3fea81ebb10ef6c6 3fd516f5ffa2d69b",
     "bf2c61d9 3eb8eed2", "3fe13cb0d1587ab4 bfd2d1a72bb3a28e c0061e448cd0909a", "a1e9d315 021d0bdf",
     "7eef62bc d359c28f", "5 2 2 1", "5038 4979"),
    ("philox", 244837814094590, 4294967313, 12345678901,
     "a329a874 cf3520bf ef348f22 c497a557", "3f2329a8 3f4f3521", "3fe465350ea00000 3fe9e6a418000000",
     "bf623fc5 3eb13364", "bfe4ad9829955a38 3fb2b98c69fc3a66 3fe0ac98d66abf90", "b779c38e c13e5908",
     "5cd05859 36c76fb9", "4 5 2 2", "4954 5005"),
    ("mrg32k3a", 244837814094590, 4294967313, 12345678901,
     "ebd42ef8 ea0fe91e 6bad3467 d33ba337", "3f6bd42f 3f6a0fe9", "3fed7a85df11074c 3fed41fd23c2dfab",
     "be54bdef 3eb215a9", "bfca97bd478e03c6 3fd642b57fcd9b94 bff2c12b29993bee", "6f3deb26 1a47c8e2",
     "814b1e71 b61a64b0", "6 2 3 2", "4985 5025"),
]  # fmt: skip

CODE = """#include <curand_kernel.h>
extern "C" __global__ void known(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                 unsigned* u, float* f, double* d, unsigned* p) {
    STATE s;
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 4; ++i) u[i] = curand(&s);
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 2; ++i) f[i] = curand_uniform(&s);
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 2; ++i) d[i] = curand_uniform_double(&s);
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 2; ++i) f[2 + i] = curand_normal(&s);
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 3; ++i) d[2 + i] = curand_normal_double(&s);
    curand_init(seed, sequence, offset, &s);
    skipahead(1000003ull, &s);
    for (int i = 0; i < 2; ++i) u[4 + i] = curand(&s);
    curand_init(seed, sequence, offset, &s);
    curand(&s);
    skipahead_sequence(77ull, &s);
    for (int i = 0; i < 2; ++i) u[6 + i] = curand(&s);
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 4; ++i) p[i] = curand_poisson(&s, 3.0);
    curand_init(seed, sequence, offset, &s);
    for (int i = 0; i < 2; ++i) p[4 + i] = curand_poisson(&s, 5000.0);
}"""


def words(*texts):
    return np.array([int(word, 16) for text in texts for word in text.split()], np.uint64)


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: "-".join(map(str, row[:4])))
def test_numbers_of_curand(row):
    """Words and uniform numbers to the bit; normal numbers to the digits that a GPU's fast sine leaves."""
    (
        generator,
        seed,
        sequence,
        offset,
        u32,
        uniform,
        uniform64,
        normal,
        normal64,
        skip,
        skip_sequence,
        small,
        large,
    ) = row
    u, f = cp.zeros(8, dtype=np.uint32), cp.zeros(4, dtype=np.float32)
    d, p = cp.zeros(5, dtype=np.float64), cp.zeros(6, dtype=np.uint32)
    kernel = cp.RawKernel(CODE.replace("STATE", STATES[generator]), "known")
    kernel((1,), (1,), (np.uint64(seed), np.uint64(sequence), np.uint64(offset), u, f, d, p))
    np.testing.assert_array_equal(cp.asnumpy(u), words(u32, skip, skip_sequence))
    np.testing.assert_array_equal(cp.asnumpy(f)[:2], words(uniform).astype(np.uint32).view(np.float32))
    np.testing.assert_array_equal(cp.asnumpy(d)[:2], words(uniform64).view(np.float64))
    np.testing.assert_allclose(
        cp.asnumpy(f)[2:], words(normal).astype(np.uint32).view(np.float32), rtol=1e-5, atol=1e-6
    )
    np.testing.assert_allclose(cp.asnumpy(d)[2:], words(normal64).view(np.float64), rtol=1e-14, atol=1e-15)
    np.testing.assert_array_equal(cp.asnumpy(p), [int(x) for x in (small + " " + large).split()])


N = 4096
DISTRIBUTIONS = {
    "curand_uniform": (0.5, 1 / 12**0.5),
    "curand_uniform_double": (0.5, 1 / 12**0.5),
    "curand_normal": (0.0, 1.0),
    "curand_normal_double": (0.0, 1.0),
    "curand_log_normal": (np.exp(0.125 / 4), None),
    "curand_poisson": (100.0, 10.0),
}
ARGUMENTS = {"curand_log_normal": ", 0.0f, 0.25f", "curand_poisson": ", 100.0"}


@pytest.mark.parametrize("generator", STATES)
@pytest.mark.parametrize("function", DISTRIBUTIONS)
def test_distribution(function, generator):
    """Mean and spread of a sequence for each thread, within five standard errors."""
    code = f"""#include <curand_kernel.h>
    extern "C" __global__ void draw(double* out, int each) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        {STATES[generator]} state;
        curand_init(2026, i, 0, &state);
        for (int k = 0; k < each; ++k) out[i * each + k] = {function}(&state{ARGUMENTS.get(function, "")});
    }}"""
    out = cp.zeros(N, dtype=np.float64)
    cp.RawKernel(code, "draw")((4,), (64,), (out, np.int32(N // 256)))
    got = cp.asnumpy(out)
    mean, spread = DISTRIBUTIONS[function]
    assert abs(got.mean() - mean) < 5 * got.std() / N**0.5
    if spread:
        assert abs(got.std() / spread - 1) < 5 / (2 * N) ** 0.5 * 1.5
    assert len(np.unique(got)) > (30 if function == "curand_poisson" else N - 10)


def test_states_in_global_memory():
    """The way of most programs: states are set up by one kernel and used by another."""
    module = cp.RawModule(
        code="""#include <curand_kernel.h>
        extern "C" __global__ void set_up(curandState* states, unsigned long long seed) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            curand_init(seed, i, 0, &states[i]);
        }
        extern "C" __global__ void count_inside(curandState* states, int* inside, int tries) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            curandState local = states[i];
            int hits = 0;
            for (int k = 0; k < tries; ++k) {
                float x = curand_uniform(&local), y = curand_uniform(&local);
                hits += x * x + y * y <= 1.0f;
            }
            states[i] = local;
            atomicAdd(inside, hits);
        }
        extern "C" __global__ void state_size(int* out) { *out = sizeof(curandState); }"""
    )
    size = cp.zeros(1, dtype=np.int32)
    module.get_function("state_size")((1,), (1,), (size,))
    assert int(cp.asnumpy(size)[0]) == 48
    states, inside = cp.zeros(48 * 128, dtype=np.uint8), cp.zeros(1, dtype=np.int32)
    module.get_function("set_up")((2,), (64,), (states, np.uint64(7)))
    count = module.get_function("count_inside")
    count((2,), (64,), (states, inside, np.int32(100)))
    first = int(cp.asnumpy(inside)[0])
    count((2,), (64,), (states, inside, np.int32(100)))
    second = int(cp.asnumpy(inside)[0]) - first
    assert first != second
    assert abs((first + second) / 25600 - np.pi / 4) < 0.015


def test_four_at_once():
    run(
        Case(
            """#include <curand_kernel.h>
            extern "C" __global__ void four(unsigned* out, float* uniform) {
                curandStatePhilox4_32_10_t a, b;
                curand_init(1, 31, 0, &a);
                curand_init(1, 31, 0, &b);
                curand(&a);
                uint4 v = curand4(&a);
                out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;
                float4 f = curand_uniform4(&b);
                uniform[0] = f.x; uniform[1] = f.y; uniform[2] = f.z; uniform[3] = f.w;
            }""",
            lambda: [np.zeros(4, np.uint32), np.zeros(4, np.float32)],
            lambda out, uniform: {
                0: words("342cb182 82da5430 aef1f8fe c14004be"),
                1: words("3ebfdd6a 3e50b2c6 3f02da54 3f2ef1f9").astype(np.uint32).view(np.float32),
            },
            block=(1,),
        )
    )
