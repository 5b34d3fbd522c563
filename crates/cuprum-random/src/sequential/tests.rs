//! Sequences that can be checked without NumPy: what a generator does to its own state.

use super::*;
use crate::SeedSequence;

fn all() -> Vec<Bits> {
    let seeds = SeedSequence::new(&[7], &[], 4);
    vec![
        Bits::pcg64(&seeds.generate_wide(4)).unwrap(),
        Bits::pcg64dxsm(&seeds.generate_wide(4)).unwrap(),
        Bits::sfc64(&seeds.generate_wide(3)).unwrap(),
        Bits::mt19937(&seeds.generate(624)).unwrap(),
    ]
}

#[test]
fn a_state_that_was_read_is_gone_back_to() {
    for mut bits in all() {
        let mut words = [[0; 700]; 2];
        let before = bits.state();
        bits.fill_raw(&mut words[0]).unwrap();
        bits.set_state(&before).unwrap();
        bits.fill_raw(&mut words[1]).unwrap();
        assert_eq!(words[0], words[1], "{}", bits.name());
    }
}

#[test]
fn a_state_of_the_wrong_shape_changes_nothing() {
    for mut bits in all() {
        let good = bits.state();
        let mut bad = good.clone();
        bad.words.pop();
        assert!(bits.set_state(&bad).is_err());
        assert_eq!(bits.state(), good);
    }
    let mut twister = Bits::mt19937_of_word(1);
    let far = State { position: 625, ..twister.state() };
    assert!(twister.set_state(&far).is_err());
}

#[test]
fn threads_that_jump_ahead_draw_what_one_thread_does() {
    for mut bits in all().into_iter().take(2) {
        let (mut one_by_one, mut together) = (bits.clone(), vec![0; if cfg!(miri) { 301 } else { 100_001 }]);
        bits.fill_raw(&mut together).unwrap();
        for word in &together {
            let mut single = [0; 1];
            one_by_one.fill_raw(&mut single).unwrap();
            assert_eq!(single[0], *word);
        }
        assert_eq!(bits.state(), one_by_one.state());
    }
}

#[test]
fn advancing_back_undoes_a_draw() {
    for mut bits in all().into_iter().take(2) {
        let before = bits.state();
        bits.fill_raw(&mut [0; 3]).unwrap();
        bits.advance(3u128.wrapping_neg()).unwrap();
        assert_eq!(bits.state(), before);
    }
}
