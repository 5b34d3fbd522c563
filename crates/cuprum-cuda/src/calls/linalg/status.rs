//! What the GPU has to say about each matrix of a stack: cuSOLVER's `info`, and whether it was finite.

use cuprum_core::Result;
use cuprum_core::memory::{collected, filled};
use cuprum_graph::Buffer;

use crate::session::Session;

/// Two `i32` for each matrix, all zero at first: the info of every one, then the faults.
pub(super) struct Status {
    buffer: Buffer,
    count: usize,
}

/// What became of the matrices.
pub(super) struct Report {
    words: Vec<i32>,
}

impl Status {
    pub(super) fn new(session: &Session, count: usize) -> Result<Status> {
        let buffer = session.scratch(8 * count)?;
        session.set_bytes(&buffer, 0, 0, 8 * count)?;
        Ok(Status { buffer, count })
    }

    /// Where a matrix's info goes.
    pub(super) fn info(&self, matrix: usize) -> usize {
        self.buffer.address() + 4 * matrix
    }

    /// Where the faults go.
    pub(super) fn faults(&self) -> usize {
        self.info(self.count)
    }

    /// Waits for the work before, and reads what it said.
    pub(super) fn read(&self, session: &Session) -> Result<Report> {
        let mut bytes = filled(8 * self.count, 0);
        session.download_small(&self.buffer, &mut bytes)?;
        let (words, _) = bytes.as_chunks::<4>();
        Ok(Report { words: collected(words.iter().map(|&word| i32::from_ne_bytes(word))) })
    }
}

impl Report {
    /// Whether any matrix's info is positive: it has no such factorisation, or an iteration did not end.
    pub(super) fn any_failed(&self) -> bool {
        self.words[..self.words.len() / 2].iter().any(|&info| info > 0)
    }

    /// Whether this matrix's info is positive.
    pub(super) fn failed(&self, matrix: usize) -> bool {
        self.words[matrix] > 0
    }

    /// Whether any matrix was not finite.
    pub(super) fn any_fault(&self) -> bool {
        self.words[self.words.len() / 2..].iter().any(|&fault| fault != 0)
    }
}
