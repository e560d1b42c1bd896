//! The futures behind every `.await` on a run, and the writes they make.
//!
//! They have names so that a type can hold one, and a helper can return one. Code that only awaits them needs none:
//!
//! ```
//! use agui_runtime::Emit;
//! use agui_runtime::future::{Say, WriteFuture};
//!
//! fn greet<'w>(run: &'w Emit, name: &str) -> WriteFuture<'w, Say> {
//!     run.say(format!("Hello, {name}!"))
//! }
//! # async fn example(run: &Emit) {
//! greet(run, "Ada").await;
//! # }
//! ```
//!
//! | write | begun by |
//! |---|---|
//! | [`OpenMessage`], [`Say`], [`PushText`] | [`Emit::message`], [`Emit::say`], [`TextMessage::push`] |
//! | [`OpenReasoning`], [`OpenReasoningMessage`], [`Think`], [`PushReasoning`] | [`Emit::reasoning`], [`Reasoning::message`], [`Emit::think`], [`ReasoningText::push`] |
//! | [`OpenStep`] | [`Emit::step`] |
//! | [`OpenCall`], [`CallTool`], [`OpenNamedCall`], [`PushArguments`], [`AnswerCall`] | [`Run::tool`], [`Run::call`], [`Run::open_call`], [`Call`] |
//! | [`AdoptState`], [`SnapshotState`], [`Update`], [`PatchState`], [`ResendState`] | [`Baseline`], [`StateHandle`] |
//! | [`OpenActivity`], [`UpdateActivity`] | [`Emit::activity`], [`ActivityHandle::update`] |
//! | [`Delegate`] | [`Emit::delegate`] |
//! | [`MessagesSnapshot`] | [`Run::messages_snapshot`] |
//! | [`SendCustom`], [`SendRaw`], [`SendEncrypted`], [`FeedEvent`] | [`Run::custom`], [`Emit::raw`], [`Emit::encrypted`], [`Dynamic`] |
//!
//! [`ActivityHandle::update`]: crate::ActivityHandle::update
//! [`Baseline`]: crate::Baseline
//! [`Dynamic`]: crate::Dynamic
//! [`Emit::activity`]: crate::Emit::activity
//! [`Emit::delegate`]: crate::Emit::delegate
//! [`Emit::encrypted`]: crate::Emit::encrypted
//! [`Emit::message`]: crate::Emit::message
//! [`Emit::raw`]: crate::Emit::raw
//! [`Emit::reasoning`]: crate::Emit::reasoning
//! [`Emit::say`]: crate::Emit::say
//! [`Emit::step`]: crate::Emit::step
//! [`Emit::think`]: crate::Emit::think
//! [`Reasoning::message`]: crate::Reasoning::message
//! [`ReasoningText::push`]: crate::ReasoningText::push
//! [`Run::call`]: crate::Run::call
//! [`Run::custom`]: crate::Run::custom
//! [`Run::messages_snapshot`]: crate::Run::messages_snapshot
//! [`Run::open_call`]: crate::Run::open_call
//! [`Run::tool`]: crate::Run::tool
//! [`StateHandle`]: crate::StateHandle
//! [`TextMessage::push`]: crate::TextMessage::push
//! [`Call`]: crate::Call

pub use crate::agent::tool::Report;
pub use crate::agent::{
    AdoptState, AnswerCall, CallAtOnce, CallTool, Delegate, OpenCall, OpenClientCall, OpenNamedCall,
    PushArguments, SnapshotState, StartCall, StartClientCall, StartNamedCall,
};
pub use crate::emit::{
    FeedEvent, MessagesSnapshot, OpenActivity, OpenMessage, OpenReasoning, OpenReasoningMessage, OpenStep,
    PatchState, PushReasoning, PushText, ResendState, RunWrite, Say, SendCustom, SendEncrypted, SendRaw,
    StartActivity, StartReasoning, StartReasoningMessage, StartStep, StartText, Think, Update,
    UpdateActivity, UpdateState, WriteFuture,
};
