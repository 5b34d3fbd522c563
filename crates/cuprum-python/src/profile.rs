//! What the profiler in Python hears: events of the core, with the lines of the user's program that they come from.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use cuprum_graph::{DeviceKind, DeviceRef, Event, EventKind, event_clock, is_listening, listen};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use pyo3::wrap_pyfunction;

use crate::gate;

/// Frames that are looked through for one of the user's.
const MAX_FRAMES: usize = 64;

/// The lines of the user's program that were seen, numbered from one.
struct Lines {
    /// The functions that were seen, which stay alive: the file, the name, and whether they are the user's.
    functions: Option<HashMap<usize, Function>>,
    numbers: Option<HashMap<(usize, i32), u32>>,
    table: Vec<(String, i32, String)>,
    /// The lines of calls that events asked for while the GIL was released, by the number less [`ASKED`]; zero until they return.
    asked: Vec<u32>,
    /// The folders of code that is not the user's.
    packages: Vec<String>,
}

struct Function {
    /// Keeps the address from being used again.
    _code: Py<PyAny>,
    file: String,
    name: String,
    is_users: bool,
}

static LINES: Mutex<Lines> = Mutex::new(Lines {
    functions: None,
    numbers: None,
    table: Vec::new(),
    asked: Vec::new(),
    packages: Vec::new(),
});

thread_local! {
    /// The call that this thread has released the GIL for.
    static RELEASED: Cell<Released> = const { Cell::new(Released::No) };
    /// The places that this thread was in.
    static PLACES: RefCell<Places> = const { RefCell::new(Places { when: 0, known: Vec::new() }) };
}

/// A call that releases the GIL. Its line can be found once the GIL is held again, and is where an event has asked for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Released {
    /// There is none.
    No,
    /// No event has asked for its line.
    Unasked,
    /// Events have this number for it, since lines were forgotten last.
    Asked { number: u32, when: u64 },
}

/// Numbers from here on stand for the lines of calls that have not returned yet.
const ASKED: u32 = 1 << 31;
/// So many calls may be asked for; those beyond have no line.
const MAX_ASKED: usize = 1 << 22;

/// Places that are kept for each thread, a power of two.
const KEPT_PLACES: usize = 256;
/// Stands for a line of code that is not the user's.
const NOT_USERS: u32 = u32::MAX;

/// Numbers of lines by instruction: Python itself finds an instruction's line by reading the function's table of lines from its
/// beginning.
struct Places {
    /// When lines were forgotten last.
    when: u64,
    /// The function, the instruction and the number of its line, each at the place that a hash says.
    known: Vec<(usize, i32, u32)>,
}

impl Places {
    fn slot(function: usize, instruction: i32) -> usize {
        ((function >> 4) ^ (function >> 12)).wrapping_add(instruction as usize) % KEPT_PLACES
    }

    /// The number of the line that an instruction is in, where it is known.
    fn get(&self, when: u64, function: usize, instruction: i32) -> Option<u32> {
        let &(its_function, its_instruction, number) = self.known.get(Places::slot(function, instruction))?;
        let is_same = (self.when, its_function, its_instruction) == (when, function, instruction);
        is_same.then_some(number)
    }

    fn insert(&mut self, when: u64, function: usize, instruction: i32, number: u32) {
        if self.when != when || self.known.is_empty() {
            self.when = when;
            self.known.clear();
            self.known.resize(KEPT_PLACES, (0, 0, 0));
        }
        self.known[Places::slot(function, instruction)] = (function, instruction, number);
    }
}

/// How often lines were forgotten.
static FORGOTTEN: AtomicU64 = AtomicU64::new(1);

fn lock() -> MutexGuard<'static, Lines> {
    LINES.lock().unwrap_or_else(|e| e.into_inner())
}

/// Runs work that releases the GIL: what it reports comes from the line that Python is in now.
#[inline]
pub fn in_line<T>(py: Python<'_>, work: impl FnOnce() -> T) -> T {
    let is_outermost = is_listening() && RELEASED.get() == Released::No;
    if is_outermost {
        RELEASED.set(Released::Unasked);
    }
    let outcome = work();
    if is_outermost && let Released::Asked { number, when } = RELEASED.replace(Released::No) {
        let line = line_of_python(py);
        lock().tell(number, when, line);
    }
    outcome
}

/// The line that this thread is in, for events; zero where it is none of Python's threads.
fn current_line() -> u32 {
    match RELEASED.get() {
        Released::No => {}
        Released::Unasked => return ask(),
        Released::Asked { number, .. } => return number,
    }
    // SAFETY: asks for this thread's own state, which may be missing.
    if unsafe { ffi::PyGILState_GetThisThreadState() }.is_null() {
        return 0;
    }
    // SAFETY: a thread of Python's that has not released the GIL through the gate, which is the one way to, holds it.
    line_of_python(unsafe { Python::assume_attached() })
}

