//! Webhooks: the ends of stored runs, sent to a URL.
//!
//! ```text
//! request ─▶ target ─▶ outbox (an entry, before the run) ─▶ run … its end ─▶ delivery ─▶ attempt ─▶ the entry is deleted
//!                        ▲                                                      │
//!                        └── maintenance: entries whose lease is over ◀── a failure: a lease until the next attempt
//! ```
//!
//! An entry is a thread of the store that belongs to no agent, with a lease. So a message is sent at least once, whichever
//! server is lost when, and waiting for the next attempt takes no memory.
//!
//! | file | idea |
//! |---|---|
//! | `options` | [`Webhooks`]: the secret, the targets, the limits |
//! | `address` | the addresses to which requests may go |
//! | `attempt` | one signed request |
//! | `entry` | a message in the outbox |
//! | `hosts` | the requests to one host at once |
//! | `outbox` | from an entry to its delivery |

mod address;
mod attempt;
mod entry;
mod hosts;
mod options;
mod outbox;

pub use options::Webhooks;
pub(in crate::server) use outbox::{Expected, Outbox};
