//! A stored conversation: the meaning of a thread's records, and the run that owns the thread.
//!
//! | file | content |
//! |---|---|
//! | `record` | records as text: events, and control records that no client sees |
//! | `fold` | the records of a thread, folded to messages, state and open interrupts |
//! | `input` `continuation` | the input of a run, completed and checked against the thread; the conversation that the input continues |
//! | `claim` `claiming` | ownership: the one writer of a thread until a later claim |
//! | `interrupt_claim` | interrupts outside of stored threads, each for one process |
//! | `run_control` | messages to the owner of a run, on whichever server |
//! | `steering` | user messages for the run that works |
//! | `takeover` | runs whose owner is lost |
//! | `resumed` `note` | interrupts that a run resumes; the last runs, open interrupts and description of a thread |
//! | `last_message` | the excerpt that a list of threads shows |
//! | `trim` | older runs become one snapshot |

pub(super) mod claim;
pub(super) mod claiming;
mod continuation;
pub(super) mod fold;
pub(in crate::server) mod input;
#[cfg(feature = "tool-servers")]
mod interrupt_claim;
pub(in crate::server) mod last_message;
pub(in crate::server) mod note;
pub(super) mod record;
pub(super) mod resumed;
pub(super) mod run_control;
pub(super) mod steering;
pub(super) mod takeover;
pub(super) mod trim;
