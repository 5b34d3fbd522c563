//! Arguments as the bytes that a kernel takes, checked against its signature where that is known.

use std::borrow::Cow;

use cuprum_core::{DType, Error, Number, Scalar};
use cuprum_graph::{Buffer, DeviceRef, readied_buffer, same_device};
use cuprum_jit::Extent;
use cuprum_kernel::ir::{Element, Parameter, ParameterKind};
use smallvec::SmallVec;

use super::number::{Refusal, convert, dtype_of};
use super::{Argument, KernelResult};
use crate::Array;

/// Parameters of an unknown signature each begin at a multiple of this.
const UNKNOWN_ALIGNMENT: usize = 16;

/// The parameters of one launch.
#[derive(Default)]
pub(super) struct PackedArguments {
    /// Their bytes.
    pub bytes: SmallVec<[u8; 256]>,
    /// Where each begins.
    pub starts: SmallVec<[u32; 16]>,
    /// The memory that each may reach.
    pub extents: SmallVec<[Option<Extent>; 16]>,
    /// The arrays' memory, kept until the launch is over.
    pub buffers: SmallVec<[Buffer; 8]>,
}

/// A kernel's signature, as far as it is known.
pub(super) enum KernelSignature {
    /// All of it.
    Full { params: Vec<Parameter>, bytes: usize },
    /// The sizes of its parameters.
    Sizes(Vec<usize>),
    /// Nothing.
    Unknown,
}

impl KernelSignature {
    /// The signature that the text gives, unless the driver contradicts it: then the driver's.
    pub(super) fn checked(
        read: Option<(Vec<Parameter>, usize)>,
        sizes: Option<Vec<usize>>,
    ) -> KernelSignature {
        match (read, sizes) {
            (Some((params, bytes)), sizes)
                if sizes.as_ref().is_none_or(|sizes| {
                    sizes.len() == params.len()
                        && sizes.iter().zip(&params).all(|(size, param)| *size == param.bytes as usize)
                }) =>
            {
                KernelSignature::Full { params, bytes }
            }
            (_, Some(sizes)) => KernelSignature::Sizes(sizes),
            (_, None) => KernelSignature::Unknown,
        }
    }

    fn count(&self) -> Option<usize> {
        match self {
            KernelSignature::Full { params, .. } => Some(params.len()),
            KernelSignature::Sizes(sizes) => Some(sizes.len()),
            KernelSignature::Unknown => None,
        }
    }
}

/// Checks and packs the arguments; what is pending on arrays runs first. `packed` is empty before.
pub(super) fn pack(
    packed: &mut PackedArguments,
    kernel: &str,
    device: DeviceRef,
    signature: &KernelSignature,
    strided: bool,
    arguments: &[Argument],
) -> KernelResult<()> {
    if let Some(wanted) = signature.count().filter(|wanted| *wanted != arguments.len()) {
        let names = match signature {
            KernelSignature::Full { params, .. } if !params.is_empty() => {
                let shown: Vec<String> =
                    params.iter().map(|p| format!("{} {}", p.type_name, p.name)).collect();
                format!(" ({})", shown.join(", "))
            }
            _ => String::new(),
        };
        let s = if wanted == 1 { "" } else { "s" };
        let message = format!("takes {wanted} argument{s}{names}, got {}", arguments.len());
        return Err(type_error(kernel, message).into());
    }
    if let KernelSignature::Full { bytes, .. } = signature {
        packed.bytes.resize(*bytes, 0);
    }
    for (number, argument) in arguments.iter().enumerate() {
        let place = ArgumentPlace { kernel, number, device, strided };
        match signature {
            KernelSignature::Full { params, .. } => place.typed(packed, &params[number], argument)?,
            KernelSignature::Sizes(sizes) => place.sized(packed, Some(sizes[number]), argument)?,
            KernelSignature::Unknown => place.sized(packed, None, argument)?,
        }
    }
    Ok(())
}

/// The place of one argument, for messages.
struct ArgumentPlace<'a> {
    kernel: &'a str,
    number: usize,
    device: DeviceRef,
    strided: bool,
}

