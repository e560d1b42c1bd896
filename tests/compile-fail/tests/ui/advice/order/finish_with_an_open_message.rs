//! Finish with an open message.
//!
//! error: cannot borrow `*run` as mutable because it is also borrowed as immutable

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> agui_runtime::FinishedRun<'_, ()> {
    let text = run.message().await;
    let done = run.finish(());
    text.end();
    done
}
