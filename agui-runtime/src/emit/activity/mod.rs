//! Activities: things to show beside the text, typed, kept up to date by what changed.

mod content;
mod error;
mod handle;

use crate::state::State;

pub use error::ActivityError;
pub use handle::{ActivityHandle, OpenActivity, StartActivity, UpdateActivity};

/// A type that can be the content of an activity (AG-UI 1.0, section "Activity"): a plan, a search, whatever the user
/// interface draws beside the text.
///
/// Written by `#[derive(Activity)]`, not by hand. It is a [`State`] too, so its parts are, and what changes in it is
/// found the same way.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an activity",
    label = "not an activity",
    note = "write `#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]` on it"
)]
pub trait Activity: State {
    /// The `activityType` on the wire: what the user interface chooses its view by.
    const TYPE: &'static str;

    #[doc(hidden)]
    fn activity_derived(_: DerivedActivity);
}

/// Only generated code names it: what keeps [`Activity`] for the derive.
#[doc(hidden)]
#[derive(Debug)]
pub struct DerivedActivity(());