impl ArgumentPlace<'_> {
    fn typed(
        &self,
        packed: &mut PackedArguments,
        param: &Parameter,
        argument: &Argument,
    ) -> KernelResult<()> {
        packed.starts.push(param.offset);
        let mut extent = None;
        let at = param.offset as usize;
        let mut put = |bytes: &[u8]| packed.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        match (&param.kind, argument) {
            (ParameterKind::Pointer { constant: false, .. }, Argument::Element(_)) => {
                return Err(self.lost_write(&self.name(param)).into());
            }
            (
                ParameterKind::Pointer { to, constant },
                Argument::Array(array) | Argument::Element(array) | Argument::ElementView(array),
            ) => {
                if !fits_pointer(to, array.dtype()) {
                    let hint = hint(to, array.dtype());
                    return Err(self.mismatch(param, argument, &hint).into());
                }
                if !*constant && !array.is_writeable() {
                    let message = format!(
                        "{} is {}, which the kernel may write, got a read-only array: declare it const, or pass a copy",
                        self.name(param),
                        param.type_name
                    );
                    return Err(value_error(self.kernel, message).into());
                }
                let (buffer, address) = self.memory(array, !*constant, || self.name(param))?;
                put(&address.to_le_bytes());
                extent = Some(extent_of(&buffer, array.is_writeable() && !*constant));
                packed.buffers.push(buffer);
            }
            (ParameterKind::Pointer { .. }, Argument::Null | Argument::Number(_) | Argument::Scalar(_))
                if param.is_reference() =>
            {
                let hint = ": a reference is passed as an address, pass an array of one element";
                return Err(self.mismatch(param, argument, hint).into());
            }
            (ParameterKind::Pointer { .. }, Argument::Null) => put(&0usize.to_le_bytes()),
            (ParameterKind::Pointer { constant, .. }, Argument::Memory { address, extent: known }) => {
                put(&address.to_le_bytes());
                extent = known.map(|(start, bytes)| Extent { start, bytes, writable: !*constant });
            }
            (ParameterKind::Pointer { .. }, Argument::Number(Number::Int(address))) => {
                let address = usize::try_from(*address).map_err(|_| self.mismatch(param, argument, ""))?;
                put(&address.to_le_bytes());
            }
            (ParameterKind::Pointer { .. }, Argument::Scalar(scalar)) if is_address(scalar) => {
                put(scalar.bytes());
            }
            (ParameterKind::Scalar(element), Argument::Number(_) | Argument::Scalar(_)) => {
                let dtype = dtype_of(element).or_else(|| enum_dtype(element));
                let dtype = dtype.ok_or_else(|| self.mismatch(param, argument, ""))?;
                put(self.number(param, dtype, argument)?.bytes());
            }
            (
                ParameterKind::Scalar(_) | ParameterKind::Struct,
                Argument::Element(array) | Argument::ElementView(array),
            ) => {
                packed.starts.pop();
                return self.typed(packed, param, &Argument::Scalar(array.scalar()?));
            }
            (ParameterKind::Struct | ParameterKind::Scalar(_), Argument::Bytes(bytes, _)) => {
                if bytes.len() != param.bytes as usize {
                    let hint = format!(": {} bytes, not {}", bytes.len(), param.bytes);
                    return Err(self.mismatch(param, argument, &hint).into());
                }
                put(bytes);
            }
            (ParameterKind::Struct, Argument::Prefix(bytes, _)) => {
                let Some(taken) = bytes.get(..param.bytes as usize) else {
                    let hint = format!(": {} bytes, not {}", bytes.len(), param.bytes);
                    return Err(self.mismatch(param, argument, &hint).into());
                };
                put(taken);
            }
            (ParameterKind::Struct, Argument::Number(Number::Complex(..))) if is_pair(param) => {
                let dtype = if param.bytes == 8 { DType::C64 } else { DType::C128 };
                put(self.number(param, dtype, argument)?.bytes());
            }
            // A struct of one number's size, such as a float2 for a complex number.
            (ParameterKind::Struct, Argument::Scalar(scalar))
                if scalar.bytes().len() == param.bytes as usize =>
            {
                put(scalar.bytes());
            }
            (ParameterKind::Scalar(_) | ParameterKind::Struct, Argument::Memory { address, .. })
                if param.bytes == 8 =>
            {
                put(&address.to_le_bytes());
            }
            _ => return Err(self.mismatch(param, argument, "").into()),
        }
        packed.extents.push(extent);
        Ok(())
    }

    /// The error for a single element whose parameter the kernel may write through: what it writes would be lost.
    fn lost_write(&self, name: &str) -> Error {
        let message = format!(
            "{name} may be written by the kernel, and got a single element taken by an index, which is a copy: pass a \
             view such as a[i, ...]"
        );
        value_error(self.kernel, message)
    }

    fn number(&self, param: &Parameter, dtype: DType, argument: &Argument) -> KernelResult<Scalar> {
        let number = match argument {
            Argument::Number(number) => *number,
            Argument::Scalar(scalar) => scalar.number(),
            _ => return Err(self.mismatch(param, argument, "").into()),
        };
        Ok(convert(number, dtype).map_err(|refusal| match refusal {
            Refusal::Kind => self.mismatch(param, argument, ""),
            Refusal::Range => {
                let message = format!(
                    "{} is {}, which cannot hold {}",
                    self.name(param),
                    param.type_name,
                    show(number)
                );
                value_error(self.kernel, message)
            }
        })?)
    }

    /// An argument for a parameter of which at most the size is known: numbers go as CuPy passes them, in eight bytes
    /// unless the size says otherwise.
    fn sized(
        &self,
        packed: &mut PackedArguments,
        size: Option<usize>,
        argument: &Argument,
    ) -> KernelResult<()> {
        let at = packed.bytes.len().next_multiple_of(UNKNOWN_ALIGNMENT);
        packed.bytes.resize(at, 0);
        packed.starts.push(at as u32);
        let mut extent = None;
        match argument {
            Argument::Null => packed.bytes.extend_from_slice(&0usize.to_le_bytes()),
            Argument::Array(array) | Argument::ElementView(array) => {
                // What is not known to be const may be written.
                let name = || format!("parameter {}", self.number);
                let (buffer, address) = self.memory(array, true, name)?;
                packed.bytes.extend_from_slice(&address.to_le_bytes());
                extent = Some(extent_of(&buffer, array.is_writeable()));
                packed.buffers.push(buffer);
            }
            Argument::Element(_) => {
                return Err(self.lost_write(&format!("parameter {}", self.number)).into());
            }
            Argument::Memory { address, extent: known } => {
                packed.bytes.extend_from_slice(&address.to_le_bytes());
                extent = known.map(|(start, bytes)| Extent { start, bytes, writable: true });
            }
            Argument::Number(number) => {
                let dtype = wire_dtype(*number, size);
                let scalar = convert(*number, dtype).map_err(|_| {
                    let message =
                        format!("parameter {} cannot hold {} as {dtype}", self.number, show(*number));
                    value_error(self.kernel, message)
                })?;
                packed.bytes.extend_from_slice(scalar.bytes());
            }
            Argument::Scalar(scalar) => packed.bytes.extend_from_slice(scalar.bytes()),
            Argument::Bytes(bytes, _) => packed.bytes.extend_from_slice(bytes),
            Argument::Prefix(bytes, _) => {
                let taken = size.map_or(bytes.len(), |size| size.min(bytes.len()));
                packed.bytes.extend_from_slice(&bytes[..taken]);
            }
        }
        let given = packed.bytes.len() - at;
        if let Some(wanted) = size.filter(|wanted| *wanted != given) {
            let message = format!(
                "parameter {} has {wanted} bytes, got {} of {given} bytes",
                self.number,
                argument.describe()
            );
            return Err(type_error(self.kernel, message).into());
        }
        packed.extents.push(extent);
        Ok(())
    }

    /// An array's memory and the address of its first element, after what is pending on it has run.
    fn memory(
        &self,
        array: &Array,
        writes: bool,
        name: impl Fn() -> String,
    ) -> KernelResult<(Buffer, usize)> {
        if !same_device(array.device(), self.device) {
            let message = format!(
                "{} is an array on {}, the kernel runs on {}: move it with asarray(x, device=...)",
                name(),
                array.device().name(),
                self.device.name()
            );
            return Err(value_error(self.kernel, message).into());
        }
        if !self.strided && !array.is_contiguous() && !array.is_fortran() {
            let message = format!(
                "{} is an array of shape {:?} and strides {:?}, whose elements do not lie side by side; a kernel \
                 gets a pointer and does not see strides: pass cp.ascontiguousarray(x)",
                name(),
                array.shape(),
                array.strides()
            );
            return Err(value_error(self.kernel, message).into());
        }
        let buffer = if writes { readied_buffer(array.view())? } else { array.force()? };
        let address = buffer.address() + array.layout().offset;
        Ok((buffer, address))
    }

    fn name(&self, param: &Parameter) -> String {
        format!("parameter {} '{}'", self.number, param.name)
    }

    fn mismatch(&self, param: &Parameter, argument: &Argument, hint: &str) -> Error {
        let message =
            format!("{} is {}, got {}{hint}", self.name(param), param.type_name, argument.describe());
        type_error(self.kernel, message)
    }
}

