//! The futures behind every `.await` on a run, and the writes they make.
//!
//! They have names so that a type can hold one, and a helper can return one. Code that only awaits them needs none:
//!
//! ```
//! use agui_runtime::Emit;
//! use agui_runtime::future::{SendText, WriteFuture};
//!
//! fn greet<'w>(run: &'w Emit, name: &str) -> WriteFuture<'w, SendText> {
//!     run.say(format!("Hello, {name}!"))
//! }
//! # async fn example(run: &Emit) {
//! greet(run, "Ada").await;
//! # }
//! ```
//!
//! [`WriteFuture`] is the future, and [`RunWrite`] the trait of a write. The names below are of futures, and those that begin
//! with `Start` of the writes in them.
//!
//! | write | begun by |
//! |---|---|
//! | [`OpenMessage`], [`StartText`], [`SendText`], [`PushText`] | [`Emit::message`], [`Emit::say`], [`TextMessage::push`] |
//! | [`OpenReasoning`], [`StartReasoning`], [`OpenReasoningMessage`], [`StartReasoningMessage`], [`SendThought`], [`PushReasoning`] | [`Emit::reasoning`], [`Reasoning::message`], [`Emit::think`], [`ReasoningText::push`] |
//! | [`OpenStep`], [`StartStep`] | [`Emit::step`] |
//! | [`OpenCall`], [`StartCall`], [`CallTool`], [`CallAtOnce`], [`OpenNamedCall`], [`StartNamedCall`], [`PushArguments`], [`SendCallResult`] | [`Run::tool`], [`Run::call`], [`Run::open_call`], [`Call`] |
//! | [`OpenClientCall`], [`StartClientCall`] | [`Emit::client_tool`] |
//! | [`SendReport`] | [`Emit::progress`] |
//! | [`AdoptState`], [`SnapshotState`], [`StateUpdate`], [`UpdateState`], [`PatchState`], [`ResendState`] | [`StateBaseline`], [`StateHandle`] |
//! | [`OpenActivity`], [`StartActivity`], [`UpdateActivity`] | [`Emit::activity`], [`ActivityHandle::update`] |
//! | [`Delegate`] | [`Emit::delegate`] |
//! | [`MessagesSnapshot`] | [`Run::messages_snapshot`] |
//! | [`SendCustom`], [`SendRaw`], [`SendEncrypted`], [`FeedEvent`] | [`Run::custom`], [`Emit::raw`], [`Emit::encrypted`], [`Dynamic`] |
//!
//! [`ActivityHandle::update`]: crate::ActivityHandle::update
//! [`StateBaseline`]: crate::StateBaseline
//! [`Dynamic`]: crate::Dynamic
//! [`Emit::activity`]: crate::Emit::activity
//! [`Emit::client_tool`]: crate::Emit::client_tool
//! [`Emit::delegate`]: crate::Emit::delegate
//! [`Emit::encrypted`]: crate::Emit::encrypted
//! [`Emit::message`]: crate::Emit::message
//! [`Emit::progress`]: crate::Emit::progress
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

pub use crate::agent::tool::SendReport;
pub use crate::agent::{
    AdoptState, CallAtOnce, CallTool, Delegate, OpenCall, OpenClientCall, OpenNamedCall, PushArguments,
    SendCallResult, SnapshotState, StartCall, StartClientCall, StartNamedCall,
};
pub use crate::emit::{
    FeedEvent, MessagesSnapshot, OpenActivity, OpenMessage, OpenReasoning, OpenReasoningMessage, OpenStep,
    PatchState, PushReasoning, PushText, ResendState, RunWrite, SendCustom, SendEncrypted, SendRaw, SendText,
    SendThought, StartActivity, StartReasoning, StartReasoningMessage, StartStep, StartText, StateUpdate,
    UpdateActivity, UpdateState, WriteFuture,
};
