// curand's generators: XORWOW, Philox4x32-10 and MRG32k3a, with cuRAND's seeding, sequences and skips.
#ifndef __CUPRUM_CURAND_STATES_H
#define __CUPRUM_CURAND_STATES_H

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

__device__ inline unsigned int curand(curandStateXORWOW* state) {
    unsigned int t = state->v[0] ^ (state->v[0] >> 2);
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
    state->d += 362437;
    return state->v[4] + state->d;
}

// x to the power of digit * 16^place * 2^67 modulo the polynomial of XORWOW's shift register, by place and digit (from
// 1): a sequence begins 2^67 steps after the one before it.
static __constant__ const unsigned int __cuprum_xorwow_jumps[600] = {
    0x26294934u, 0x77bbc248u, 0x1a87dad0u, 0x930052d4u, 0x947e6dd2u, 0x5f39c379u, 0x95e20ba6u, 0x20e9ff72u, 0x1244ce5eu, 0xe8fd228fu,
    0xd34e34c8u, 0x63486aa2u, 0x7ff96712u, 0xb90b6c6fu, 0x02756bc3u, 0xa7474d19u, 0x37c549e0u, 0x140877d2u, 0x24c43924u, 0xcd52ebecu,
    0x7d3f439fu, 0xf2102b15u, 0xaf1bed4bu, 0xf6f1cfecu, 0x1982ad53u, 0x355e3fb6u, 0x29467127u, 0x7954e427u, 0xd3a177ebu, 0x65a68842u,
    0xe8f8402fu, 0x251607a4u, 0x973ac23cu, 0xb54f78fcu, 0x0e384edcu, 0xe0360ec5u, 0xb1c96c24u, 0xdbb91766u, 0x666ff5dcu, 0xf19a7e52u,
    0xf4688790u, 0x150b7bd8u, 0xd8a4058bu, 0xa544e815u, 0x84f3cbe0u, 0x376a36a3u, 0x893d50f9u, 0x3cca775cu, 0x94188f5fu, 0x1f7c8c1cu,
    0x6876703bu, 0xae8bcf58u, 0xeb4934b3u, 0xbe2cf977u, 0xe6c88e5au, 0xc7d2569fu, 0xcea9dca7u, 0x343a9caau, 0x9c4f3af0u, 0xaf3023c5u,
    0x4860ac12u, 0x281a7616u, 0x95ec5753u, 0x3b99123du, 0x299eb019u, 0xc1e1cee4u, 0x8773de1cu, 0xef0edcaau, 0x957d6eccu, 0x6ca6ef04u,
    0x0a8843f8u, 0x3c8b03b2u, 0x2a9df47du, 0xa3aee006u, 0xd33edbb5u, 0xfcc8f692u, 0x35aa698au, 0x04ebbf85u, 0x448304b0u, 0x082f3fd5u,
    0x48c289bdu, 0xe851cf98u, 0x845ad581u, 0xfd70752au, 0x2c3e63f6u, 0x1e21ea90u, 0x66483ba4u, 0x367e8d5au, 0x354ec274u, 0xc46eebcfu,
    0xe502f5b3u, 0x77859d31u, 0x97e1cbb3u, 0xea09047au, 0x61d5f37eu, 0x1cee85c5u, 0x5e20b31au, 0xae442891u, 0xda5c599eu, 0x2b5aa0ddu,
    0x09979962u, 0xf7a2c5d6u, 0x82c38e48u, 0x80127a42u, 0xf08a08b1u, 0x5ec46d26u, 0xd29b6df8u, 0x199a9d07u, 0x338f779eu, 0xa948f8a9u,
    0xb89326d0u, 0x5a8655a9u, 0xfb6e98f5u, 0x02102162u, 0x7e6fcf6fu, 0xcb2fec0eu, 0x515a7310u, 0x4f28da5au, 0x34eef0e3u, 0x84aaaa48u,
    0x757560fbu, 0x0383e791u, 0xdff3e8acu, 0x40eed643u, 0x6576f7aau, 0xfe9fb37du, 0xa4b61dc1u, 0xac099770u, 0x4f3b098bu, 0x174cfea2u,
    0xb67196a6u, 0x52d14ef3u, 0xf4b8b94du, 0x8dd71586u, 0x8c7c93b9u, 0xbe76bf2au, 0xafa4810au, 0x739ddda6u, 0x0afca9a7u, 0x38c9742fu,
    0xa55bf292u, 0x2ad932b8u, 0x2a078539u, 0x84515a78u, 0x83ce2623u, 0x673c6826u, 0x7970589bu, 0x50c4b02eu, 0xf5833b5bu, 0xba027595u,
    0xb3a15db4u, 0xc6df3330u, 0x1a8be751u, 0xf1e4b221u, 0x6bb61c05u, 0x133de1d0u, 0x361e4422u, 0xc6131fcfu, 0xd9719f45u, 0x9658a164u,
    0x1cc3f658u, 0x7367a8cdu, 0x2de525a8u, 0x3d325bb2u, 0x11840690u, 0x19e2bee8u, 0xf8974218u, 0x4e65536au, 0xa2570336u, 0xe9b88082u,
    0x9670b020u, 0xc8a19ceau, 0x6f9a91ddu, 0x88ff33feu, 0xfcacb8ceu, 0x27c4ed23u, 0x2ec72ef3u, 0x9e4baf39u, 0x9ef3a344u, 0xc8f4977au,
    0x00f5736eu, 0xabfc9507u, 0xa647616eu, 0xb6902babu, 0xc732b131u, 0x7863644bu, 0x2a21ce84u, 0x112e86f1u, 0xed01ce0eu, 0xba143e84u,
    0x5f388f5du, 0x8449c123u, 0x0a764122u, 0x56985ea6u, 0x1546a43du, 0x28b544d7u, 0x6d34c95fu, 0x159159a7u, 0x993487c7u, 0x43b9e8a5u,
    0x35662364u, 0xf51d2ce2u, 0x304a7885u, 0x1c7fce4du, 0x918fab4au, 0xb6413ee8u, 0x465624d8u, 0xbef4cb2bu, 0x5e4f8afau, 0x7bca03cdu,
    0x5d5db0edu, 0xcc749900u, 0x1f667c65u, 0xdef695d4u, 0x24433877u, 0xbc9909a5u, 0x75353d5eu, 0x09d6f85au, 0x0544302du, 0xbaf6e3b8u,
    0x14c50bb1u, 0x659d7c53u, 0xdf8d6524u, 0x23f1cc03u, 0x93dfcf0au, 0x0e2cae2eu, 0xd1011279u, 0x58923768u, 0x2bf650bau, 0xc985bcdau,
    0x213a286au, 0x6596b510u, 0x6fc10eaeu, 0x38a13547u, 0x11c7749eu, 0xcbac929eu, 0x0575f836u, 0x676f5c22u, 0xfd7e35afu, 0x6c6d186bu,
    0x146281e7u, 0xa45b4452u, 0xafa8c695u, 0x74a0ac94u, 0x4b250e0au, 0x7cc3a30du, 0x7af6aba9u, 0xb76a95b5u, 0x7ede6bf3u, 0x73ca3ea2u,
    0x0866032au, 0xcb8fbd43u, 0x434a2e25u, 0x76eaae6bu, 0x13033bc8u, 0x5bdf8040u, 0x819445feu, 0x8e1b4143u, 0x8fcbd027u, 0xb6d68447u,
    0x2306bc52u, 0x790f3b4cu, 0x2fe473b9u, 0xbc81d7c0u, 0x093efe98u, 0xbbf96040u, 0x378d69edu, 0x818e3afdu, 0xc933a401u, 0xe1b3bd35u,
    0xe56a37b5u, 0x7fbf623fu, 0xb65ee777u, 0x33ea8847u, 0xda382be9u, 0x5b985de7u, 0xbc7a8575u, 0xd49fdfc0u, 0xaceac3d0u, 0xabcc7c87u,
    0xdb2cf4c2u, 0xb49a5412u, 0x5c88dea9u, 0xd999bf6cu, 0xffe7924eu, 0xa608a919u, 0xc837eb1du, 0xacb40874u, 0x30685f3eu, 0x5071b091u,
    0x6dda9fe0u, 0x9173054bu, 0x9e61560au, 0x134264a2u, 0xccaaed2cu, 0x104ecff0u, 0x2d271e74u, 0x8406da7au, 0x5258916du, 0x7e87f982u,
    0x89658c8bu, 0xf3914315u, 0xa73fe84bu, 0x3c5fadb6u, 0xadba8dd6u, 0x09e49814u, 0x09caf5edu, 0x6b2460d9u, 0x1b9981c1u, 0x2d1fefc3u,
    0x1b72a881u, 0xb619f896u, 0x603a2235u, 0x8d2ca625u, 0x559de460u, 0x82161afcu, 0x9bb13c55u, 0xfd20d7fbu, 0x306d90b9u, 0x92bf386fu,
    0xca66184au, 0x6299ca61u, 0xae3c32a9u, 0x99a6cc87u, 0x40b0f39au, 0x8ccd8163u, 0xf070a30bu, 0x2feefdfeu, 0x629b913fu, 0xb6975a83u,
    0xc1c49e3au, 0x109d21ebu, 0xcda8bcb3u, 0xafd9c7f4u, 0xed5adb7fu, 0x96d32350u, 0x0e081864u, 0x69faa798u, 0xe7faecf5u, 0xf1f951beu,
    0xc33a1aebu, 0x8eded95du, 0x0f0e46a7u, 0x4f9678e8u, 0x07d8d054u, 0x98e95e7fu, 0x667dc737u, 0x64ae2cf0u, 0xea54c93cu, 0xe7950d2fu,
    0xd33bd04au, 0x8392df1du, 0xbda9d2f0u, 0xc848a1f1u, 0x7adbff83u, 0x6cbc8b00u, 0x73322d91u, 0xdb17aeefu, 0xc7105b26u, 0x6f38b0f6u,
    0x0cd8c49au, 0xdedd6558u, 0x798fd1acu, 0x88e9aae4u, 0xfdacfedcu, 0x75e00c9du, 0x63a1fbe1u, 0x68fc10b1u, 0x2dc0b63eu, 0x948954b0u,
    0x13778e95u, 0x93c4617fu, 0x26e51387u, 0x92131debu, 0x8fbe653fu, 0x3e9058c1u, 0x71da9705u, 0xe2cb1f2bu, 0x73456536u, 0xbd6501b6u,
    0x990ffc6eu, 0xbfdd1b5du, 0xc83e520bu, 0xe972936au, 0xac79abb9u, 0xdcb155ecu, 0x4b5b5d45u, 0x2222715au, 0xbe2235fau, 0xe4bff931u,
    0xb1321eb5u, 0xb06d01a2u, 0x51532012u, 0x8fb59962u, 0x141d3b0bu, 0x150bee4du, 0x0a61ef33u, 0x0a41a5b7u, 0x775a13ebu, 0x7a962eadu,
    0xcf7f11cbu, 0xad15bd20u, 0x8372f3c1u, 0xb4269d32u, 0xa48aa819u, 0x1aae3b61u, 0xf8fcce1au, 0xf6ae1a8du, 0x1665c847u, 0x64f810e2u,
    0x3257dfe1u, 0xd8a3d601u, 0x3a58c735u, 0x845f36e4u, 0x0112c611u, 0x4401b7f5u, 0xcf563d0eu, 0x6f30ef08u, 0x20816d32u, 0x9858474eu,
    0x734ad464u, 0xefbfcd4du, 0x2500e2ddu, 0x4d7f98e2u, 0xeed58906u, 0xc85f44eau, 0x6fd3a343u, 0xa67e2d57u, 0x55b21b74u, 0x094760a3u,
    0x469fe933u, 0xc29c7777u, 0x81817897u, 0x91617dc6u, 0x09dc30abu, 0x7c55b733u, 0xe41b8a39u, 0x5d686b89u, 0xcd14207eu, 0x216e723au,
    0x90cdeaeau, 0xe1d76675u, 0x5268bf34u, 0x6c0489edu, 0x5a280facu, 0xe82884cau, 0x51c67537u, 0xceac05ebu, 0xe72a12acu, 0xda5a9615u,
    0xa0ffe9a4u, 0xf57be00eu, 0xe706880cu, 0x191211efu, 0xee5664fbu, 0x9a3385b8u, 0xc540c30au, 0xb241d1e0u, 0x00626569u, 0x6b355fe9u,
    0xc8139887u, 0x7b216bcfu, 0xa60fba6au, 0x6e216202u, 0x8b0ce5f8u, 0xe129d45du, 0xac3e698bu, 0xd61f79fdu, 0x7a72a28bu, 0x7f4942beu,
    0xe84b5766u, 0x60c27757u, 0x75275466u, 0xf8066612u, 0xc99a1ba0u, 0x050eaa91u, 0xa94e26a7u, 0xff9f5d73u, 0x2b79af77u, 0x8757f842u,
    0x76eceb76u, 0xd80e12bcu, 0x9e0b6674u, 0x585f902cu, 0x2d683e65u, 0x612501bbu, 0xae7b767du, 0xaa66c165u, 0x09bfaf8eu, 0x3e55c16du,
    0x2a3985beu, 0xa4738272u, 0x588194feu, 0x5583b64fu, 0x270814cdu, 0xfe5927e1u, 0xb6dec04bu, 0x3ee52923u, 0x0338a81fu, 0x029d8892u,
    0xf6378fe3u, 0x96188228u, 0x1012e89fu, 0x1363fd1au, 0xbba5e270u, 0x81756d99u, 0x1e3ceb25u, 0x861dbffau, 0xe5c81156u, 0x01e71d79u,
    0x23b9d403u, 0xa058d983u, 0xee527319u, 0x0117e43cu, 0x75478e2fu, 0xef3371bbu, 0xba206287u, 0x4588488eu, 0x855d8620u, 0xde3b16acu,
    0x86d0c0b3u, 0x54ac9d88u, 0xd143df20u, 0x8a8045bbu, 0x8c076eb4u, 0x874e26a7u, 0x33bc5a47u, 0xad95cba5u, 0x67651c39u, 0xf1f07dcau,
    0xb5ed0732u, 0x30e7a573u, 0x5c056714u, 0x2304f8fau, 0xebc584e1u, 0x1785b389u, 0x73f1fd00u, 0x369ceae0u, 0xdc47f6ddu, 0x906d9421u,
    0x4b324c2eu, 0x2bdcc5a0u, 0x53eb4240u, 0xcac4fbc1u, 0x13e529e7u, 0x1d42af3du, 0x9a323069u, 0x3699b897u, 0x3fe0837du, 0x0f73a147u,
    0x1ea25908u, 0x838bf02du, 0x4b070d0bu, 0x663a99d6u, 0x3c2c64dfu, 0xef9b4ed0u, 0xda8fa4dfu, 0xce2ad97du, 0x7a46c295u, 0xfc845b07u,
    0xe1683e38u, 0xa2339994u, 0x7308a647u, 0xc7c3f0b1u, 0x4a3dcd33u, 0x38e5ef5bu, 0x235223f1u, 0x779f2efbu, 0x0bd7ab64u, 0x76bf4c1eu,
    0x3888bb68u, 0xd05973afu, 0x88dc5b64u, 0x55304dc2u, 0x3234cfd1u, 0x9a35e752u, 0xf42e63bdu, 0x06a178d9u, 0x1f90e83fu, 0xac09eb47u,
    0x4551732fu, 0x37b313bfu, 0x126ac783u, 0xde52f9d4u, 0xfe5c05fcu, 0x6129a8e4u, 0x30ec2d9du, 0x12601682u, 0xf9d9fd57u, 0xffdbfdf6u,
    0x800cc5b5u, 0xb5fd2d04u, 0x70c494ecu, 0x6686a423u, 0xfb550f9eu, 0x0ee325f2u, 0x1c079e58u, 0x4be88c91u, 0xd010b706u, 0x568d8a3du,
};
// The polynomial without its leading term, x^160.
static __constant__ const unsigned int __cuprum_xorwow_polynomial[5] = {0x00060001u, 0x08610030u, 0x00062121u,
                                                                        0x0f3c0035u, 0x00000f0eu};

