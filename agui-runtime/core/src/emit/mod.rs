//! Writing events: guards that borrow the run, over one queue that is always legal.
//!
//! ```text
//! Run (typed by the agent) ─▶ Emit (agent-free) ─▶ guards: TextMessage, Reasoning, Call … ─▶ Hub ─▶ EventStream
//! ```
//!
//! The types refuse programs that would break the event order in AG-UI 1.0 (chapter on ordering). The hub keeps the wire legal
//! whatever safe code does, including cases that types cannot see: a leaked guard, a panic, a future dropped in the middle of a
//! message.

// `on_move` states the rule when a guard is used after it was moved. Stable compilers do not support it yet.
#![allow(
    unknown_diagnostic_attributes,
    reason = "`diagnostic::on_move` is ignored by compilers that do not know it"
)]

mod activity;
#[cfg(feature = "model")]
mod budget;
mod call_ref;
mod custom;
mod dynamic;
mod emitter;
mod encrypted;
mod into_text;
mod message_ref;
mod messages_snapshot;
mod model_turn;
mod parent_receipt;
mod pieces;
mod plain_edit;
#[cfg(any(feature = "model", feature = "server"))]
mod private_log;
mod raw;
mod reasoning;
mod reasoning_text;
mod request_values;
mod resume_by_agent;
mod say;
mod serial;
mod shared;
mod state;
mod steering;
mod step;
mod text;
mod text_role;
mod typed;
mod write;
mod written;

pub use activity::{
    Activity, ActivityError, ActivityHandle, ActivityOf, DerivedActivity, OpenActivity, StartActivity,
    UpdateActivity,
};
pub use call_ref::CallRef;
pub use custom::{CustomEvent, CustomEventError, EventOf, SendCustom};
pub use dynamic::{Dynamic, DynamicError, FeedEvent, Policy};
pub use emitter::Emit;
pub use encrypted::{EncryptedEntity, SendEncrypted};
pub use into_text::IntoText;
pub use message_ref::MessageRef;
pub use messages_snapshot::MessagesSnapshot;
pub use model_turn::ModelTurn;
pub use parent_receipt::ParentReceipt;
pub use pieces::JsonPieces;
#[doc(hidden)]
pub use plain_edit::PlainEdit;
pub use raw::SendRaw;
pub use reasoning::{OpenReasoning, Reasoning, SendThought, StartReasoning};
pub use reasoning_text::{
    OpenReasoningMessage, PushReasoning, ReasoningRef, ReasoningText, StartReasoningMessage,
};
pub use request_values::RequestValues;
pub use say::SendText;
pub use serial::SerialStream;
pub use state::{HoldsState, PatchState, ResendState, StateHandle, StateUpdate, UpdateState};
pub use step::{OpenStep, StartStep, Step};
pub use text::{OpenMessage, PushText, StartText, TextMessage};
pub use text_role::TextRole;
pub use typed::TypedEmit;
#[doc(hidden)]
pub use typed::{ActivityListOf, ActivityNamed, EventListOf, EventNamed};
pub use write::{RunWrite, WriteFuture};

#[cfg(feature = "model")]
pub(crate) use budget::{BudgetExcess, BudgetLimits, ChatBudget};
pub(crate) use emitter::SpanGuard;
pub(crate) use encrypted::EncryptedTarget;
pub(crate) use messages_snapshot::log_renamed;
#[cfg(feature = "model")]
pub(crate) use private_log::SettledPrivateCall;
#[cfg(any(feature = "model", feature = "server"))]
pub(crate) use private_log::{PlacedPrivateTurn, PrivateTurn, PrivateTurnLog};
pub(crate) use shared::{RunShared, SharedSettings};
pub(crate) use state::{ExistingBaseline, StateOptions};
pub(crate) use steering::SteeringInbox;
pub(crate) use written::StoreProgress;
