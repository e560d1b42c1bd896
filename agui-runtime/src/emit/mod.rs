//! How an agent speaks: guards that borrow the run, over one queue that is legal by itself.
//!
//! ```text
//! Run (typed by the agent) ─▶ Emit (agent-free) ─▶ guards: TextMessage, Reasoning, ToolCall … ─▶ Hub ─▶ EventStream
//! ```
//!
//! The types refuse programs that would break the order of AG-UI 1.0 (its chapter on ordering); the hub keeps the wire legal whatever safe code does, including what types cannot see: a leaked guard,
//! a panic, a future dropped in the middle of a message.

// `on_move` says the rule where a guard is used after it was given away. Stable compilers do not know it yet.
#![allow(
    unknown_diagnostic_attributes,
    reason = "`diagnostic::on_move` is ignored by compilers that do not know it"
)]

mod act;
mod activity;
mod ask;
mod call_error;
mod call_ref;
mod client_call;
mod clock;
mod custom;
mod delegate;
mod dispatch;
mod dynamic;
mod emitter;
mod encrypted;
mod fields;
mod hub;
mod ids;
mod into_text;
mod kernel;
mod messages_snapshot;
mod named_call;
mod open_call;
mod parent_receipt;
mod peer;
mod pending;
mod pieces;
mod provider_id;
mod question;
mod question_id;
mod raw;
mod reader;
mod reasoning;
mod run;
mod serial;
mod signpost;
mod span;
mod step;
mod sync;
mod tasks;
mod text;
mod text_role;
mod tool_call;
mod tool_set;
mod writers;

pub use act::{Act, Do};
pub use activity::{
    Activity, ActivityError, ActivityHandle, DerivedActivity, OpenActivity, StartActivity, UpdateActivity,
};
pub use ask::ResumeCallError;
pub use call_error::CallError;
pub use call_ref::CallRef;
pub use client_call::{ClientCall, OpenClientCall, PendingClientCall, StartClientCall};
pub use clock::Clock;
pub use custom::{CustomEvent, CustomEventError, EventOf, SendCustom};
pub use delegate::{Caller, Delegate, NoState};
pub use dispatch::{AnsweredCall, Complete, Dispatched, FrontendCall, ReadyToolCall, Settled};
pub use dynamic::{ChunkError, Dynamic, DynamicError, FeedEvent, Policy};
pub use emitter::Emit;
pub use encrypted::{EncryptedEntity, SendEncrypted};
pub use fields::EventFields;
pub use ids::Ids;
pub use into_text::IntoText;
pub use messages_snapshot::MessagesSnapshot;
pub use named_call::{OpenNamedCall, OpenToolCall, Opening, StartNamedCall, UnknownTool};
pub use open_call::{CallAtOnce, CallTool, OpenCall, StartCall};
pub use parent_receipt::ParentReceipt;
pub use peer::Peer;
pub use pending::{PendingCall, PendingCalls};
pub use pieces::Pieces;
pub use raw::SendRaw;
pub use reasoning::{
    OpenReasoning, OpenReasoningMessage, PushReasoning, Reasoning, ReasoningMessage, ReasoningRef,
    StartReasoning, StartReasoningMessage, Think,
};
pub use run::{Finished, Run};
pub use serial::Serial;
pub use step::{OpenStep, StartStep, Step};
pub use tasks::Tasks;
pub use text::{MessageRef, OpenMessage, PushText, Say, StartText, TextMessage};
pub use text_role::TextRole;
pub use tool_call::{AnswerCall, Called, PushArguments, Streaming, ToolCall, ToolPhase};

pub use tool_set::{NoCall, ToolSet};

pub(crate) use fields::Fields;
pub(crate) use hub::Hub;
pub(crate) use kernel::Terminal;
pub(crate) use messages_snapshot::log_renamed;
pub(crate) use question_id::QuestionId;
pub(crate) use reader::Batch;