/// A number for the line of the call that has released the GIL.
fn ask() -> u32 {
    let mut lines = lock();
    if lines.asked.len() == MAX_ASKED {
        return 0;
    }
    let number = ASKED + lines.asked.len() as u32;
    lines.asked.push(0);
    RELEASED.set(Released::Asked { number, when: FORGOTTEN.load(Ordering::Relaxed) });
    number
}

/// The number of the line that the innermost function of the user's is in.
fn line_of_python(py: Python<'_>) -> u32 {
    // SAFETY: the GIL is held; the frame is borrowed from the thread, which does not run meanwhile.
    let frame = unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PyEval_GetFrame().cast()) };
    let mut frame: Option<Bound<'_, PyAny>> = frame;
    for _ in 0..MAX_FRAMES {
        let Some(here) = frame else { return 0 };
        match line_of_frame(&here) {
            NOT_USERS => {}
            number => return number,
        }
        frame = here.getattr(intern!(py, "f_back")).ok().filter(|back| !back.is_none());
    }
    0
}

/// The number of the line that a frame is in, or [`NOT_USERS`].
fn line_of_frame(frame: &Bound<'_, PyAny>) -> u32 {
    let py = frame.py();
    let pointer: *mut ffi::PyFrameObject = frame.as_ptr().cast();
    // SAFETY: the frame is held; its code comes as a new reference.
    let code = unsafe { Bound::from_owned_ptr(py, ffi::PyFrame_GetCode(pointer).cast()) };
    let instruction = last_instruction(frame);
    let (when, function) = (FORGOTTEN.load(Ordering::Relaxed), code.as_ptr() as usize);
    let known = PLACES.with_borrow(|places| places.get(when, function, instruction));
    known.unwrap_or_else(|| {
        // SAFETY: the frame is held.
        let line = unsafe { ffi::PyFrame_GetLineNumber(pointer) };
        let number = lock().number(&code, line).unwrap_or(NOT_USERS);
        PLACES.with_borrow_mut(|places| places.insert(when, function, instruction, number));
        number
    })
}

/// `int PyFrame_GetLasti(PyFrameObject *)`.
type LastInstruction = unsafe extern "C" fn(*mut ffi::PyFrameObject) -> std::ffi::c_int;

/// The instruction that a frame is in. Interpreters from 3.11 on tell it by a function that is no part of the stable interface; the
/// attribute that all have costs more, at every call that releases the GIL.
fn last_instruction(frame: &Bound<'_, PyAny>) -> i32 {
    static FUNCTION: OnceLock<Option<LastInstruction>> = OnceLock::new();
    match FUNCTION.get_or_init(find_last_instruction) {
        // SAFETY: the frame is held.
        Some(function) => unsafe { function(frame.as_ptr().cast()) },
        None => {
            let at = frame.getattr(intern!(frame.py(), "f_lasti"));
            at.and_then(|at| at.extract()).unwrap_or(-1)
        }
    }
}

#[cfg(unix)]
fn find_last_instruction() -> Option<LastInstruction> {
    // SAFETY: looks a name up among the symbols of the process.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"PyFrame_GetLasti".as_ptr()) };
    // SAFETY: the function of this name has had this signature since there is one.
    (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut libc::c_void, LastInstruction>(found) })
}

#[cfg(not(unix))]
fn find_last_instruction() -> Option<LastInstruction> {
    None
}

impl Lines {
    /// A call has returned that was asked for: it came from this line.
    fn tell(&mut self, number: u32, when: u64, line: u32) {
        // A profile that began meanwhile has calls of its own.
        if when == FORGOTTEN.load(Ordering::Relaxed)
            && let Some(asked) = self.asked.get_mut((number - ASKED) as usize)
        {
            *asked = line;
        }
    }

    /// The number of a line of the user's; `None` for code of ours.
    fn number(&mut self, code: &Bound<'_, PyAny>, line: i32) -> Option<u32> {
        let at = code.as_ptr() as usize;
        let functions = self.functions.get_or_insert_default();
        let packages = &self.packages;
        let function = functions.entry(at).or_insert_with(|| {
            let text = |name: &str| code.getattr(name).and_then(|text| text.extract()).unwrap_or_default();
            let (file, name): (String, String) = (text("co_filename"), text("co_name"));
            let is_users = !packages.iter().any(|package| file.starts_with(package.as_str()));
            Function { _code: code.clone().unbind(), file, name, is_users }
        });
        if !function.is_users {
            return None;
        }
        let table = &mut self.table;
        Some(*self.numbers.get_or_insert_default().entry((at, line)).or_insert_with(|| {
            table.push((function.file.clone(), line, function.name.clone()));
            table.len() as u32
        }))
    }
}

/// Starts to hear of events; code in these folders is not the user's.
#[pyfunction]
fn listen_to_events(packages: Vec<String>) {
    let gone = {
        let mut lines = lock();
        FORGOTTEN.fetch_add(1, Ordering::Relaxed);
        lines.table.clear();
        lines.asked.clear();
        lines.numbers = None;
        lines.packages = packages;
        lines.functions.take()
    };
    // Outside the lock: what goes may run code of Python's.
    drop(gone);
    listen(true);
}

/// A line of the user's program: file, number and function.
type Line = (String, i32, String);

