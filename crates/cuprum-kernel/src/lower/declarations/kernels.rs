//! Kernels: what a launch gives them, and what it is checked against.

use crate::Span;
use crate::ast;
use crate::check::layout::round_up;
use crate::check::types::{TypeClass, TypeId};
use crate::ir::{self, Element, Kernel, Op, Parameter, ParameterKind};

use crate::lower::memory::value::Address;
use crate::lower::names::scope::Place;
use crate::lower::{InstanceId, Lowering, Result, fault};

/// No kernel takes more bytes of parameters than this.
const MAX_PARAMETER_BYTES: u64 = 32_764;
/// The most blocks of a cluster that every GPU with clusters has.
const MAX_CLUSTER_BLOCKS: u64 = 8;

impl Lowering {
    /// A kernel's parameters and bounds.
    pub fn kernel_of(&mut self, ast: &ast::Function, params: &[TypeId], id: InstanceId) -> Result<Kernel> {
        let mut parameters = Vec::new();
        let mut offset = 0;
        for (at, &ty) in params.iter().enumerate() {
            let (name, span) = match ast.parameters.get(at).or(ast.parameters.last()) {
                Some(parameter) => {
                    let name = parameter.name.map_or(String::new(), |name| self.text(name).to_owned());
                    (if name.is_empty() { format!("#{}", at + 1) } else { name }, parameter.span)
                }
                None => (format!("#{}", at + 1), ast.span),
            };
            // A reference is passed as the address of what it refers to.
            let (bytes, align) = match self.types.is_reference(ty) {
                true => (8, 8),
                false => self.layout_of(ty, span)?,
            };
            let at = round_up(offset, align).unwrap_or(u64::MAX);
            offset = at.saturating_add(bytes);
            if offset > MAX_PARAMETER_BYTES {
                return Err(fault(
                    span,
                    format!("a kernel's parameters may take {MAX_PARAMETER_BYTES} bytes, these take more"),
                ));
            }
            parameters.push(Parameter {
                name,
                type_name: self.types.name(ty),
                kind: self.parameter_kind(ty),
                offset: at as u32,
                bytes: bytes as u32,
                align: align as u32,
            });
        }
        let max_threads = match ast.specifiers.launch_bounds.first() {
            Some(expr) => {
                let scope = self.scope_of(id);
                let bound = self.in_scope(scope, |this| this.constant(expr))?;
                if bound.bits == 0 || bound.bits > 1024 {
                    return Err(fault(
                        expr.span,
                        format!("__launch_bounds__ is of 1 to 1024 threads, not {}", bound.bits),
                    ));
                }
                Some(bound.bits as u32)
            }
            None => None,
        };
        let cluster = self.cluster_dims(id, &ast.specifiers.cluster_dims)?;
        Ok(Kernel { params: parameters, param_bytes: offset as u32, max_threads, cluster })
    }

    /// The numbers of `__cluster_dims__`.
    fn cluster_dims(&mut self, id: InstanceId, exprs: &[ast::Expr]) -> Result<[u32; 3]> {
        let mut cluster = [1u32; 3];
        for (at, expr) in exprs.iter().enumerate() {
            let scope = self.scope_of(id);
            let extent = self.in_scope(scope, |this| this.constant(expr))?;
            let blocks = cluster.iter().map(|extent| u64::from(*extent)).product::<u64>();
            if at == 3 || extent.bits == 0 || extent.bits.saturating_mul(blocks) > MAX_CLUSTER_BLOCKS {
                let most = MAX_CLUSTER_BLOCKS;
                return Err(fault(
                    expr.span,
                    format!("__cluster_dims__ is of up to three extents and {most} blocks"),
                ));
            }
            cluster[at] = extent.bits as u32;
        }
        Ok(cluster)
    }

    fn parameter_kind(&mut self, ty: TypeId) -> ParameterKind {
        if self.types.is_reference(ty) {
            let to = self.types.referred(ty);
            return ParameterKind::Pointer { to: self.element(to), constant: to.is_const() };
        }
        if let Some(to) = self.types.pointee(ty) {
            return ParameterKind::Pointer { to: self.element(to), constant: to.is_const() };
        }
        let element = self.element(ty);
        match element {
            Element::Other { .. } if self.types.as_struct(ty).is_some() => ParameterKind::Struct,
            element => ParameterKind::Scalar(element),
        }
    }

    fn element(&mut self, ty: TypeId) -> Element {
        let mut ty = ty;
        while let Some((of, _)) = self.types.as_array(ty) {
            ty = of;
        }
        if let Some(id) = self.types.as_struct(ty) {
            let _ = self.complete_if_possible(id);
        }
        let bytes = self.types.size(ty).unwrap_or(0) as u32;
        let own = ty.bare();
        if own.is_void() {
            return Element::Void;
        }
        if own.is_bool() {
            return Element::Bool;
        }
        if own.is_float() {
            return Element::Float(bytes as u8);
        }
        if own.is_integer() {
            return if own.is_signed() {
                Element::Signed(bytes as u8)
            } else {
                Element::Unsigned(bytes as u8)
            };
        }
        if let TypeClass::Struct(id) = *self.types.kind(ty) {
            let name = self.types.get(id).name.clone();
            let last = name.rsplit("::").next().unwrap_or(&name);
            return match last {
                "complex<float>" => Element::Complex(8),
                "complex<double>" => Element::Complex(16),
                "__half" | "half" | "float16" => Element::Float(2),
                "__nv_bfloat16" => Element::Bfloat,
                _ => Element::Other { bytes },
            };
        }
        Element::Other { bytes }
    }

    /// A parameter of the kernel that is being lowered: numbers are read into locals, structs into slots.
    pub fn kernel_parameter(&mut self, name: &str, ty: TypeId, at: usize, span: Span) -> Result<Place> {
        let frame = self.frame.number;
        let offset = match &self.frame.b.function.kernel {
            Some(kernel) => kernel.params[at].offset,
            None => 0,
        };
        if self.types.is_reference(ty) {
            let base = self.launch_parameter(ir::Type::POINTER, offset, name);
            return Ok(Place::Address { frame, base, offset: 0 });
        }
        if let Some(kind) = self.types.ir(ty) {
            let index = self.new_variable(kind, name);
            let dst = self.frame.variables[index as usize].local;
            self.b().emit(Op::Parameter { dst, offset });
            return Ok(Place::Local { frame, index });
        }
        let (bytes, align) = self.layout_of(ty, span)?;
        let slot = self.new_slot(name, bytes, align, span)?;
        let address = self.slot_address(slot);
        match self.types.leaves(ty, 4096) {
            Some(leaves) => {
                for (leaf_offset, leaf) in leaves {
                    let kind = self.ir_type(leaf, span)?;
                    self.copy_parameter(kind, offset + leaf_offset as u32, address, leaf_offset);
                }
            }
            // Unions and bit-fields: by words of the struct's alignment.
            None => {
                let kind = ir::Type::word(align as u32);
                let step = u64::from(kind.bytes());
                for word in 0..bytes / step {
                    self.copy_parameter(kind, offset + (word * step) as u32, address, word * step);
                }
            }
        }
        Ok(Place::Slot { frame, slot })
    }

    fn copy_parameter(&mut self, kind: ir::Type, offset: u32, to: Address, at: u64) {
        let value = self.launch_parameter(kind, offset, "");
        self.b().store(to.base, to.offset + at as i64, value);
    }
}
