//! The examples run: each is a module here, and its `main` a test.

#[path = "../examples/least_squares.rs"]
mod least_squares;
#[path = "../examples/life.rs"]
mod life;

#[test]
fn least_squares_runs() {
    least_squares::main().unwrap();
}

#[test]
fn life_runs() {
    life::main().unwrap();
}
