//! What stopped a kernel, and where.

use cuprum_kernel::{SourceMap, Span};

/// What a kernel did wrong, or why it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// Memory outside every array that the kernel was given.
    OutOfBounds,
    /// A Python array's index outside its axis.
    Index,
    /// An address that is not a multiple of the type's size.
    Misaligned,
    /// A write to constant memory or to an array that may not be written.
    ReadOnly,
    /// A read of uninitialised memory (checking mode).
    Uninitialised,
    /// Two threads at one address without a barrier between, one of them writing (checking mode).
    Race,
    /// Threads of one block at different barriers (checking mode).
    DivergentBarrier,
    /// A collective with lanes that will never come, or that are not in their own mask.
    WarpMask,
    /// Threads that wait for one another for ever.
    Deadlock,
    /// `assert` or `__trap`.
    Assertion,
    /// Recursion too deep, or local memory too large.
    Stack,
    /// The time that the launch was given is over.
    Timeout,
    /// The user's Ctrl-C.
    Interrupted,
    /// A launch that cannot be: too many threads, too much shared memory.
    Launch,
    /// There was no memory for it.
    Memory,
}

/// One thread at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The place in the text.
    pub span: Span,
    /// `threadIdx`.
    pub thread: [u32; 3],
    /// `blockIdx`.
    pub block: [u32; 3],
}

/// Why a launch ended early. Its text names kernel, place, thread and block, and shows the source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// The kernel's name.
    pub kernel: String,
    /// What happened, before the place is named: `out-of-bounds read of 4 bytes`.
    pub message: String,
    /// What more there is to say, behind the place: `x is an array of 100 bytes, the access is at byte 412`.
    pub detail: String,
    /// Where; none for faults of the launch itself.
    pub site: Option<Site>,
    /// The other side of a race or a divergent barrier, and what happened there.
    pub other: Option<(String, Site)>,
}

impl Fault {
    /// A fault of the launch as a whole.
    ///
    /// ```
    /// use cuprum_jit::{Fault, FaultKind};
    /// let fault = Fault::new(FaultKind::Timeout, "spin", "timeout").explained("it ran for 2 s");
    /// assert_eq!(fault.render(&Default::default()), "spin: timeout: it ran for 2 s");
    /// ```
    pub fn new(kind: FaultKind, kernel: impl Into<String>, message: impl Into<String>) -> Fault {
        let (kernel, message) = (kernel.into(), message.into());
        Fault { kind, kernel, message, detail: String::new(), site: None, other: None }
    }

    /// With what more there is to say.
    #[must_use]
    pub fn explained(mut self, detail: impl Into<String>) -> Fault {
        self.detail = detail.into();
        self
    }

    /// With the thread and the place.
    #[must_use]
    pub fn at(mut self, site: Site) -> Fault {
        self.site = Some(site);
        self
    }

    /// With the other side, and what happened there: `the write of 4 bytes`.
    #[must_use]
    pub fn against(mut self, message: impl Into<String>, site: Site) -> Fault {
        self.other = Some((message.into(), site));
        self
    }

    /// The message as users see it: kernel, what happened, place, thread and block, why, then the source line with a
    /// caret; for faults of two sides the same of the other side.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut text = format!("{}: {}", self.kernel, self.message);
        if let Some(site) = &self.site {
            text.push_str(&site.phrase(sources));
        }
        if !self.detail.is_empty() {
            text.push_str(": ");
            text.push_str(&self.detail);
        }
        if let Some(site) = &self.site {
            push_excerpt(&mut text, sources, site.span);
        }
        if let Some((message, site)) = &self.other {
            text.push('\n');
            text.push_str(message);
            text.push_str(&site.phrase(sources));
            push_excerpt(&mut text, sources, site.span);
        }
        text
    }
}

impl Site {
    /// ` at kernel.cu:5:14 by thread (3,0,0) of block (7,0,0)`.
    fn phrase(&self, sources: &SourceMap) -> String {
        let ([tx, ty, tz], [bx, by, bz]) = (self.thread, self.block);
        let thread = format!("by thread ({tx},{ty},{tz}) of block ({bx},{by},{bz})");
        if self.span.line == 0 {
            format!(" {thread}")
        } else {
            format!(" at {} {thread}", sources.place(self.span))
        }
    }
}

fn push_excerpt(text: &mut String, sources: &SourceMap, span: Span) {
    let excerpt = sources.excerpt(span);
    if !excerpt.is_empty() {
        text.push('\n');
        text.push_str(&excerpt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(sources: &mut SourceMap, text: &str, column: u32, thread: u32) -> Site {
        let file = sources.add("kernel.cu", text);
        Site { span: Span { file, line: 2, column, length: 4 }, thread: [thread, 0, 0], block: [7, 0, 0] }
    }

    #[test]
    fn a_fault_names_place_thread_and_block_and_shows_the_line() {
        let mut sources = SourceMap::default();
        let site = site(&mut sources, "{\n    y[i] = x[i];\n}", 12, 3);
        let fault = Fault::new(FaultKind::OutOfBounds, "add", "out-of-bounds read of 4 bytes")
            .explained("x is an array of 100 bytes, the access is at byte 412")
            .at(site);
        assert_eq!(
            fault.render(&sources),
            "add: out-of-bounds read of 4 bytes at kernel.cu:2:12 by thread (3,0,0) of block (7,0,0): x is an array \
             of 100 bytes, the access is at byte 412\n    y[i] = x[i];\n           ^^^^"
        );
    }

    #[test]
    fn a_race_shows_both_sides() {
        let mut sources = SourceMap::default();
        let one = site(&mut sources, "{\n    a = s[i];", 9, 3);
        let two = site(&mut sources, "{\n    s[j] = b;", 5, 4);
        let fault = Fault::new(FaultKind::Race, "sum", "data race: read of 4 bytes")
            .at(one)
            .against("with the write of 4 bytes", two);
        assert_eq!(
            fault.render(&sources),
            "sum: data race: read of 4 bytes at kernel.cu:2:9 by thread (3,0,0) of block (7,0,0)\n    a = s[i];\n        \
             ^^^^\nwith the write of 4 bytes at kernel.cu:2:5 by thread (4,0,0) of block (7,0,0)\n    s[j] = b;\n    ^^^^"
        );
    }
}
