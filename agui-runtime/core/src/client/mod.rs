//! The client: connects to any AG-UI server, or to an agent in this program, and keeps the conversation.
//!
//! ```no_run
//! use agui_runtime::client::{HttpAgent, RunOutcome, Session};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct List {
//!     items: Vec<String>,
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let mut shopper: Session<List> = Session::new(HttpAgent::new("http://127.0.0.1:8000/")?);
//! shopper.say("rice");
//! let done = shopper.run().await?;
//! assert!(matches!(done.outcome, RunOutcome::Success { .. }));
//! println!("{}", done.text());
//! println!("{:?}", shopper.state()?.map(|list| &list.items));
//! # Ok(())
//! # }
//! ```
//!
//! # Data flow
//!
//! ```text
//! Session ─ input ─▶ middleware ─▶ … ─▶ Upstream (HttpAgent · LocalAgent · Replay · a function)
//!    ▲                                      │
//!    └── ReceivePipeline ◀─ middleware ◀─ … ◀─ Frames
//! ```
//!
//! | to | see |
//! |---|---|
//! | connect to a server | [`HttpAgent`] |
//! | run a local agent, or a recording | [`LocalAgent`], [`Replay`] |
//! | use another source | [`Upstream`], which any function from an input to [`Frames`] implements |
//! | keep a conversation: messages, typed state, open interrupts | [`Session`] |
//! | see a run event by event | [`Session::start`], [`Turn`] |
//! | handle frontend tool calls | [`Session::frontend_tool`]; by hand [`Session::declare_tool`] |
//! | resume interrupts | [`Session::resume`], [`ResumeValue`] |
//! | observe events, and change their effects | [`Subscriber`] |
//! | change requests and responses | [`Middleware`], [`middleware`] |
//! | continue a stored thread, stop a thread's run | [`Session::connect`], [`Session::stop`] |
//! | list, rename, archive and delete stored threads | [`HttpAgent::threads`], [`HttpAgent::change_thread`], [`HttpAgent::delete_thread`] |
//! | connect again after a lost connection | [`HttpAgent::reconnect`] |
//! | send all runs over one WebSocket | `HttpAgent::websocket` (feature `websocket`) |
//! | record a conversation, and continue the recording later | [`middleware::record`], [`Session::restore`] |
//!
//! Everything is pulled: nothing is spawned, and dropping a [`Turn`] closes the connection. An event's cost depends on the event
//! alone, not on the conversation length or the state size.
//!
//! [`differences`](crate::receive::differences) lists the deliberate differences from the official client. In addition,
//! [`middleware::retry`] repeats requests whose run has certainly not begun, and [`HttpAgent::reconnect`] continues runs on
//! servers that store threads; the official client never does either.

mod error;
mod frame;
mod head;
mod http;
pub mod middleware;
mod resume_value;
mod session;
mod upstream;
mod warnings;

pub use error::{ClientError, TimedOut};
pub use frame::{Frame, Frames, UnreadableFrame};
pub use head::FrameHead;
pub use http::{Accept, HttpAgent, MessageExcerpt, StoredThread, ThreadChange, ThreadPage, ThreadQuery};
pub use middleware::{Middleware, Next};
pub use resume_value::{ResumeError, ResumeValue, build_resume, check_resume, is_expired};
pub use session::{
    FinishedTurn, PartialArguments, Reaction, Session, Snapshot, StateUnreadable, Subscriber, SubscriberId,
    Turn, TurnUpdate, View,
};
pub use upstream::{LocalAgent, Replay, ReplayError, Upstream};
pub use warnings::Warnings;

pub use crate::receive::reduce::RunOutcome;
