//! Borrows the run twice.
//!
//! error: cannot borrow `*run` as mutable more than once at a time

use crate::kit::*;

async fn both(one: &mut Run<Chef>, other: &mut Run<Chef>) {}

async fn mistake(run: &mut Run<Chef>) {
    both(run, run).await;
}
