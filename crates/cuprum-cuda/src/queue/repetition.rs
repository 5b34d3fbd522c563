//! Whether launches repeat: what tells the body of a loop from work that comes once.

/// So many launches in a row are looked at.
const WINDOW: usize = 4;
/// A row of launches repeats from this time on that it comes.
const REPEATS_FROM: u8 = 3;
/// How many rows are remembered: each has a place by its hash, and the last to come keeps it.
const PLACES: usize = 1024;
/// Launches after a wait of the host that are submitted at once: the GPU has nothing to do.
const AFTER_WAIT: u32 = 8;
/// How many launches are submitted at once where queueing brought nothing: at first, and at most.
const REST: (u32, u32) = (64, 4096);

/// The launches of late.
pub(super) struct Rhythm {
    window: [usize; WINDOW],
    /// Rows of functions by their hashes, with how often each came. Rows of one hash are taken for one, which costs time alone.
    rows: Vec<(u64, u8)>,
    since_wait: u32,
    /// Launches that are submitted at once still.
    rest: u32,
    next_rest: u32,
}

impl Default for Rhythm {
    fn default() -> Rhythm {
        Rhythm { window: [0; WINDOW], rows: vec![(0, 0); PLACES], since_wait: 0, rest: 0, next_rest: REST.0 }
    }
}

impl Rhythm {
    /// Notes a launch; says whether it belongs to a sequence that repeats without the host waiting for it.
    pub(super) fn note(&mut self, function: usize) -> bool {
        self.window.rotate_left(1);
        self.window[WINDOW - 1] = function;
        let hash = hash(&self.window);
        let (known, times) = &mut self.rows[(hash >> 32) as usize % PLACES];
        if *known != hash {
            (*known, *times) = (hash, 0);
        }
        *times = (*times + 1).min(REPEATS_FROM);
        let repeats = *times == REPEATS_FROM;
        self.since_wait = self.since_wait.saturating_add(1);
        self.rest = self.rest.saturating_sub(1);
        repeats && self.since_wait > AFTER_WAIT && self.rest == 0
    }

    /// The host has waited for the GPU.
    pub(super) fn waited(&mut self) {
        self.since_wait = 0;
    }

    /// Queueing brought nothing: it is left for a while, each time for longer.
    pub(super) fn pause(&mut self) {
        self.rest = self.next_rest;
        self.next_rest = (2 * self.next_rest).min(REST.1);
    }

    /// Queueing was of use.
    pub(super) fn go_on(&mut self) {
        self.next_rest = REST.0;
    }
}

fn hash(functions: &[usize]) -> u64 {
    functions.iter().fold(0, |hash: u64, &function| {
        (hash.rotate_left(29) ^ function as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(rhythm: &mut Rhythm, functions: &[usize]) -> Vec<bool> {
        functions.iter().map(|&function| rhythm.note(function)).collect()
    }

    #[test]
    fn a_loop_is_known_from_its_third_turn_on() {
        let mut rhythm = Rhythm::default();
        let body = [1, 2, 3, 1, 4];
        assert_eq!(notes(&mut rhythm, &body), [false; 5]);
        assert_eq!(notes(&mut rhythm, &body), [false; 5]);
        // The first rows of the first turn had other launches before them.
        assert_eq!(notes(&mut rhythm, &body), [false, false, false, true, true]);
        assert_eq!(notes(&mut rhythm, &body), [true; 5]);
    }

    #[test]
    fn another_path_is_not_known_and_the_old_one_still_is() {
        let mut rhythm = Rhythm::default();
        for _ in 0..4 {
            notes(&mut rhythm, &[1, 2, 3]);
        }
        assert_eq!(notes(&mut rhythm, &[1, 9, 3]), [true, false, false]);
        assert_eq!(notes(&mut rhythm, &[1, 2, 3, 1, 2]), [false, false, true, true, true]);
    }

    #[test]
    fn launches_after_a_wait_and_in_a_pause_are_submitted_at_once() {
        let mut rhythm = Rhythm::default();
        notes(&mut rhythm, &[7; 32]);
        rhythm.waited();
        assert_eq!(notes(&mut rhythm, &[7; 8]), [false; 8]);
        assert!(rhythm.note(7));
        rhythm.pause();
        assert_eq!(notes(&mut rhythm, &[7; 63]), [false; 63]);
        assert!(rhythm.note(7));
        rhythm.pause();
        assert_eq!(notes(&mut rhythm, &[7; 127]), [false; 127]);
        rhythm.go_on();
        rhythm.pause();
        assert_eq!(notes(&mut rhythm, &[7; 63]), [false; 63]);
        assert!(rhythm.note(7));
    }

    #[test]
    fn what_comes_once_is_not_known() {
        let mut rhythm = Rhythm::default();
        assert!((1..10 * PLACES).all(|function| !rhythm.note(function)));
    }
}
