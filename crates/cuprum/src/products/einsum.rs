//! Einstein sums: the whole subscript language, contracted pair by pair through the matrix product.

use cuprum_core::{DType, Dims, Error, Layout, Op, Order, Result, result_type};

use super::{multiply_matrices, stored, summed};
use crate::Array;
use crate::manipulation::reshape;

/// A label: a letter, or an axis under the ellipsis counted from its right.
type Label = u32;
/// Labels from here on belong to the ellipsis.
const FIRST_ELLIPSIS_LABEL: Label = 1 << 16;

/// An operand and the label of each of its axes.
struct EinsumTerm {
    array: Array,
    labels: Vec<Label>,
}

/// The sum that the subscripts describe: `einsum("ij,jk->ik", a, b)` is the matrix product.
///
/// ```
/// use cuprum::Array;
/// use cuprum::products::einsum;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert_eq!(einsum("ii", &[&a], None, None).unwrap().item::<i32>().unwrap(), 5);
/// assert_eq!(einsum("ij->ji", &[&a], None, None).unwrap().to_vec::<i32>().unwrap(), vec![1, 3, 2, 4]);
/// ```
pub fn einsum(
    subscripts: &str,
    operands: &[&Array],
    dtype: Option<DType>,
    out: Option<&Array>,
) -> Result<Array> {
    let dtypes: Vec<DType> = operands.iter().map(|a| a.dtype()).collect();
    let dtype = dtype.unwrap_or_else(|| result_type(&dtypes, &[]));
    let text: String = subscripts.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (text.as_str(), None),
    };
    let parts: Vec<&str> = inputs.split(',').collect();
    if operands.is_empty() || parts.len() != operands.len() {
        let message = format!("{} operands for {} subscripts", operands.len(), parts.len());
        return Err(Error::value("einsum", message));
    }
    let labels = parts
        .iter()
        .zip(operands)
        .enumerate()
        .map(|(i, (p, a))| labels_of(p, a, i))
        .collect::<Result<Vec<_>>>()?;
    let output = match output {
        Some(output) => explicit_output(output, &labels)?,
        None => implicit_output(&labels),
    };
    let sizes = Sizes::collect(&labels, operands)?;
    let terms = labels
        .into_iter()
        .zip(operands)
        .map(|(labels, a)| simplified(a, labels, dtype, &sizes))
        .collect::<Result<Vec<EinsumTerm>>>()?;
    stored("einsum", contract_all(terms, &output)?, out)
}

fn is_label(c: char) -> bool {
    c.is_ascii_alphabetic()
}

/// The label of each axis of an operand.
fn labels_of(part: &str, a: &Array, at: usize) -> Result<Vec<Label>> {
    let (before, after) = match part.split_once("...") {
        Some((before, after)) => (before, Some(after)),
        None => (part, None),
    };
    let letters = before.chars().chain(after.unwrap_or("").chars());
    if let Some(c) = letters.clone().find(|c| !is_label(*c)) {
        let message = format!("invalid subscript '{c}' in einstein sum subscripts string");
        return Err(Error::value("einsum", message));
    }
    let named = letters.count();
    let hidden = a.ndim().checked_sub(named).filter(|h| after.is_some() || *h == 0);
    let Some(hidden) = hidden else {
        let message =
            format!("operand {at} has {} dimensions, its subscripts '{part}' name {named}", a.ndim());
        return Err(Error::value("einsum", message));
    };
    let mut labels: Vec<Label> = before.chars().map(Label::from).collect();
    labels.extend((0..hidden).rev().map(|i| FIRST_ELLIPSIS_LABEL + i as Label));
    labels.extend(after.unwrap_or("").chars().map(Label::from));
    Ok(labels)
}

/// The axes under any ellipsis, outermost first.
fn ellipsis_labels(labels: &[Vec<Label>]) -> Vec<Label> {
    let most = labels.iter().flatten().copied().filter(|l| *l >= FIRST_ELLIPSIS_LABEL).max();
    most.map_or_else(Vec::new, |most| (FIRST_ELLIPSIS_LABEL..=most).rev().collect())
}

