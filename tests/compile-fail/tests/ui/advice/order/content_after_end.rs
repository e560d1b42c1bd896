//! Content after end.
//!
//! error: borrow of moved value: `text`
//! write: value borrowed here after move

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) {
    let mut text = run.message().await;
    text.end();
    text.push("late").await;
}
