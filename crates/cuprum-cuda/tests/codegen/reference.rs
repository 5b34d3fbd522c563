//! A Program's results computed the plain way, one element after the other, as numbers.

use cuprum_core::{DType, Layout, Number, Op, Reduction, Scalar};
use cuprum_graph::{InstrKind, Program};

/// The element of a memory at a byte offset.
fn read(memory: &[u8], at: isize, dtype: DType) -> Scalar {
    let at = at as usize;
    let mut bytes = [0; 16];
    bytes[..dtype.size()].copy_from_slice(&memory[at..at + dtype.size()]);
    if dtype == DType::Bool {
        bytes[0] = u8::from(bytes[0] != 0);
    }
    Scalar::from_bytes(dtype, &bytes[..dtype.size()])
}

pub fn offset(layout: &Layout, index: &[usize]) -> isize {
    layout.offset as isize + index.iter().zip(&layout.strides).map(|(&i, &s)| i as isize * s).sum::<isize>()
}

fn parts(x: Number) -> (f64, f64) {
    match x {
        Number::Bool(b) => (f64::from(u8::from(b)), 0.0),
        Number::Int(i) => (i as f64, 0.0),
        Number::Float(x) | Number::Huge(x) => (x, 0.0),
        Number::Complex(re, im) => (re, im),
    }
}

/// An op on numbers; the few that the tests use.
pub fn apply(op: Op, args: &[Number]) -> Number {
    use Number::{Bool, Complex, Float, Int};
    match (op, args) {
        (Op::Where, [condition, a, b]) => {
            if *condition == Bool(true) {
                *a
            } else {
                *b
            }
        }
        (Op::Negative, [Float(a)]) => Float(-a),
        (Op::Square, [Float(a)]) => Float(a * a),
        (Op::Sqrt, [Float(a)]) => Float(a.sqrt()),
        (Op::Greater, [a, b]) => Bool(parts(*a).0 > parts(*b).0),
        (Op::Add, [Bool(a), Bool(b)]) => Bool(a | b),
        (Op::Add, [Int(a), Int(b)]) => Int(a.wrapping_add(*b)),
        (Op::Subtract, [Int(a), Int(b)]) => Int(a.wrapping_sub(*b)),
        (Op::Multiply, [Int(a), Int(b)]) => Int(a.wrapping_mul(*b)),
        (Op::Add, [Float(a), Float(b)]) => Float(a + b),
        (Op::Subtract, [Float(a), Float(b)]) => Float(a - b),
        (Op::Multiply, [Float(a), Float(b)]) => Float(a * b),
        (Op::Divide, [Float(a), Float(b)]) => Float(a / b),
        (Op::Add, [Complex(a, b), Complex(c, d)]) => Complex(a + c, b + d),
        (Op::Multiply, [Complex(a, b), Complex(c, d)]) => Complex(a * c - b * d, a * d + b * c),
        _ => panic!("the reference has no {} of {args:?}", op.name()),
    }
}

/// All registers at an index.
fn registers(program: &Program, inputs: &[&[u8]], index: &[usize]) -> Vec<Scalar> {
    let mut regs: Vec<Scalar> = Vec::new();
    for (input, memory) in program.inputs.iter().zip(inputs) {
        regs.push(read(memory, offset(&input.layout, index), input.dtype));
    }
    regs.extend(&program.params);
    for instr in &program.code {
        let args: Vec<Number> = instr.args.iter().map(|&a| regs[a as usize].number()).collect();
        let number = match instr.kind {
            InstrKind::Map(op) => apply(op, &args),
            InstrKind::Cast => args[0],
            InstrKind::Iota(axis) => Number::Int(index[axis] as i128),
            InstrKind::Take => {
                unreachable!("no Program here has a table: tests/cuda/test_takes.py runs those")
            }
            InstrKind::Reduce(_) => unreachable!("elements are computed one by one here"),
        };
        regs.push(Scalar::wrapping(number, instr.output));
    }
    regs
}

/// Every index of a shape, in C order.
pub fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<'_> {
    (0..shape.iter().product::<usize>()).map(|position| {
        let mut rest = position;
        let mut index = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            index[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        index
    })
}

fn write(memory: &mut [u8], at: isize, value: Scalar) {
    let at = at as usize;
    memory[at..at + value.bytes().len()].copy_from_slice(value.bytes());
}

