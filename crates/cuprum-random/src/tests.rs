//! Draws against each other: levels, places in the stream, and one long call against many short ones.

use cuprum_core::{Cipher, DISTRIBUTIONS, Distribution, SimdLevel, Stream};

use super::*;

/// Miri takes a thousand times as long: so many times fewer numbers are drawn there.
const FEWER: usize = if cfg!(miri) { 100 } else { 1 };

/// Numbers of a call, and the places that one begins at.
const COUNT: usize = if cfg!(miri) { 40 } else { 900 };
const FAR: usize = if cfg!(miri) { 60 } else { 4000 };

/// Miri has no vector instructions.
fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| !cfg!(miri) || *level == SimdLevel::Portable)
}

fn begun(words: u64) -> Stream {
    let mut stream = Stream::new([0x1234, 0xfedc], [u64::MAX - 3, u64::MAX, 5, 0]);
    skip_words(&mut stream, words);
    stream
}

fn raw(stream: &Stream, n: usize, level: SimdLevel) -> Vec<u64> {
    let mut words = vec![0; n];
    fill_raw(stream, &mut words, level).unwrap();
    words
}

#[test]
fn words_are_the_same_from_every_place_and_at_every_level() {
    let all = raw(&begun(0), FAR + COUNT, SimdLevel::Portable);
    for level in levels() {
        for at in [0, 1, 2, 3, 4, 5, 7, FAR / 40, FAR] {
            assert_eq!(raw(&begun(at as u64), COUNT, level), all[at..at + COUNT], "{level:?} {at}");
        }
    }
}

#[test]
fn halves_follow_words() {
    let n = 5001 / FEWER;
    let words = raw(&begun(0), n / 2 + 10, SimdLevel::Portable);
    let want: Vec<u32> = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
    for skipped in 0..5 {
        let mut stream = begun(0);
        skip_halves(&mut stream, skipped);
        let mut out = vec![0u32; n];
        let full = Integers::Bits32(&mut out);
        fill_integers(&mut stream, 0, u64::from(u32::MAX), full, SimdLevel::detect()).unwrap();
        assert_eq!(out, want[skipped as usize..skipped as usize + n], "{skipped}");
        let mut next = [0u32];
        fill_integers(&mut stream, 0, u64::from(u32::MAX), Integers::Bits32(&mut next), SimdLevel::detect())
            .unwrap();
        assert_eq!(next[0], want[skipped as usize + n]);
    }
}

/// Uniform numbers by the light cipher, double and single.
fn light_uniforms(stream: &Stream, n: usize, level: SimdLevel) -> (Vec<f64>, Vec<f32>) {
    let (mut double, mut single) = (vec![0.0; n], vec![0.0; n]);
    fill_uniform(stream, Cipher::Light, &mut double, level).unwrap();
    fill_uniform_single(stream, Cipher::Light, &mut single, level).unwrap();
    (double, single)
}

#[test]
fn light_numbers_are_the_same_from_every_place_and_at_every_level() {
    let (doubles, singles) = light_uniforms(&begun(0), FAR + COUNT, SimdLevel::Portable);
    for level in levels() {
        for at in [0, 1, 2, 3, 4, 5, 7, 17, FAR / 2] {
            let (double, single) = light_uniforms(&begun(at as u64), COUNT, level);
            assert_eq!(double, doubles[at..at + COUNT], "{level:?} {at}");
            assert_eq!(single, singles[2 * at..2 * at + COUNT], "{level:?} {at}");
        }
        for at in [1, 3, 8, 19] {
            // A half that waits has its place among the light ones, whatever its value.
            let mut stream = begun(0);
            skip_halves(&mut stream, at as u64);
            stream.half ^= 0x55;
            assert_eq!(light_uniforms(&stream, COUNT, level).1, singles[at..at + COUNT], "{level:?} {at}");
        }
    }
    // Before anything of a block is drawn, what waits is of the block before.
    let mut early = begun(4);
    let waiting = Stream { counter: early.counter, taken: 0, has_half: true, ..early };
    early = Stream { counter: counter_after(early.counter, [u64::MAX; 4]), taken: 3, ..early };
    let expected = light_uniforms(&early, COUNT + 1, SimdLevel::Portable).1;
    assert_eq!(light_uniforms(&waiting, COUNT, SimdLevel::Portable).1, expected[1..]);
}

#[test]
fn light_numbers_are_cut_from_light_blocks() {
    let stream = Stream::new([7, 9], [40, 1, 2, 3]);
    let light = Light::new([7, 9], [41, 1, 2, 3]);
    let halves: Vec<u32> = (0..2)
        .flat_map(|half| light_block(light.key, [41, 0, light.upper[0] | half, light.upper[1]]))
        .collect();
    let (double, single) = light_uniforms(&stream, 8, SimdLevel::detect());
    for (i, half) in halves.iter().enumerate() {
        assert_eq!(single[i], (half >> 8) as f32 / (1 << 24) as f32);
    }
    for (i, pair) in halves.chunks_exact(2).enumerate() {
        let word = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        assert_eq!(double[i], (word >> 11) as f64 / (1u64 << 53) as f64);
    }
}

#[test]
fn formulas_of_one_word_take_those_of_their_cipher() {
    let same = [Parameter::Same(0.0), Parameter::Same(1.0)];
    let mut out = vec![0.0; 2001 / FEWER];
    for level in levels() {
        let draws = Draws::Double(&mut out);
        fill_distribution(&begun(5), Cipher::Light, Distribution::Uniform, &same, draws, level).unwrap();
        assert_eq!(out, light_uniforms(&begun(5), out.len(), SimdLevel::Portable).0, "{level:?}");
    }
}

