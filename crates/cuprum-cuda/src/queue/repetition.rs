//! Whether launches repeat, as those in the body of a loop do.

/// How many consecutive launches are compared.
const WINDOW: usize = 4;
/// The occurrence from which on a run of launches counts as repeated.
const REPEATS_FROM: u8 = 3;
/// How many runs are remembered: each has a place by its hash, which a newer one takes over.
const PLACES: usize = 1024;
/// Launches that are submitted at once after the host has waited: the GPU is idle.
const AFTER_WAIT: u32 = 8;
/// How many launches are submitted at once after queueing did not pay: at first, and at most.
const REST: (u32, u32) = (64, 4096);

/// The recent launches, and how often each run of them has come.
pub(super) struct RepetitionDetector {
    window: [usize; WINDOW],
    /// Runs of functions by their hashes, with how often each came. Runs with equal hashes count as one; that costs time only.
    runs: Vec<(u64, u8)>,
    since_wait: u32,
    /// How many more launches are submitted at once.
    rest: u32,
    next_rest: u32,
}

impl Default for RepetitionDetector {
    fn default() -> RepetitionDetector {
        RepetitionDetector {
            window: [0; WINDOW],
            runs: vec![(0, 0); PLACES],
            since_wait: 0,
            rest: 0,
            next_rest: REST.0,
        }
    }
}

impl RepetitionDetector {
    /// Notes a launch; says whether it belongs to a sequence that repeats without the host waiting for it.
    pub(super) fn note(&mut self, function: usize) -> bool {
        self.window.rotate_left(1);
        self.window[WINDOW - 1] = function;
        let hash = hash(&self.window);
        let (known, times) = &mut self.runs[(hash >> 32) as usize % PLACES];
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

    /// Queueing did not pay: it pauses, each time for longer.
    pub(super) fn pause(&mut self) {
        self.rest = self.next_rest;
        self.next_rest = (2 * self.next_rest).min(REST.1);
    }

    /// Queueing paid.
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

    fn notes(repetition: &mut RepetitionDetector, functions: &[usize]) -> Vec<bool> {
        functions.iter().map(|&function| repetition.note(function)).collect()
    }

    #[test]
    fn a_loop_is_known_from_its_third_turn_on() {
        let mut repetition = RepetitionDetector::default();
        let body = [1, 2, 3, 1, 4];
        assert_eq!(notes(&mut repetition, &body), [false; 5]);
        assert_eq!(notes(&mut repetition, &body), [false; 5]);
        // The first runs of the first iteration had other launches before them.
        assert_eq!(notes(&mut repetition, &body), [false, false, false, true, true]);
        assert_eq!(notes(&mut repetition, &body), [true; 5]);
    }

    #[test]
    fn another_path_is_not_known_and_the_old_one_still_is() {
        let mut repetition = RepetitionDetector::default();
        for _ in 0..4 {
            notes(&mut repetition, &[1, 2, 3]);
        }
        assert_eq!(notes(&mut repetition, &[1, 9, 3]), [true, false, false]);
        assert_eq!(notes(&mut repetition, &[1, 2, 3, 1, 2]), [false, false, true, true, true]);
    }

    #[test]
    fn launches_after_a_wait_and_in_a_pause_are_submitted_at_once() {
        let mut repetition = RepetitionDetector::default();
        notes(&mut repetition, &[7; 32]);
        repetition.waited();
        assert_eq!(notes(&mut repetition, &[7; 8]), [false; 8]);
        assert!(repetition.note(7));
        repetition.pause();
        assert_eq!(notes(&mut repetition, &[7; 63]), [false; 63]);
        assert!(repetition.note(7));
        repetition.pause();
        assert_eq!(notes(&mut repetition, &[7; 127]), [false; 127]);
        repetition.go_on();
        repetition.pause();
        assert_eq!(notes(&mut repetition, &[7; 63]), [false; 63]);
        assert!(repetition.note(7));
    }

    #[test]
    fn what_comes_once_is_not_known() {
        let mut repetition = RepetitionDetector::default();
        assert!((1..10 * PLACES).all(|function| !repetition.note(function)));
    }
}
