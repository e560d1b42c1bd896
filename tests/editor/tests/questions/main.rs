//! Questions of an editor in a program with tools and agents: completion inside of half-written functions, hovers,
//! definitions, references and renames. rust-analyzer answers.
//!
//! `cargo test --manifest-path tests/editor/Cargo.toml`

mod completion;
mod definition;
mod hover;
mod rename;

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use agui_editor::{Place, Session};

/// One editor for all questions: the start takes longer than they do.
fn session() -> MutexGuard<'static, Session> {
    static SESSION: LazyLock<Mutex<Session>> = LazyLock::new(|| Mutex::new(Session::start()));
    SESSION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A word in `lib.rs`.
fn word<'t>(around: &'t str, word: &'t str) -> Place<'t> {
    Place { file: "lib.rs", around, word }
}
