//! Names for the packages beside this one, and for no user: each may change in any release.

#[cfg(feature = "tool-servers")]
use crate::agent::tool::{Progress, SendReport, progress_of_call};
#[cfg(feature = "tool-servers")]
use crate::agent::{RunOptions, ToolSet};
#[cfg(feature = "tool-servers")]
use crate::emit::{Activity, Emit, RequestValues, StartActivity, WriteFuture};
#[cfg(feature = "tool-servers")]
use crate::model::DynTool;
#[cfg(feature = "tool-servers")]
pub use crate::model::{DynToolEnd, DynToolRun};
#[cfg(feature = "tool-servers")]
use crate::protocol::ToolCallId;

#[cfg(feature = "tool-servers")]
pub use crate::agent::tool::{ITEM, LONGEST_DESCRIPTION, NoTool, PROGRESS};
#[cfg(feature = "tool-servers")]
pub use crate::agent::{
    CallWatcher, LoneCall, LoneCallError, ResumeClaim, ResumedLoneCall, ToolInterrupt, ToolResume,
    ToolResumePayload,
};
#[cfg(feature = "providers")]
pub use crate::date::retry_after_delay;
#[cfg(feature = "tool-servers")]
pub use crate::date::write as write_date;
pub use crate::hex::hex;
#[cfg(feature = "providers")]
pub use crate::jitter::jittered;
#[cfg(feature = "tool-servers")]
pub use crate::json::{RemoveMember, same};
#[cfg(feature = "tool-servers")]
pub use crate::kernel::TokioTimer;
#[cfg(feature = "tool-servers")]
pub use crate::manifest::{check_plain_object, hand_over_if_asked};
#[cfg(feature = "providers")]
pub use crate::model::FIND_TOOLS;
#[cfg(feature = "providers")]
pub use crate::model::quotation::without_prompt;
#[cfg(feature = "model")]
pub use crate::provider::model_source::ModelSource;
pub use crate::quoted::{quoted, quoted_up_to};
pub use crate::random::number as random_number;
#[cfg(all(feature = "server", feature = "tool-servers"))]
pub use crate::server::{McpHttpHandler, McpHttpService, McpHttpSettings};
#[cfg(feature = "thread-servers")]
pub use crate::thread::digest::{ThreadDigest, list_digest, thread_digest};
#[cfg(feature = "thread-servers")]
pub use crate::thread::reconnect::{ReconnectPauses, SharedConnection};
#[cfg(feature = "threads")]
pub use crate::thread::wakes::ThreadWakes;
#[cfg(feature = "tls")]
pub use crate::tls::shared_config as shared_tls_config;

#[cfg(all(feature = "server", feature = "tool-servers"))]
pub use axum::body::Body as ResponseBody;
/// The registry that packages submit to.
pub use inventory;

/// Completes a run's options from a server's options.
#[cfg(feature = "tool-servers")]
pub fn complete_options(own: RunOptions, server: &RunOptions) -> RunOptions {
    own.or(server)
}

/// Sets if calls run without the approval that their tools require.
#[cfg(feature = "tool-servers")]
pub fn approve_calls(options: RunOptions, approved: bool) -> RunOptions {
    options.calls_approved(approved)
}

/// Returns the values of the run's request.
#[cfg(feature = "tool-servers")]
pub fn request_values(options: &RunOptions) -> &RequestValues {
    options.request_values()
}

/// Returns true if a tool hands the conversation to another agent.
#[cfg(feature = "tool-servers")]
pub fn is_handoff_tool<A: ToolSet>(tool: &str) -> bool {
    crate::agent::handoff_to::<A>(tool).is_some()
}

/// Marks a tool as foreign: a chat whose provider cannot take the tool's schema leaves the tool out.
#[cfg(feature = "tool-servers")]
pub fn foreign_tool(tool: DynTool<'_>) -> DynTool<'_> {
    tool.foreign()
}

/// Returns another handle of the same author.
#[cfg(feature = "tool-servers")]
pub fn share_emit(emit: &Emit) -> Emit {
    emit.share()
}

/// Starts an activity that no agent lists.
#[cfg(feature = "tool-servers")]
pub fn start_activity<T: Activity>(emit: &Emit, activity: T) -> WriteFuture<'_, StartActivity<T>> {
    WriteFuture::new(emit, StartActivity::new(activity))
}

/// Reports a call's progress to the page, by the call's id.
#[cfg(feature = "tool-servers")]
pub fn report_progress<'w>(
    emit: &'w Emit,
    call: &ToolCallId,
    progress: Progress,
) -> WriteFuture<'w, SendReport> {
    progress_of_call(emit, call, progress)
}
