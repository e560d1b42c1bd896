//! Which mutant is made, if one is. Each thread has its own, so that mutants are tested side by side.

use std::cell::Cell;

thread_local! {
    static CHOSEN: Cell<usize> = const { Cell::new(0) };
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// More calls and turns of loops than any check makes between two calls of [`refill`]: a mutant with an endless loop is
/// stopped there.
const STEPS_AT_MOST: u64 = 50_000;
/// Deeper recursion than in any check.
const DEPTH_AT_MOST: u32 = 500;

/// Makes this mutant from now on; 0 stands for no mutant.
pub fn choose(number: usize) {
    CHOSEN.set(number);
    refill();
}

/// Counts from 0 again.
pub fn refill() {
    STEPS.set(0);
    DEPTH.set(0);
}

/// Returns true if this mutant is made. Code that runs because a check has failed runs unchanged, because a second
/// panic would end the program.
pub fn on(number: usize) -> bool {
    CHOSEN.get() == number && !std::thread::panicking()
}

/// Counts a turn of a loop.
pub fn step() {
    let steps = STEPS.get() + 1;
    STEPS.set(steps);
    assert!(steps < STEPS_AT_MOST || std::thread::panicking(), "it does not come to an end");
}

/// Counts a call for as long as it lasts.
#[must_use]
pub fn enter() -> Depth {
    step();
    let depth = DEPTH.get() + 1;
    DEPTH.set(depth);
    assert!(depth < DEPTH_AT_MOST || std::thread::panicking(), "it calls itself without end");
    Depth
}

/// One call.
pub struct Depth;

impl Drop for Depth {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}
