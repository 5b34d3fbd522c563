//! Ways to the runtime that leave all registers as they are: what stands around a call that is hardly ever made keeps
//! its values in registers.

use std::mem::offset_of;
use std::sync::OnceLock;

use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, UserFuncName, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::Module as _;

use super::emitter::OWN;
use super::unit::isa;
use crate::context::Context;
use crate::entry;

/// Addresses of the thunks. They take what their functions take and put the status into the context.
pub(super) struct Thunks {
    pub poll: usize,
    pub look_up: usize,
}

pub(super) const POLL: [types::Type; 1] = [types::I64];
pub(super) const LOOK_UP: [types::Type; 6] =
    [types::I64, types::I32, types::I32, types::I64, types::I64, types::I32];

/// Made once for the process.
pub(super) fn thunks() -> Result<&'static Thunks, String> {
    static THUNKS: OnceLock<Result<Thunks, String>> = OnceLock::new();
    THUNKS.get_or_init(make).as_ref().map_err(Clone::clone)
}

fn make() -> Result<Thunks, String> {
    let mut jit = JITModule::new(JITBuilder::with_isa(isa()?, cranelift_module::default_libcall_names()));
    let poll = thunk(&mut jit, &POLL, entry::poll as *const u8)?;
    let look_up = thunk(&mut jit, &LOOK_UP, entry::look_up as *const u8)?;
    jit.finalize_definitions().map_err(|e| e.to_string())?;
    let address = |id| jit.get_finalized_function(id) as usize;
    let thunks = Thunks { poll: address(poll), look_up: address(look_up) };
    // The code lives as long as the process.
    std::mem::forget(jit);
    Ok(thunks)
}

fn thunk(
    jit: &mut JITModule,
    params: &[types::Type],
    target: *const u8,
) -> Result<cranelift_module::FuncId, String> {
    let config = jit.isa().frontend_config();
    let mut outer = Signature::new(CallConv::PreserveAll);
    outer.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
    let mut inner = Signature::new(config.default_call_conv);
    inner.params.clone_from(&outer.params);
    inner.returns.push(AbiParam::new(types::I32));

    let id = jit.declare_anonymous_function(&outer).map_err(|e| e.to_string())?;
    let mut context = jit.make_context();
    context.func.signature = outer;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let mut builder_context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut context.func, &mut builder_context);
    let block = b.create_block();
    b.append_block_params_for_function_params(block);
    b.switch_to_block(block);
    let args = b.block_params(block).to_vec();
    let signature = b.import_signature(inner);
    let address = b.ins().iconst(config.pointer_type(), target as i64);
    let call = b.ins().call_indirect(signature, address, &args);
    let status = b.inst_results(call)[0];
    b.ins().store(OWN, status, args[0], offset_of!(Context, status) as i32);
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(config);
    jit.define_function(id, &mut context).map_err(|e| e.to_string())?;
    Ok(id)
}
