//! Conway's game of life on a torus: `cargo run --example life`. Neighbours are counted by rolling the board.

use cuprum::creation::zeros;
use cuprum::indexing::Item;
use cuprum::manipulation::roll;
use cuprum::prelude::*;

fn step(board: &Array) -> cuprum::Result<Array> {
    let mut neighbours = zeros(board.shape(), DType::U8)?;
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        neighbours += &roll(board, &[down, right], Some(&[0, 1]))?;
    }
    let three = neighbours.equal(3)?;
    let two_and_alive = neighbours.equal(2)?.logical_and(board)?;
    three.logical_or(&two_and_alive)?.astype(DType::U8)
}

fn show(board: &Array) -> cuprum::Result<String> {
    let width = board.shape()[1];
    let cells = board.to_vec::<u8>()?;
    let line = |row: &[u8]| row.iter().map(|c| if *c == 1 { '#' } else { '.' }).collect::<String>();
    Ok(cells.chunks(width).map(line).collect::<Vec<_>>().join("\n"))
}

/// Runs the example.
pub fn main() -> cuprum::Result<()> {
    let mut board = zeros(&[8, 16], DType::U8)?;
    let (rows, columns) = (Array::from_slice(&[0i64, 1, 2, 2, 2]), Array::from_slice(&[1i64, 2, 0, 1, 2]));
    board.set(&[Item::Array(&rows), Item::Array(&columns)], 1)?;
    let first = board.copy(Order::C)?;
    for _ in 0..4 {
        board = step(&board)?;
    }
    println!("{}", show(&board)?);
    // Four steps move a glider one cell down and to the right.
    assert_eq!(board.to_vec::<u8>()?, roll(&first, &[1, 1], Some(&[0, 1]))?.to_vec::<u8>()?);
    Ok(())
}
