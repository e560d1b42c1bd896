//! How an agent speaks: guards that borrow the run, over one queue that is legal by itself.
//!
//! ```text
//! Run (typed by the agent) ─▶ Emit (agent-free) ─▶ guards: TextMessage, Step, ToolCall ─▶ Hub ─▶ EventStream
//! ```
//!
//! The types refuse programs that would break the order of AG-UI 1.0 (its chapter on ordering); the hub keeps the wire legal whatever safe code does, including what types cannot see: a leaked guard,
//! a panic, a future dropped in the middle of a message.

mod act;
mod call_error;
mod clock;
mod custom;
mod dispatch;
mod emitter;
mod fields;
mod hub;
mod ids;
mod kernel;
mod named_call;
mod open_call;
mod peer;
mod pending;
mod run;
mod signpost;
mod span;
mod step;
mod sync;
mod text;
mod tool_call;
mod tool_set;

pub use act::{Act, Do};
pub use call_error::CallError;
pub use clock::Clock;
pub use custom::{CustomEvent, CustomEventError, EventOf, SendCustom};
pub use dispatch::{AnsweredCall, Dispatched, FrontendCall, ReadyToolCall, Settled};
pub use emitter::Emit;
pub use fields::EventFields;
pub use ids::Ids;
pub use named_call::{OpenNamedCall, OpenToolCall, Opening, StartNamedCall, UnknownTool};
pub use open_call::{CallAtOnce, CallTool, OpenCall, StartCall};
pub use peer::Peer;
pub use pending::{PendingCall, PendingCalls};
pub use run::{Finished, Run};
pub use step::{OpenStep, StartStep, Step};
pub use text::{MessageRef, OpenMessage, PushText, Say, StartText, TextMessage};
pub use tool_call::{AnswerCall, Called, PushArguments, Streaming, ToolCall, ToolPhase};

pub use tool_set::{NoCall, ToolSet};

pub(crate) use fields::Fields;
pub(crate) use hub::{Hub, Turn};
pub(crate) use kernel::Terminal;