/// Events that were heard. Python's objects are made of them when they are asked for, which costs far more than hearing.
#[pyclass(module = "cuprum._core", frozen)]
struct EventLog {
    pieces: Vec<Vec<Event>>,
    /// When work ended on a GPU, by the place of its event: the GPU's notes are for one profile.
    ended: HashMap<(usize, usize), u64>,
    /// The lines of calls that events asked for.
    asked: Vec<u32>,
}

#[pymethods]
impl EventLog {
    fn __len__(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }

    /// The events as tuples.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let listed = PyList::empty(py);
        for (piece, events) in self.pieces.iter().enumerate() {
            for (at, event) in events.iter().enumerate() {
                let ended = self.ended.get(&(piece, at)).copied();
                listed.append(self.described(py, event, ended)?)?;
            }
        }
        Ok(listed)
    }
}

impl EventLog {
    fn new(py: Python<'_>, pieces: Vec<Vec<Event>>, asked: Vec<u32>) -> EventLog {
        let mut ended = HashMap::new();
        for (piece, events) in pieces.iter().enumerate() {
            for (at, event) in events.iter().enumerate().filter(|(_, event)| event.mark.is_some()) {
                let device = event.device.and_then(device_of);
                let end = device.and_then(|device| gate::released(py, || event.device_end(device)));
                ended.extend(end.map(|end| ((piece, at), end)));
            }
        }
        EventLog { pieces, ended, asked }
    }

    /// The line of an event, which may have asked for it.
    fn line(&self, number: u32) -> u32 {
        match number.checked_sub(ASKED) {
            None => number,
            Some(at) => self.asked.get(at as usize).copied().unwrap_or(0),
        }
    }

    /// An event as `cuprum._profile` takes it.
    fn described<'py>(
        &self,
        py: Python<'py>,
        event: &Event,
        ended: Option<u64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let kind = match event.kind {
            EventKind::Program => "program",
            EventKind::Small => "small",
            EventKind::Call => "call",
            EventKind::Kernel => "kernel",
            EventKind::ToDevice => "to_device",
            EventKind::ToHost => "to_host",
            EventKind::Wait => "wait",
            EventKind::Allocate => "allocate",
            EventKind::Free => "free",
            EventKind::Compile => "compile",
        };
        let device = event.device.map(|kind| match kind {
            DeviceKind::Cpu => "cpu".to_string(),
            DeviceKind::Cuda(ordinal) => format!("cuda:{ordinal}"),
        });
        let name = event.label.as_ref().map_or_else(|| event.names.join(" "), |label| label.to_string());
        let mut lines: Vec<u32> = Vec::new();
        for line in event.lines.iter().map(|&number| self.line(number)) {
            if line != 0 && !lines.contains(&line) {
                lines.push(line);
            }
        }
        let fields = [
            kind.into_pyobject(py)?.into_any(),
            name.into_pyobject(py)?.into_any(),
            event.start.into_pyobject(py)?.into_any(),
            event.duration.into_pyobject(py)?.into_any(),
            event.thread.into_pyobject(py)?.into_any(),
            device.into_pyobject(py)?.into_any(),
            self.line(event.line).into_pyobject(py)?.into_any(),
            PyTuple::new(py, lines)?.into_any(),
            event.elements.into_pyobject(py)?.into_any(),
            event.bytes.into_pyobject(py)?.into_any(),
            event.address.into_pyobject(py)?.into_any(),
            event.fingerprint.into_pyobject(py)?.into_any(),
            (u8::from(event.strided) | u8::from(event.widened) << 1 | u8::from(event.page_locked) << 2)
                .into_pyobject(py)?
                .into_any(),
            ended.into_pyobject(py)?.into_any(),
            event.weight.into_pyobject(py)?.into_any(),
        ];
        PyTuple::new(py, fields)
    }
}

/// Ends it, and gives the events, how many more there were, and the lines by their numbers, from one.
#[pyfunction]
fn take_events(py: Python<'_>) -> (EventLog, usize, Vec<Line>) {
    listen(false);
    let (pieces, lost) = cuprum_graph::take_events();
    let (asked, table, gone) = {
        let mut lines = lock();
        lines.numbers = None;
        (std::mem::take(&mut lines.asked), std::mem::take(&mut lines.table), lines.functions.take())
    };
    drop(gone);
    (EventLog::new(py, pieces, asked), lost, table)
}

fn device_of(kind: DeviceKind) -> Option<DeviceRef> {
    match kind {
        DeviceKind::Cpu => None,
        DeviceKind::Cuda(ordinal) => cuprum_cuda::device(ordinal).ok().map(|device| device as DeviceRef),
    }
}

/// Nanoseconds of the clock that events are timed by.
#[pyfunction(name = "event_clock")]
fn clock() -> u64 {
    event_clock()
}

pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    cuprum_graph::set_line_function(current_line);
    module.add_function(wrap_pyfunction!(listen_to_events, module)?)?;
    module.add_function(wrap_pyfunction!(take_events, module)?)?;
    module.add_function(wrap_pyfunction!(clock, module)?)
}