/// Runs a Program on copies of its memories, in the order in which the device gets them.
pub fn run(program: &Program, inputs: &[&[u8]], outputs: &mut [Vec<u8>]) {
    let mut groups: std::collections::BTreeMap<Vec<usize>, Vec<Vec<Scalar>>> = Default::default();
    for index in indices(&program.shape) {
        let regs = registers(program, inputs, &index);
        for (output, memory) in program.outputs.iter().zip(outputs.iter_mut()) {
            write(memory, offset(&output.layout, &index), regs[output.reg as usize].cast(output.dtype));
        }
        if let Some(reduce) = &program.reduce {
            let kept = (0..index.len()).filter(|a| !reduce.axes.contains(a)).map(|a| index[a]).collect();
            let elements = reduce.results.iter().map(|r| regs[r.reg as usize]).collect();
            groups.entry(kept).or_default().push(elements);
        }
    }
    let Some(reduce) = &program.reduce else { return };
    let mut results: Vec<Vec<u8>> = Vec::new();
    for (nth, reduced_to) in reduce.results.iter().enumerate() {
        let layout = &reduce.epilogue.inputs[nth].layout;
        let mut memory = vec![0; layout.extent(reduced_to.output.size()).1];
        for kept in indices(&layout.shape) {
            let elements: Vec<Scalar> = groups.get(&kept).into_iter().flatten().map(|e| e[nth]).collect();
            let value = reduced(reduced_to.op, reduced_to.dtype, &elements);
            write(&mut memory, offset(layout, &kept), Scalar::wrapping(value, reduced_to.output));
        }
        results.push(memory);
    }
    let mut late: Vec<&[u8]> = results.iter().map(Vec::as_slice).collect();
    late.extend(&inputs[program.inputs.len()..]);
    run(&reduce.epilogue, &late, &mut outputs[program.outputs.len()..]);
}

fn order(x: Number) -> (f64, f64) {
    parts(x)
}

fn is_nan(x: Number) -> bool {
    let (re, im) = parts(x);
    re.is_nan() || im.is_nan()
}

fn below(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a < b,
        _ => {
            let (a, b) = (order(a), order(b));
            a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
        }
    }
}

/// A reduction in index order, sums in float64.
fn reduced(op: Reduction, dtype: DType, elements: &[Scalar]) -> Number {
    use Number::{Bool, Complex, Float, Int};
    let numbers: Vec<Number> = elements.iter().map(Scalar::number).collect();
    let truth = |x: &Number| parts(*x).0 != 0.0 || parts(*x).1 != 0.0;
    let best = |max: bool, skip: bool| {
        let mut found = 0;
        for at in 1..numbers.len() {
            let (a, b) = (numbers[found], numbers[at]);
            let better = if max { below(a, b) } else { below(b, a) };
            let take =
                if skip { better || (is_nan(a) && !is_nan(b)) } else { !is_nan(a) && (better || is_nan(b)) };
            if take {
                found = at;
            }
        }
        found
    };
    let fold = |op: Op, start: Number| {
        numbers.iter().fold(start, |acc, &x| match apply(op, &[acc, x]) {
            Int(i) => Scalar::wrapping(Int(i), dtype).number(),
            other => other,
        })
    };
    match op {
        Reduction::Sum | Reduction::Prod if dtype == DType::Bool => {
            Bool(if op == Reduction::Sum { numbers.iter().any(truth) } else { numbers.iter().all(truth) })
        }
        Reduction::Sum | Reduction::Prod => {
            let one = if op == Reduction::Sum { 0.0 } else { 1.0 };
            let start = match Scalar::zero(dtype).number() {
                Int(_) => Int(one as i128),
                Complex(..) => Complex(one, 0.0),
                _ => Float(one),
            };
            fold(if op == Reduction::Sum { Op::Add } else { Op::Multiply }, start)
        }
        Reduction::Min => numbers[best(false, false)],
        Reduction::Max => numbers[best(true, false)],
        Reduction::Fmin => numbers[best(false, true)],
        Reduction::Fmax => numbers[best(true, true)],
        Reduction::ArgMin => Int(best(false, false) as i128),
        Reduction::ArgMax => Int(best(true, false) as i128),
        Reduction::Any => Bool(numbers.iter().any(truth)),
        Reduction::All => Bool(numbers.iter().all(truth)),
        Reduction::Xor => Bool(numbers.iter().filter(|x| truth(x)).count() % 2 == 1),
        Reduction::Count => Int(numbers.iter().filter(|x| truth(x)).count() as i128),
        Reduction::BitAnd | Reduction::BitOr | Reduction::BitXor => {
            let bits = |x: &Number| match x {
                Int(i) => *i,
                other => i128::from(truth(other)),
            };
            let all = numbers.iter().map(bits);
            Int(match op {
                Reduction::BitAnd => all.fold(-1, |a, b| a & b),
                Reduction::BitOr => all.fold(0, |a, b| a | b),
                _ => all.fold(0, |a, b| a ^ b),
            })
        }
        Reduction::Variance => {
            let n = numbers.len() as f64;
            let (re, im) =
                numbers.iter().map(|x| parts(*x)).fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
            let (re, im) = (re / n, im / n);
            let far = |x: &Number| {
                let (a, b) = parts(*x);
                (a - re) * (a - re) + (b - im) * (b - im)
            };
            Float(numbers.iter().map(far).sum())
        }
        Reduction::Fold(op) => numbers
            .iter()
            .copied()
            .reduce(|a, b| Scalar::wrapping(apply(op, &[a, b]), dtype).number())
            .expect("something to fold"),
    }
}
