//! The properties of every patch, checked on a client that applies it.
#![allow(
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "test support: what goes wrong here fails the test"
)]

mod corpus;
mod documents;
mod equal;
mod fuzz;
mod session;
mod shadowed;
mod subject;
mod valid;

pub use corpus::{Corpus, corpus_size, nudges};
pub use documents::{engine_patch, public_documents};
pub use equal::same_json;
pub use fuzz::fuzz;
pub use session::{Flush, Session};
pub use shadowed::Shadowed;
pub use subject::{Subject, subjects};
pub use valid::assert_valid;

use std::fmt::Debug;

use agui_runtime::State;
use serde_json::Value;

/// The document that a client makes of a state: what it reads from the text.
#[must_use]
pub fn document<T: State + Debug>(state: &T) -> Value {
    read(&serde_json::to_string(state).unwrap_or_else(|cause| panic!("{cause}: {state:?}")))
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|cause| panic!("{cause}: {text}"))
}

/// Applies a patch as the reference applier does, after a check of each operation.
fn applied(document: &mut Value, patch: &str, context: &dyn Fn() -> String) -> usize {
    let ops = assert_valid(patch).len();
    let parsed: json_patch::Patch =
        serde_json::from_str(patch).unwrap_or_else(|cause| panic!("{cause}{}", context()));
    json_patch::patch(document, &parsed).unwrap_or_else(|cause| panic!("{cause}{}", context()));
    ops
}