#[test]
fn single_ranges_are_of_half_words() {
    let (low, high) = (-2.5, 7.25);
    let n = 2001 / FEWER;
    let uniforms = light_uniforms(&begun(5), n, SimdLevel::Portable).1;
    let placed = |i: usize, low: f64, high: f64| (low + (high - low) * f64::from(uniforms[i])) as f32;
    let lows: Vec<f64> = (0..n).map(|i| i as f64 / 7.0).collect();
    for level in levels() {
        let mut out = vec![0.0f32; n];
        let same = [Parameter::Same(low), Parameter::Same(high)];
        let uniform = Distribution::Uniform;
        fill_distribution(&begun(5), Cipher::Light, uniform, &same, Draws::Single(&mut out), level).unwrap();
        assert!((0..n).all(|i| out[i] == placed(i, low, high)), "{level:?}");
        let each = [Parameter::Each(&lows), Parameter::Same(1000.0)];
        fill_distribution(&begun(5), Cipher::Light, uniform, &each, Draws::Single(&mut out), level).unwrap();
        assert!((0..n).all(|i| out[i] == placed(i, lows[i], 1000.0)), "{level:?}");
    }
}

#[test]
fn rejection_keeps_draws_in_order() {
    for span in [5, 0x8000_0000, 0xffff_fffe, 1 << 62, (1 << 63) + 12345] {
        let (mut at_once, mut one_by_one) = (begun(3), begun(3));
        let mut a = vec![0u64; 70_000 / FEWER];
        let mut b = a.clone();
        fill_integers(&mut at_once, 7, span, Integers::Bits64(&mut a), SimdLevel::detect()).unwrap();
        let (offsets, spans) = (vec![7; b.len()], vec![span; b.len()]);
        fill_integers_between(&mut one_by_one, &offsets, &spans, Integers::Bits64(&mut b)).unwrap();
        assert!(a == b, "{span}");
        assert_eq!(at_once, one_by_one, "{span}");
    }
}

fn usual(distribution: Distribution) -> Vec<Parameter<'static>> {
    distribution
        .row()
        .parameters
        .iter()
        .enumerate()
        .map(|(i, (name, _))| {
            Parameter::Same(match *name {
                "p" => 0.3,
                "a" => 2.5,
                "n" => 40.0,
                "ngood" | "nbad" | "nsample" => 30.0,
                "lam" => 25.0,
                _ => 1.0 + i as f64,
            })
        })
        .collect()
}

fn drawn(
    stream: &Stream,
    d: Distribution,
    parameters: &[Parameter<'_>],
    n: usize,
    level: SimdLevel,
) -> Vec<f64> {
    let mut out = vec![0.0; n];
    fill_distribution(stream, Cipher::Wide, d, parameters, Draws::Double(&mut out), level).unwrap();
    out
}

#[test]
fn every_level_gives_the_same_draws() {
    let n = if cfg!(miri) { 9 } else { 3001 };
    for row in DISTRIBUTIONS {
        let parameters = usual(row.distribution);
        let want = drawn(&begun(1), row.distribution, &parameters, n, SimdLevel::Portable);
        assert!(want.iter().all(|x| x.is_finite()), "{}", row.name);
        for level in levels() {
            let got = drawn(&begun(1), row.distribution, &parameters, n, level);
            assert!(got.iter().zip(&want).all(|(a, b)| a.to_bits() == b.to_bits()), "{} {level:?}", row.name);
        }
        let mut single = [vec![0f32; n], vec![0f32; n]];
        for (out, level) in single.iter_mut().zip([SimdLevel::Portable, SimdLevel::detect()]) {
            let out = Draws::Single(out);
            fill_distribution(&begun(1), Cipher::Wide, row.distribution, &parameters, out, level).unwrap();
        }
        assert!(single[0] == single[1], "{}", row.name);
    }
}

#[test]
fn parameters_of_each_element_are_its_own() {
    let n = if cfg!(miri) { 9 } else { 2001 };
    for row in DISTRIBUTIONS {
        let same = usual(row.distribution);
        let each: Vec<Vec<f64>> = same
            .iter()
            .map(|p| match p {
                Parameter::Same(value) => vec![*value; n],
                Parameter::Each(values) => values.to_vec(),
            })
            .collect();
        let each: Vec<Parameter<'_>> = each.iter().map(|values| Parameter::Each(values)).collect();
        let want = drawn(&begun(0), row.distribution, &same, n, SimdLevel::detect());
        assert!(drawn(&begun(0), row.distribution, &each, n, SimdLevel::detect()) == want, "{}", row.name);
    }
}

#[test]
fn short_calls_join_to_a_long_one() {
    let parts = if cfg!(miri) { [2, 10, 4, 6] } else { [2, 500, 100, 400] };
    for row in DISTRIBUTIONS {
        let parameters = usual(row.distribution);
        let mut stream = begun(0);
        let long = drawn(&stream, row.distribution, &parameters, parts.iter().sum(), SimdLevel::detect());
        let mut short = Vec::new();
        for n in parts {
            short.extend(drawn(&stream, row.distribution, &parameters, n, SimdLevel::detect()));
            skip_draws(&mut stream, row.distribution, n, false);
        }
        assert!(short == long, "{}", row.name);
    }
}

#[test]
fn long_and_short_orders_are_by_the_same_rule() {
    let stream = begun(2);
    let n = 40_000 / FEWER;
    let mut order = vec![0; n];
    fill_orders(&stream, n, None, &mut order, SimdLevel::detect()).unwrap();
    let words = raw(&stream, n, SimdLevel::detect());
    let mut want: Vec<i64> = (0..n as i64).collect();
    want.sort_by_key(|i| words[*i as usize]);
    assert!(order == want);
}