// Steps the register as often as the exponent of the power of x that `power` is the rest of.
__device__ inline void __cuprum_xorwow_jump(curandStateXORWOW* state, const unsigned int* power) {
    unsigned int a = 0, b = 0, c = 0, d = 0, e = 0;
    unsigned int v0 = state->v[0], v1 = state->v[1], v2 = state->v[2], v3 = state->v[3], v4 = state->v[4];
    for (int word = 0; word < 5; ++word) {
        unsigned int bits = power[word];
        for (int i = 0; i < 32; ++i) {
            unsigned int mask = 0u - (bits >> i & 1u);
            a ^= v0 & mask;
            b ^= v1 & mask;
            c ^= v2 & mask;
            d ^= v3 & mask;
            e ^= v4 & mask;
            unsigned int t = v0 ^ (v0 >> 2);
            v0 = v1;
            v1 = v2;
            v2 = v3;
            v3 = v4;
            v4 = (v4 ^ (v4 << 4)) ^ (t ^ (t << 1));
        }
    }
    state->v[0] = a;
    state->v[1] = b;
    state->v[2] = c;
    state->v[3] = d;
    state->v[4] = e;
}

// result = a * b modulo the polynomial; `result` may be `a` or `b`.
__device__ inline void __cuprum_xorwow_multiply(unsigned int* result, const unsigned int* a, const unsigned int* b) {
    unsigned int shifted[5], sum[5] = {0, 0, 0, 0, 0};
    for (int k = 0; k < 5; ++k) shifted[k] = a[k];
    for (int i = 0; i < 160; ++i) {
        unsigned int mask = 0u - (b[i / 32] >> (i % 32) & 1u), top = 0u - (shifted[4] >> 31);
        for (int k = 0; k < 5; ++k) sum[k] ^= shifted[k] & mask;
        for (int k = 4; k >= 0; --k) {
            shifted[k] = (shifted[k] << 1 | (k > 0 ? shifted[k - 1] >> 31 : 0u)) ^ (__cuprum_xorwow_polynomial[k] & top);
        }
    }
    for (int k = 0; k < 5; ++k) result[k] = sum[k];
}