fn type_error(kernel: &str, message: String) -> Error {
    Error::Type { op: Cow::Owned(kernel.to_string()), message }
}

fn value_error(kernel: &str, message: String) -> Error {
    Error::Value { op: Cow::Owned(kernel.to_string()), message }
}

fn extent_of(buffer: &Buffer, writable: bool) -> Extent {
    Extent { start: buffer.address(), bytes: buffer.bytes(), writable }
}

fn is_address(scalar: &Scalar) -> bool {
    matches!(scalar.dtype(), DType::I64 | DType::U64)
}

fn show(number: Number) -> String {
    match number {
        Number::Bool(value) => value.to_string(),
        Number::Int(value) => value.to_string(),
        Number::Float(value) | Number::Huge(value) => format!("{value:?}"),
        Number::Complex(re, im) => format!("({re:?}{im:+?}j)"),
    }
}

/// The dtype of an enum's values.
fn enum_dtype(element: &Element) -> Option<DType> {
    Some(match element {
        Element::Other { bytes: 1 } => DType::I8,
        Element::Other { bytes: 2 } => DType::I16,
        Element::Other { bytes: 4 } => DType::I32,
        Element::Other { bytes: 8 } => DType::I64,
        _ => return None,
    })
}

/// Whether a struct is one of CUDA's pairs of floats, which complex numbers are made of.
fn is_pair(param: &Parameter) -> bool {
    let name = param.type_name.as_str();
    matches!(param.bytes, 8 | 16) && ["omplex", "float2", "double2"].iter().any(|known| name.ends_with(known))
}

