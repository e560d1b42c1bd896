//! Activities: typed content that is shown beside the text and kept up to date by deltas.

mod content;
mod error;
mod handle;

use crate::state::State;

pub use error::ActivityError;
pub use handle::{ActivityHandle, OpenActivity, StartActivity, UpdateActivity};

/// A type that can be the content of an activity (AG-UI 1.0, section "Activity"): a plan, a search, or anything else
/// that the user interface draws beside the text.
///
/// Implemented by `#[derive(Activity)]`, not by hand. It must be a [`State`] too, because changes are found in the same
/// way.
///
/// ```
/// use agui_runtime::events::ActivityError;
/// use agui_runtime::prelude::*;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// /// How far the work is.
/// #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
/// #[activity(type = "PROGRESS")]
/// struct Progress {
///     percent: u32,
/// }
/// assert_eq!(Progress::TYPE, "PROGRESS");
///
/// # async fn example(run: &Emit) -> Result<(), ActivityError> {
/// let mut progress = run.activity(Progress { percent: 0 }).await?; // ACTIVITY_SNAPSHOT
/// progress.update(|progress| progress.percent = 50).await?; // ACTIVITY_DELTA, or ACTIVITY_SNAPSHOT
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an activity",
    label = "not an activity",
    note = "write `#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]` on it"
)]
pub trait Activity: State {
    /// The `activityType` on the wire, by which the user interface chooses a view.
    const TYPE: &'static str;

    #[doc(hidden)]
    fn activity_derived(_: DerivedActivity);
}

/// A seal that only generated code names: it reserves [`Activity`] for the derive.
#[doc(hidden)]
#[derive(Debug)]
pub struct DerivedActivity(());
