//! Draws against each other: levels, places in the stream, and one long call against many short ones.

use cuprum_core::{DISTRIBUTIONS, Distribution, Stream};

use super::*;

const LEVELS: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];

fn begun(words: u64) -> Stream {
    let mut stream = Stream::new([0x1234, 0xfedc], [u64::MAX - 3, u64::MAX, 5, 0]);
    skip_words(&mut stream, words);
    stream
}

fn raw(stream: &Stream, n: usize, level: Level) -> Vec<u64> {
    let mut words = vec![0; n];
    fill_raw(stream, &mut words, level).unwrap();
    words
}

#[test]
fn words_are_the_same_from_every_place_and_at_every_level() {
    let all = raw(&begun(0), 5000, Level::Portable);
    for level in LEVELS {
        for at in [0, 1, 2, 3, 4, 5, 7, 100, 4000] {
            assert_eq!(raw(&begun(at), 900, level), all[at as usize..at as usize + 900], "{level:?} {at}");
        }
    }
}

#[test]
fn halves_follow_words() {
    let words = raw(&begun(0), 3000, Level::Portable);
    let want: Vec<u32> = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
    for skipped in 0..5 {
        let mut stream = begun(0);
        skip_halves(&mut stream, skipped);
        let mut out = vec![0u32; 5001];
        let full = Integers::Bits32(&mut out);
        fill_integers(&mut stream, 0, u64::from(u32::MAX), full, Level::detect()).unwrap();
        assert_eq!(out, want[skipped as usize..skipped as usize + 5001], "{skipped}");
        let mut next = [0u32];
        fill_integers(&mut stream, 0, u64::from(u32::MAX), Integers::Bits32(&mut next), Level::detect())
            .unwrap();
        assert_eq!(next[0], want[skipped as usize + 5001]);
    }
}

#[test]
fn rejection_keeps_draws_in_order() {
    for span in [5, 0x8000_0000, 0xffff_fffe, 1 << 62, (1 << 63) + 12345] {
        let (mut at_once, mut one_by_one) = (begun(3), begun(3));
        let (mut a, mut b) = (vec![0u64; 70_000], vec![0u64; 70_000]);
        fill_integers(&mut at_once, 7, span, Integers::Bits64(&mut a), Level::detect()).unwrap();
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

fn drawn(stream: &Stream, d: Distribution, parameters: &[Parameter<'_>], n: usize, level: Level) -> Vec<f64> {
    let mut out = vec![0.0; n];
    fill_distribution(stream, d, parameters, Draws::Double(&mut out), level).unwrap();
    out
}

#[test]
fn every_level_gives_the_same_draws() {
    for row in DISTRIBUTIONS {
        let parameters = usual(row.distribution);
        let want = drawn(&begun(1), row.distribution, &parameters, 3001, Level::Portable);
        assert!(want.iter().all(|x| x.is_finite()), "{}", row.name);
        for level in LEVELS {
            let got = drawn(&begun(1), row.distribution, &parameters, 3001, level);
            assert!(got.iter().zip(&want).all(|(a, b)| a.to_bits() == b.to_bits()), "{} {level:?}", row.name);
        }
        let mut single = [vec![0f32; 3001], vec![0f32; 3001]];
        for (out, level) in single.iter_mut().zip([Level::Portable, Level::detect()]) {
            fill_distribution(&begun(1), row.distribution, &parameters, Draws::Single(out), level).unwrap();
        }
        assert!(single[0] == single[1], "{}", row.name);
    }
}

#[test]
fn parameters_of_each_element_are_its_own() {
    for row in DISTRIBUTIONS {
        let same = usual(row.distribution);
        let each: Vec<Vec<f64>> = same
            .iter()
            .map(|p| match p {
                Parameter::Same(value) => vec![*value; 2001],
                Parameter::Each(values) => values.to_vec(),
            })
            .collect();
        let each: Vec<Parameter<'_>> = each.iter().map(|values| Parameter::Each(values)).collect();
        let want = drawn(&begun(0), row.distribution, &same, 2001, Level::detect());
        assert!(drawn(&begun(0), row.distribution, &each, 2001, Level::detect()) == want, "{}", row.name);
    }
}

#[test]
fn short_calls_join_to_a_long_one() {
    for row in DISTRIBUTIONS {
        let parameters = usual(row.distribution);
        let mut stream = begun(0);
        let long = drawn(&stream, row.distribution, &parameters, 1002, Level::detect());
        let mut short = Vec::new();
        for n in [2, 500, 100, 400] {
            short.extend(drawn(&stream, row.distribution, &parameters, n, Level::detect()));
            skip_draws(&mut stream, row.distribution, n, false);
        }
        assert!(short == long, "{}", row.name);
    }
}

#[test]
fn long_and_short_orders_are_by_the_same_rule() {
    let stream = begun(2);
    let n = 40_000;
    let mut order = vec![0; n];
    fill_orders(&stream, n, None, &mut order, Level::detect()).unwrap();
    let words = raw(&stream, n, Level::detect());
    let mut want: Vec<i64> = (0..n as i64).collect();
    want.sort_by_key(|i| words[*i as usize]);
    assert!(order == want);
}