/// The dtype that a Python number has on its way to a parameter of a known size at most.
fn wire_dtype(number: Number, size: Option<usize>) -> DType {
    match (number, size) {
        (Number::Bool(_), Some(4)) | (Number::Int(_), Some(4)) => DType::I32,
        (Number::Bool(_), Some(8)) => DType::I64,
        (Number::Bool(_), _) => DType::Bool,
        (Number::Int(_), Some(1)) => DType::I8,
        (Number::Int(_), Some(2)) => DType::I16,
        (Number::Int(value), _) if value > i64::MAX as i128 => DType::U64,
        (Number::Int(_) | Number::Huge(_), _) => DType::I64,
        (Number::Float(_), Some(4)) => DType::F32,
        (Number::Float(_), Some(2)) => DType::F16,
        (Number::Float(_), _) => DType::F64,
        (Number::Complex(..), Some(8)) => DType::C64,
        (Number::Complex(..), _) => DType::C128,
    }
}

/// Whether an array of a dtype may be given for a pointer: the same numbers, or bytes that the kernel will read its own way.
fn fits_pointer(to: &Element, dtype: DType) -> bool {
    match to {
        Element::Void | Element::Other { .. } | Element::Signed(1) | Element::Unsigned(1) => true,
        Element::Bool => dtype == DType::Bool,
        // Texts without a half type take halves as unsigned short.
        Element::Signed(size) | Element::Unsigned(size) => {
            let integral = dtype.is_integral() || *size == 2 && matches!(dtype, DType::F16 | DType::BF16);
            integral && dtype.size() == usize::from(*size)
        }
        element => dtype_of(element) == Some(dtype),
    }
}

fn hint(to: &Element, dtype: DType) -> String {
    match dtype_of(to) {
        Some(wanted) if dtype.is_complex() && wanted == dtype.real() => {
            format!(": pass x.view(cp.{wanted}) for its parts in turn")
        }
        Some(wanted) => format!(": pass x.astype(cp.{wanted}), or change the kernel"),
        None => String::new(),
    }
}
