//! Shapes and arrangements: views where strides allow them, else copies that fuse with what is pending.
//!
//! One file a topic; everything is re-exported here. Dense copies are recorded, so they run with their producers.

mod fields;
mod join;
mod overlap;
mod pad;
mod pieces;
mod rearrange;
mod shape;
mod strided;
mod view;

pub use fields::{byteswap, byteswapped, field, merged, set_field};
pub use join::{Sections, array_split, concatenate, split, stack};
pub use overlap::{may_share_memory, shares_memory};
pub use pad::{PadMode, Statistic, pad};
pub use rearrange::{flip, repeat, repeat_each, roll, rot90, tile};
pub use shape::{
    broadcast_arrays, broadcast_to, expand_dims, flatten, moveaxis, ravel, reshape, rollaxis, squeeze,
    swapaxes, transpose,
};
pub use strided::{as_strided, windows};
pub use view::{diagonal, imag, real, view_dtype};
