//! The CUDA C of a key's tiles: where transposed operands wait in shared memory, and the walk.

use std::fmt::Write;

use super::key::{Access, Structure};
use crate::ops::type_name;

/// Adds everything after the program's own functions.
pub(super) fn tiles(text: &mut String, s: &Structure) {
    let transposed = || (0..s.operands.len()).filter(|&at| s.operands[at].access == Access::Transposed);
    let moving = || (0..s.operands.len()).filter(|&at| s.operands[at].access != Access::Fixed);
    text.push_str("struct Tiles {\n");
    for at in transposed() {
        let (name, dtype) = (s.operand_name(at), s.operands[at].dtype);
        // Rows a word longer than the tile: threads down a column meet in different banks.
        let pad = (4 / dtype.size()).max(1);
        let _ = writeln!(text, "    {} {name}[SIDE][SIDE + {pad}];", type_name(dtype));
    }
    text.push_str("};\ninline void move_tile(const Args& args, Index down, Index across, Cursor& at) {\n");
    for at in moving() {
        let name = s.operand_name(at);
        let _ = writeln!(
            text,
            "    at.{name} += advance(down, args.{name}_inner0) + advance(across, args.{name}_inner1);"
        );
    }
    text.push_str("}\ninline void load_transposed(const Args& args, const Cursor& at, int row, int column, Tiles& tiles) {\n");
    for at in transposed() {
        let (name, operand) = (s.operand_name(at), s.operands[at]);
        let (dtype, aligned) = (type_name(operand.dtype), operand.aligned);
        let _ = writeln!(text, "    tiles.{name}[row][column] = load_one<{dtype}, {aligned}>(at.{name});");
    }
    text.push_str("}\ninline void take_transposed(const Tiles& tiles, int row, int column, Values& v) {\n");
    for at in transposed() {
        let name = s.operand_name(at);
        let _ = writeln!(text, "    v.{name}[0] = tiles.{name}[row][column];");
    }
    text.push_str("}\n");
    text.push_str(include_str!("../kernels/map_tiles.cuh"));
}
