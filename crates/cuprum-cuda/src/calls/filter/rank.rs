//! Elements of a rank that is neither the first nor the last: medians and percentiles.
//!
//! Boxes of rows and columns share what they sort (`filter_rank_box.cu`). Other windows of few places have their element found by
//! exchanges between registers, large ones bit by bit.

use cuprum_core::{DType, Result};
use cuprum_graph::{Boundary, Footprint, Slot};

use super::window::{Tables, WindowGeometry, text};
use super::{ComputedIn, Opening, THREADS, blocks, fill_bytes, number_of, ordered};
use crate::launch::LaunchArgs;
use crate::session::Session;

/// Windows of at most this many places have their element of a rank found by exchanges between registers: fewer for
/// elements of 8 bytes, which take two registers.
const NETWORK_MAX_WINDOW: usize = 49;
const NETWORK_MAX_WINDOW_WIDE: usize = 25;

/// The longest sides of boxes.
const BOX_MAX_SIDE: usize = 11;
const BOX_MAX_SIDE_WIDE: usize = 9;

/// Outputs of a block of the kernel of boxes, along columns and rows, which it has a thread each for.
const TILE: [usize; 2] = [4, 64];

pub(super) fn text_of_rank(opening: Opening, axes: usize, count: usize, rank: usize) -> String {
    let selection = include_str!("../../kernels/filter_selection.cuh");
    let definitions = format!("#define COUNT {count}\n#define RANK {rank}\n{selection}");
    text(opening, axes, &definitions, include_str!("../../kernels/filter_rank.cu"))
}

pub(super) fn text_of_box(opening: Opening, [height, width]: [usize; 2], rank: usize) -> String {
    let selection = include_str!("../../kernels/filter_selection.cuh");
    let definitions =
        format!("#define HEIGHT {height}\n#define WIDTH {width}\n#define RANK {rank}\n{selection}");
    text(opening, 3, &definitions, include_str!("../../kernels/filter_rank_box.cu"))
}

/// Runs a filter that takes the element of a rank; input and output are dense.
pub(super) fn run(
    session: &Session,
    rank: usize,
    input: &Slot,
    out: &Slot,
    footprint: &Footprint,
    boundary: Boundary,
) -> Result<()> {
    ordered(input.dtype)?;
    let (shape, starts) = (&footprint.shape, &footprint.starts);
    let geometry = WindowGeometry::new(&input.layout.shape, &out.layout.shape, shape, starts);
    if footprint.places.len() == shape.iter().product()
        && let Some(images) = geometry.of_images()
        && let Some(launch) = BoxLaunch::new(&images, input.dtype)
    {
        return launch.run(session, rank, input, out, &images, boundary);
    }
    let held = ComputedIn::Keys { nan_first: false };
    let tables = Tables::new(session, input, out, footprint, &[])?;
    let (total, count, axes) = (out.layout.size(), footprint.places.len(), tables.geometry.axes());
    let opening = Opening::new(input.dtype, out.dtype, held, total);
    let most = if input.dtype.size() == 8 { NETWORK_MAX_WINDOW_WIDE } else { NETWORK_MAX_WINDOW };
    let (known_count, known_rank) = if count <= most { (count, rank) } else { (0, 0) };
    let [in_type, out_type, held_type, long] = opening.variant();
    let variant = [in_type, out_type, held_type, long, axes as u32, known_count as u32, known_rank as u32];
    let kernel =
        session.kernel("filter_rank", &variant, || text_of_rank(opening, axes, known_count, known_rank))?;
    let mut args = LaunchArgs::new();
    args.pointer(session.address(input)).pointer(session.address(out)).bytes(&tables.geometry.bytes());
    args.bytes(&tables.places()).i64(count as i64).i64(rank as i64);
    args.u32(number_of(boundary.extension)).bytes(&fill_bytes(boundary.fill, held)).u64(total as u64);
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, blocks(total), THREADS, &args) }
}

/// How boxes are spread over blocks.
struct BoxLaunch {
    sides: [usize; 2],
    tiles: [u32; 2],
    blocks: u32,
}

impl BoxLaunch {
    /// Nothing where sides are too long, or a launch would have too many blocks.
    fn new(images: &WindowGeometry, dtype: DType) -> Option<BoxLaunch> {
        let longest = if dtype.size() == 8 { BOX_MAX_SIDE_WIDE } else { BOX_MAX_SIDE };
        let [(count, _), (rows, height), (columns, width)] = [0, 1, 2].map(|at| images.axis(at));
        let tiles = [rows.div_ceil(TILE[0]), columns.div_ceil(TILE[1])];
        let blocks = count.checked_mul(tiles[0])?.checked_mul(tiles[1])?;
        (height <= longest && width <= longest && blocks <= i32::MAX as usize).then(|| BoxLaunch {
            sides: [height, width],
            tiles: tiles.map(|count| count as u32),
            blocks: blocks as u32,
        })
    }

    fn run(
        &self,
        session: &Session,
        rank: usize,
        input: &Slot,
        out: &Slot,
        images: &WindowGeometry,
        boundary: Boundary,
    ) -> Result<()> {
        let held = ComputedIn::Keys { nan_first: false };
        let opening = Opening::new(input.dtype, out.dtype, held, out.layout.size());
        let [in_type, out_type, held_type, long] = opening.variant();
        let [height, width] = self.sides;
        let variant = [in_type, out_type, held_type, long, height as u32, width as u32, rank as u32];
        let kernel =
            session.kernel("filter_rank_box", &variant, || text_of_box(opening, self.sides, rank))?;
        let mut args = LaunchArgs::new();
        args.pointer(session.address(input)).pointer(session.address(out)).bytes(&images.bytes());
        args.u32(self.tiles[1]).u32(self.tiles[0]);
        args.u32(number_of(boundary.extension)).bytes(&fill_bytes(boundary.fill, held));
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts.
        unsafe { session.launch(kernel, self.blocks, (TILE[0] * TILE[1]) as u32, &args) }
    }
}
