//! That is not awaited.
//!
//! error: unused pinned boxed `Future` trait object that must be used
//! write: futures do nothing unless you `.await` or poll them

use crate::kit::*;

async fn mistake() {
    agui_runtime::serve(Waiter::new());
}