fn explicit_output(output: &str, labels: &[Vec<Label>]) -> Result<Vec<Label>> {
    let (before, after) = match output.split_once("...") {
        Some((before, after)) => (before, Some(after)),
        None => (output, None),
    };
    let hidden = ellipsis_labels(labels);
    if after.is_none() && !hidden.is_empty() {
        let message = "output has no ellipsis, so the axes under the inputs' ellipsis have no place in it";
        return Err(Error::value("einsum", message));
    }
    let mut result: Vec<Label> = Vec::new();
    for (c, is_mark) in before
        .chars()
        .map(|c| (c, false))
        .chain(after.map(|_| ('.', true)))
        .chain(after.unwrap_or("").chars().map(|c| (c, false)))
    {
        if is_mark {
            result.extend(&hidden);
            continue;
        }
        let label = Label::from(c);
        if !is_label(c) {
            let message = format!("invalid subscript '{c}' in einstein sum subscripts string");
            return Err(Error::value("einsum", message));
        }
        if result.contains(&label) {
            let message =
                format!("einstein sum subscripts string includes output subscript '{c}' multiple times");
            return Err(Error::value("einsum", message));
        }
        if !labels.iter().any(|l| l.contains(&label)) {
            let message = format!(
                "einstein sum subscripts string included output subscript '{c}' which never appeared in an input"
            );
            return Err(Error::value("einsum", message));
        }
        result.push(label);
    }
    Ok(result)
}

/// Without an arrow: the ellipsis, then every letter that appears once, in alphabetical order.
fn implicit_output(labels: &[Vec<Label>]) -> Vec<Label> {
    let all: Vec<Label> = labels.iter().flatten().copied().collect();
    let mut once: Vec<Label> = all
        .iter()
        .copied()
        .filter(|l| *l < FIRST_ELLIPSIS_LABEL && all.iter().filter(|o| *o == l).count() == 1)
        .collect();
    once.sort_unstable();
    let mut output = ellipsis_labels(labels);
    output.extend(once);
    output
}

/// The length of each label.
struct Sizes(Vec<(Label, usize)>);

impl Sizes {
    fn collect(labels: &[Vec<Label>], operands: &[&Array]) -> Result<Sizes> {
        let mut sizes: Vec<(Label, usize)> = Vec::new();
        for (at, (labels, a)) in labels.iter().zip(operands).enumerate() {
            for (axis, (&label, &length)) in labels.iter().zip(a.shape()).enumerate() {
                // Lengths of one are stretched between operands, never along a diagonal.
                let first = labels[..axis].iter().position(|&l| l == label).map_or(length, |x| a.shape()[x]);
                if first != length {
                    let message = format!("operand {at} has lengths {first} and {length} for one subscript");
                    return Err(Error::value("einsum", message));
                }
                match sizes.iter_mut().find(|s| s.0 == label) {
                    None => sizes.push((label, length)),
                    Some(known) if known.1 == length || length == 1 => {}
                    Some(known) if known.1 == 1 => known.1 = length,
                    Some(known) => {
                        let name = char::from_u32(label)
                            .filter(|_| label < FIRST_ELLIPSIS_LABEL)
                            .map_or("...".into(), String::from);
                        let message = format!(
                            "operand {at} has length {length} for subscript '{name}', another operand has {}",
                            known.1
                        );
                        return Err(Error::value("einsum", message));
                    }
                }
            }
        }
        Ok(Sizes(sizes))
    }

    fn of(&self, label: Label) -> usize {
        self.0.iter().find(|s| s.0 == label).map_or(1, |s| s.1)
    }
}

/// An operand in the dtype, each label once: repeated ones become diagonals, and an axis of length one that broadcasts
/// against a longer one goes away.
fn simplified(a: &Array, labels: Vec<Label>, dtype: DType, sizes: &Sizes) -> Result<EinsumTerm> {
    let mut layout = Layout { shape: Dims::new(), strides: Default::default(), offset: a.layout().offset };
    let mut kept: Vec<Label> = Vec::new();
    for (axis, &label) in labels.iter().enumerate() {
        let (length, stride) = (a.shape()[axis], a.strides()[axis]);
        if length == 1 && sizes.of(label) != 1 {
            continue;
        }
        match kept.iter().position(|l| *l == label) {
            Some(place) => layout.strides[place] += stride,
            None => {
                kept.push(label);
                layout.shape.push(length);
                layout.strides.push(stride);
            }
        }
    }
    let array = a.with_layout(layout);
    let array = if array.dtype() == dtype { array } else { array.astype(dtype)? };
    Ok(EinsumTerm { array, labels: kept })
}

