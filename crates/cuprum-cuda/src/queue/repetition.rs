//! Whether launches repeat, as those in the body of a loop do.

/// How many consecutive launches are compared.
const WINDOW: usize = 4;
/// The occurrence from which on a run of launches counts as repeated.
const REPEATS_FROM: u8 = 3;
/// A run that other driver calls have cut short this often is not queued again: the loop has calls of libraries in it, or waits.
const MAX_CUTS: u8 = 2;
/// How many runs are remembered: each has a place by its hash, which a newer one takes over.
const PLACES: usize = 1024;
/// Launches that are submitted at once after the host has waited: the GPU is idle.
const AFTER_WAIT: u32 = 8;
/// How many launches are submitted at once after queueing did not pay: at first, and at most.
const REST: (u32, u32) = (64, 4096);

/// A run of launches that is remembered.
#[derive(Clone, Copy, Default)]
struct Run {
    hash: u64,
    /// How often it came, up to [`REPEATS_FROM`].
    times: u8,
    /// How often it was cut short when it was queued.
    cuts: u8,
}

/// The place of a run among those that are remembered.
#[derive(Clone, Copy)]
pub(super) struct RunPlace(usize);

/// The recent launches, and how often each run of them has come.
pub(super) struct RepetitionDetector {
    window: [usize; WINDOW],
    /// Runs of functions by their hashes. Runs with equal hashes count as one; that costs time only.
    runs: Vec<Run>,
    since_wait: u32,
    /// How many more launches are submitted at once.
    rest: u32,
    next_rest: u32,
}

impl Default for RepetitionDetector {
    fn default() -> RepetitionDetector {
        RepetitionDetector {
            window: [0; WINDOW],
            runs: vec![Run::default(); PLACES],
            since_wait: 0,
            rest: 0,
            next_rest: REST.0,
        }
    }
}

impl RepetitionDetector {
    /// Notes a launch; says which run it ends if that belongs to a sequence that repeats without the host waiting for it.
    pub(super) fn note(&mut self, function: usize) -> Option<RunPlace> {
        self.window.rotate_left(1);
        self.window[WINDOW - 1] = function;
        let hash = hash(&self.window);
        let place = (hash >> 32) as usize % PLACES;
        let run = &mut self.runs[place];
        if run.hash != hash {
            *run = Run { hash, ..Run::default() };
        }
        run.times = (run.times + 1).min(REPEATS_FROM);
        let pays = run.times == REPEATS_FROM && run.cuts < MAX_CUTS;
        self.since_wait = self.since_wait.saturating_add(1);
        self.rest = self.rest.saturating_sub(1);
        (pays && self.since_wait > AFTER_WAIT && self.rest == 0).then_some(RunPlace(place))
    }

    /// A queued launch, which ends this run, was submitted with too few others.
    pub(super) fn cut(&mut self, RunPlace(place): RunPlace) {
        self.runs[place].cuts = self.runs[place].cuts.saturating_add(1);
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
        functions.iter().map(|&function| repetition.note(function).is_some()).collect()
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
        assert!(repetition.note(7).is_some());
        repetition.pause();
        assert_eq!(notes(&mut repetition, &[7; 63]), [false; 63]);
        assert!(repetition.note(7).is_some());
        repetition.pause();
        assert_eq!(notes(&mut repetition, &[7; 127]), [false; 127]);
        repetition.go_on();
        repetition.pause();
        assert_eq!(notes(&mut repetition, &[7; 63]), [false; 63]);
        assert!(repetition.note(7).is_some());
    }

    #[test]
    fn a_run_that_is_cut_short_twice_does_not_wait_again() {
        let mut repetition = RepetitionDetector::default();
        notes(&mut repetition, &[7; 32]);
        notes(&mut repetition, &[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]);
        for _ in 0..MAX_CUTS {
            let place = repetition.note(1).unwrap();
            repetition.cut(place);
            assert!(repetition.note(2).is_some());
        }
        assert_eq!(notes(&mut repetition, &[1, 2, 1, 2]), [false, true, false, true]);
        assert_eq!(notes(&mut repetition, &[7, 7, 7, 7, 7]), [false, false, false, true, true]);
    }

    #[test]
    fn what_comes_once_is_not_known() {
        let mut repetition = RepetitionDetector::default();
        assert!((1..10 * PLACES).all(|function| repetition.note(function).is_none()));
    }
}
