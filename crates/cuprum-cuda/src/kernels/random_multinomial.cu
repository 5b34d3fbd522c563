// How often each outcome comes up, a row a thread: binomial variates of what is left, outcome by outcome.

extern "C" __global__ void random_multinomial(const Words stream, i64* out, u64 rows, u64 outcomes, const i64* trials,
                                              u64 trials_step, const f64* chances) {
    u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    OwnWords words(stream, row);
    i64* counts = out + row * outcomes;
    i64 left = trials[row * trials_step];
    f64 remaining = 1.0;
    u64 k = 0;
    for (; k + 1 < outcomes && left != 0; k++) {
        f64 chance = chances[k], share = 1.0;
        if (remaining > 0.0) {
            share = chance / remaining;
            share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        }
        i64 count = element_of<i64>(Binomial((f64)left, share, 0.0).draw(words));
        counts[k] = count;
        left -= count;
        remaining -= chance;
    }
    for (; k + 1 < outcomes; k++) counts[k] = 0;
    counts[k] = left;
}