// Jumps by `base` taken n times.
__device__ inline void __cuprum_xorwow_jump_by(curandStateXORWOW* state, const unsigned int* base, unsigned long long n) {
    unsigned int square[5], power[5] = {1, 0, 0, 0, 0};
    for (int k = 0; k < 5; ++k) square[k] = base[k];
    for (; n != 0; n >>= 1) {
        if (n & 1) __cuprum_xorwow_multiply(power, power, square);
        __cuprum_xorwow_multiply(square, square, square);
    }
    __cuprum_xorwow_jump(state, power);
}

__device__ inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
    if (n < 256) {
        for (; n != 0; --n) curand(state);
        return;
    }
    const unsigned int one_step[5] = {2, 0, 0, 0, 0};
    __cuprum_xorwow_jump_by(state, one_step, n);
    state->d += 362437u * (unsigned int)n;
}

__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
    // The counter d comes round many times within a sequence: it stays.
    for (int place = 0; place < 8; ++place) {
        unsigned int digit = (unsigned int)(n >> (4 * place)) & 15u;
        if (digit != 0) __cuprum_xorwow_jump(state, __cuprum_xorwow_jumps + 5 * (15 * place + digit - 1));
    }
    if (n >> 32 != 0) {
        // x to the power of 2^99.
        const unsigned int far[5] = {0x5fe4b704u, 0xd77445c3u, 0xb80eeb3cu, 0x6720fc6du, 0x7da33f71u};
        __cuprum_xorwow_jump_by(state, far, n >> 32);
    }
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                   curandStateXORWOW* state) {
    unsigned int low = (unsigned int)seed ^ 0xaad26b49u, high = (unsigned int)(seed >> 32) ^ 0xf7dcefddu;
    unsigned int t0 = 1099087573u * low, t1 = 2591861531u * high;
    state->d = 6615241u + t1 + t0;
    state->v[0] = 123456789u + t0;
    state->v[1] = 362436069u ^ t0;
    state->v[2] = 521288629u + t1;
    state->v[3] = 88675123u ^ t1;
    state->v[4] = 5783321u + t0;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__device__ inline uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
    for (int round = 0; round < 10; ++round) {
        unsigned int high0 = __umulhi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
        unsigned int high1 = __umulhi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}

// Adds to the counter of 128 bits, from its lower or its upper half on.
__device__ inline void __cuprum_philox_add(curandStatePhilox4_32_10* state, unsigned long long n) {
    unsigned long long low = (unsigned long long)state->ctr.y << 32 | state->ctr.x, sum = low + n;
    state->ctr.x = (unsigned int)sum;
    state->ctr.y = (unsigned int)(sum >> 32);
    if (sum < low && ++state->ctr.z == 0) ++state->ctr.w;
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
    unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned int)high;
    state->ctr.w = (unsigned int)(high >> 32);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
    state->STATE += (unsigned int)n & 3u;
    n /= 4;
    if (state->STATE > 3) {
        ++n;
        state->STATE -= 4;
    }
    __cuprum_philox_add(state, n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                   curandStatePhilox4_32_10* state) {
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
__device__ inline unsigned int __cuprum_philox_word(uint4 v, unsigned int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}
__device__ inline unsigned int curand(curandStatePhilox4_32_10* state) {
    unsigned int result = __cuprum_philox_word(state->output, state->STATE);
    if (++state->STATE == 4) {
        __cuprum_philox_add(state, 1);
        state->output = curand_Philox4x32_10(state->ctr, state->key);
        state->STATE = 0;
    }
    return result;
}
// Four words at once: the rest of this block and the beginning of the next.
__device__ inline uint4 curand4(curandStatePhilox4_32_10* state) {
    uint4 old = state->output;
    __cuprum_philox_add(state, 1);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    uint4 next = state->output;
    if (state->STATE == 0) return old;
    if (state->STATE == 1) return make_uint4(old.y, old.z, old.w, next.x);
    if (state->STATE == 2) return make_uint4(old.z, old.w, next.x, next.y);
    return make_uint4(old.w, next.x, next.y, next.z);
}

struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

// The next number, from 1 to 4294967087.
__device__ inline unsigned int __cuprum_mrg_next(curandStateMRG32k3a* state) {
    const unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
    unsigned long long p1 = (1403580ull * state->s1[1] + 810728ull * (m1 - state->s1[0])) % m1;
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = (unsigned int)p1;
    unsigned long long p2 = (527612ull * state->s2[2] + 1370589ull * (m2 - state->s2[0])) % m2;
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = (unsigned int)p2;
    return (unsigned int)(p1 > p2 ? p1 - p2 : p1 + m1 - p2);
}
__device__ inline unsigned int curand(curandStateMRG32k3a* state) {
    return (unsigned int)((double)__cuprum_mrg_next(state) * 1.000000048662);
}

// state = matrix^n * state, modulo m; the matrix is lost.
__device__ inline void __cuprum_mrg_jump(unsigned int* state, unsigned long long* matrix, unsigned long long n,
                                         unsigned long long m) {
    for (; n != 0; n >>= 1) {
        if (n & 1) {
            unsigned long long x = state[0], y = state[1], z = state[2];
            for (int i = 0; i < 3; ++i) {
                unsigned long long sum = matrix[3 * i] * x % m + matrix[3 * i + 1] * y % m + matrix[3 * i + 2] * z % m;
                state[i] = (unsigned int)(sum % m);
            }
        }
        unsigned long long square[9];
        for (int i = 0; i < 9; ++i) {
            unsigned long long sum = 0;
            for (int k = 0; k < 3; ++k) sum += matrix[i / 3 * 3 + k] * matrix[k * 3 + i % 3] % m;
            square[i] = sum % m;
        }
        for (int i = 0; i < 9; ++i) matrix[i] = square[i];
    }
}
__device__ inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
    const unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
    unsigned long long a1[9] = {0, 1, 0, 0, 0, 1, m1 - 810728ull, 1403580ull, 0};
    unsigned long long a2[9] = {0, 1, 0, 0, 0, 1, m2 - 1370589ull, 0, 527612ull};
    __cuprum_mrg_jump(state->s1, a1, n, m1);
    __cuprum_mrg_jump(state->s2, a2, n, m2);
}
// By 2^76 numbers each.
__device__ inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
    unsigned long long a1[9] = {82758667ull, 1871391091ull, 4127413238ull, 3672831523ull, 69195019ull, 1871391091ull, 3672091415ull, 3528743235ull, 69195019ull};
    unsigned long long a2[9] = {1511326704ull, 3759209742ull, 1610795712ull, 4292754251ull, 1511326704ull, 3889917532ull, 3859662829ull, 4292754251ull, 3708466080ull};
    __cuprum_mrg_jump(state->s1, a1, n, 4294967087ull);
    __cuprum_mrg_jump(state->s2, a2, n, 4294944443ull);
}
// By 2^127 numbers each.
__device__ inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
    unsigned long long a1[9] = {2427906178ull, 3580155704ull, 949770784ull, 226153695ull, 1230515664ull, 3580155704ull, 1988835001ull, 986791581ull, 1230515664ull};
    unsigned long long a2[9] = {1464411153ull, 277697599ull, 1610723613ull, 32183930ull, 1464411153ull, 1022607788ull, 2824425944ull, 32183930ull, 2093834863ull};
    __cuprum_mrg_jump(state->s1, a1, n, 4294967087ull);
    __cuprum_mrg_jump(state->s2, a2, n, 4294944443ull);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                   curandStateMRG32k3a* state) {
    const unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
    unsigned long long low = 1, high = 1;
    if (seed != 0) {
        low = (unsigned int)seed ^ 0x55555555u;
        high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
    }
    state->s1[0] = (unsigned int)(12345ull * low % m1);
    state->s1[1] = (unsigned int)(12345ull * high % m1);
    state->s1[2] = (unsigned int)(12345ull * low % m1);
    state->s2[0] = (unsigned int)(12345ull * high % m2);
    state->s2[1] = (unsigned int)(12345ull * low % m2);
    state->s2[2] = (unsigned int)(12345ull * high % m2);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
    skipahead_subsequence(sequence, state);
    skipahead(offset, state);
}
#endif
