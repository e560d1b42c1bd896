//! Content after end.
//!
//! error: borrow of moved value: `text`
//! write: nothing follows TEXT_MESSAGE_END: open the next message, `run.message().await`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) {
    let mut text = run.message().await;
    text.end();
    text.push("late").await;
}
