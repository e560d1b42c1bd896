//! The other end of the wire: talk to any AG-UI server, or to an agent in this program, and keep the conversation.
//!
//! ```no_run
//! use agui_runtime::client::{HttpAgent, Outcome, Session};
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
//! assert!(matches!(done.outcome, Outcome::Success { .. }));
//! println!("{}", done.text());
//! println!("{:?}", shopper.state()?.map(|list| &list.items));
//! # Ok(())
//! # }
//! ```
//!
//! # The way of the data
//!
//! ```text
//! Session ─ input ─▶ middleware ─▶ … ─▶ Upstream (HttpAgent · LocalAgent · Replay · a function)
//!    ▲                                      │
//!    └── Pipeline ◀─ middleware ◀─ … ◀─ Frames
//! ```
//!
//! | to | see |
//! |---|---|
//! | ask a server | [`HttpAgent`] |
//! | ask an agent of this program, or a recording | [`LocalAgent`], [`Replay`] |
//! | ask something else | [`Upstream`], which any function from an input to [`Frames`] is |
//! | keep a conversation: messages, typed state, open questions | [`Session`] |
//! | see a run event by event | [`Session::start`], [`Turn`] |
//! | answer the calls of frontend tools | [`Session::frontend_tool`]; by hand [`Session::declare_tool`] |
//! | answer the questions of an interrupted run | [`Session::resume`], [`Answer`] |
//! | listen, and change what events do | [`Subscriber`] |
//! | change what is sent and what comes | [`Middleware`], [`middleware`] |
//! | keep a conversation, and go on with it later | [`middleware::record`], [`Session::restore`] |
//!
//! Everything of it is pulled: nothing is spawned, and dropping a [`Turn`] hangs up. What an event costs depends on the event, not on
//! how long the conversation or how large the state is.
//!
//! Where the official client does something else stands in [`differences`](crate::receive::differences). What it has not at all is a second
//! try: [`middleware::retry`], where a run has certainly not begun.

mod error;
mod frame;
mod head;
mod http;
pub mod middleware;
mod session;
mod upstream;
mod warnings;

pub use error::{ClientError, TimedOut};
pub use frame::{Frame, Frames, UnreadableFrame};
pub use head::FrameHead;
pub use http::{Accept, HttpAgent};
pub use middleware::{Middleware, Next};
pub use session::{
    Answer, Finished, Now, PartialArguments, Reaction, ResumeError, Session, Snapshot, StateUnreadable,
    Subscriber, SubscriberId, Turn, Update, build_resume, check_resume, is_expired,
};
pub use upstream::{LocalAgent, Replay, ReplayError, Upstream};
pub use warnings::Warnings;

pub use crate::receive::reduce::Outcome;
