//! A recorder of a plain type.
//!
//! error: `Shop` does not record events
//! write: pass a closure `move |event: &Event| ..` that is `Send + Sync + 'static`, or implement `EventRecorder`

use crate::kit::*;

fn mistake() {
    let options = agui_runtime::RunOptions::default().recorder(Shop);
}
