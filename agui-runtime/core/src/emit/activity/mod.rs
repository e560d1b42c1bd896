//! Activities: typed content that is shown beside the text and updated by deltas.

mod content;
mod error;
mod handle;

use crate::manifest::{ActivitySource, TypeSource};
use crate::state::State;

pub use error::ActivityError;
pub use handle::{ActivityHandle, OpenActivity, StartActivity, UpdateActivity};

/// A type that can be activity content (AG-UI 1.0, section "Activity"): a plan, a search, or anything else that the user interface
/// draws beside the text.
///
/// Implemented by `#[derive(Activity)]`, not by hand. An activity must be a [`State`] too, because changes are found in the same
/// way.
///
/// ```
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
/// assert_eq!((Progress::TYPE, Progress::DESCRIPTION), ("PROGRESS", "How far the work is."));
///
/// /// Cooks with you.
/// #[agent(activities = [Progress])]
/// async fn chef(run: &mut Run<Chef>, _: Input<Chef>) -> Result<(), Stop> {
///     let mut progress = run.activity(Progress { percent: 0 }).await?; // ACTIVITY_SNAPSHOT
///     progress.update(|progress| progress.percent = 50).await?; // ACTIVITY_DELTA, or ACTIVITY_SNAPSHOT
///     Ok(())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an activity",
    label = "not an activity",
    note = "write `#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]` on it"
)]
pub trait Activity: State {
    /// The `activityType` on the wire, by which the user interface chooses a view.
    const TYPE: &'static str;

    /// The activity's meaning, from the doc comment.
    const DESCRIPTION: &'static str;

    #[doc(hidden)]
    fn activity_source() -> ActivitySource {
        ActivitySource {
            activity_type: Self::TYPE,
            description: Self::DESCRIPTION,
            content: TypeSource::of::<Self>(),
        }
    }

    #[doc(hidden)]
    fn activity_derived(_: DerivedActivity);
}

/// Declares that agent `A` may show this activity. Implemented by `#[agent(activities = [..])]`.
///
/// ```
/// use agui_runtime::Agent;
/// use agui_runtime::events::{ActivityError, ActivityOf};
/// use agui_runtime::prelude::*;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// /// How far the work is.
/// #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
/// struct Progress {
///     percent: u32,
/// }
///
/// /// Shows an activity that does not change, for any agent that lists it.
/// async fn show<A: Agent, T: ActivityOf<A>>(run: &Run<A>, content: T) -> Result<(), ActivityError> {
///     run.activity(content).await.map(drop)
/// }
///
/// /// Cooks with you.
/// #[agent(activities = [Progress])]
/// async fn chef(run: &mut Run<Chef>, _: Input<Chef>) -> Result<(), Stop> {
///     show(run, Progress { percent: 50 }).await?;
///     Ok(())
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("?")));
/// # assert_eq!(events.len(), 3, "{events:#?}");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an activity of `{A}`",
    label = "not in the agent's list of activities",
    note = "add it to `#[agent(activities = [..])]`: the generated client only knows the activities listed there"
)]
pub trait ActivityOf<A: ?Sized>: Activity {}

/// A seal that only generated code names; reserves [`Activity`] for the derive.
#[doc(hidden)]
#[derive(Debug)]
pub struct DerivedActivity(());
