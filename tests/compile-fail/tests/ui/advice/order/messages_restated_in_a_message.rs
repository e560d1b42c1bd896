//! Messages restated in a message.
//!
//! error: cannot borrow `*run` as mutable because it is also borrowed as immutable

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) {
    let mut text = run.message().await;
    run.messages_snapshot(Vec::new()).await;
    text.push("late").await;
}