/// Contracts from left to right; a label is summed as soon as no other operand needs it.
fn contract_all(terms: Vec<EinsumTerm>, output: &[Label]) -> Result<Array> {
    let mut rest: std::collections::VecDeque<EinsumTerm> = terms.into();
    let mut result = rest.pop_front().expect("there is at least one operand");
    while let Some(next) = rest.pop_front() {
        let needed = |label: Label| output.contains(&label) || rest.iter().any(|t| t.labels.contains(&label));
        result = contract_pair(result, next, needed)?;
    }
    let result = sum_out(result, |label| output.contains(&label))?;
    let order: Dims = output
        .iter()
        .map(|l| result.labels.iter().position(|r| r == l).expect("every output label is in some operand"))
        .collect();
    Ok(result.array.with_layout(result.array.layout().permute(&order)))
}

/// Sums over the labels that are not needed.
fn sum_out(term: EinsumTerm, needed: impl Fn(Label) -> bool) -> Result<EinsumTerm> {
    let axes: Vec<i64> =
        (0..term.labels.len()).filter(|&i| !needed(term.labels[i])).map(|i| i as i64).collect();
    if axes.is_empty() {
        return Ok(term);
    }
    let array = summed("einsum", &term.array, &axes)?;
    Ok(EinsumTerm { array, labels: term.labels.into_iter().filter(|&l| needed(l)).collect() })
}

fn contract_pair(a: EinsumTerm, b: EinsumTerm, needed: impl Fn(Label) -> bool) -> Result<EinsumTerm> {
    let a_only = sum_out(a, |l| needed(l) || b.labels.contains(&l))?;
    let (a, b_before) = (a_only, b);
    let b = sum_out(b_before, |l| needed(l) || a.labels.contains(&l))?;
    let shared = |l: &Label| a.labels.contains(l) && b.labels.contains(l);
    let batch: Vec<Label> = a.labels.iter().copied().filter(|l| shared(l) && needed(*l)).collect();
    let over: Vec<Label> = a.labels.iter().copied().filter(|l| shared(l) && !needed(*l)).collect();
    let left: Vec<Label> = a.labels.iter().copied().filter(|l| !shared(l)).collect();
    let right: Vec<Label> = b.labels.iter().copied().filter(|l| !shared(l)).collect();
    let labels: Vec<Label> = batch.iter().chain(&left).chain(&right).copied().collect();
    if over.is_empty() {
        let aligned = |term: &EinsumTerm| aligned_to(term, &labels);
        return Ok(EinsumTerm { array: aligned(&a).binary(Op::Multiply, &aligned(&b))?, labels });
    }
    let rows = as_matrices(&a, &batch, &left, &over)?;
    let columns = as_matrices(&b, &batch, &over, &right)?;
    let product = multiply_matrices("einsum", &rows, &columns)?;
    let shape: Vec<i64> = labels.iter().map(|&l| length_of(&a, &b, l) as i64).collect();
    Ok(EinsumTerm { array: reshape(&product, &shape, Order::C)?, labels })
}

fn length_of(a: &EinsumTerm, b: &EinsumTerm, label: Label) -> usize {
    let find = |t: &EinsumTerm| t.labels.iter().position(|l| *l == label).map(|i| t.array.shape()[i]);
    find(a).or_else(|| find(b)).unwrap_or(1)
}

/// The operand with its axes in the order of `labels`, and axes of length one for those it lacks.
fn aligned_to(term: &EinsumTerm, labels: &[Label]) -> Array {
    let own = term.array.layout();
    let mut layout = Layout { shape: Dims::new(), strides: Default::default(), offset: own.offset };
    for label in labels {
        let place = term.labels.iter().position(|l| l == label);
        layout.shape.push(place.map_or(1, |i| own.shape[i]));
        layout.strides.push(place.map_or(0, |i| own.strides[i]));
    }
    term.array.with_layout(layout)
}

/// The operand as a stack of matrices: (batch, rows, columns).
fn as_matrices(term: &EinsumTerm, batch: &[Label], rows: &[Label], columns: &[Label]) -> Result<Array> {
    let order: Vec<Label> = batch.iter().chain(rows).chain(columns).copied().collect();
    let aligned = aligned_to(term, &order);
    let length =
        |from: usize, count: usize| aligned.shape()[from..from + count].iter().product::<usize>() as i64;
    let shape = [
        length(0, batch.len()),
        length(batch.len(), rows.len()),
        length(batch.len() + rows.len(), columns.len()),
    ];
    reshape(&aligned, &shape, Order::C)
}
