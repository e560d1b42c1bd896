//! A stored conversation: the meaning of a thread's records, and the run that owns the thread.
//!
//! | file | content |
//! |---|---|
//! | `record` | records as text: events, and control records that no client sees |
//! | `fold` | the records of a thread, folded to messages, state and open interrupts |
//! | `input` | the input of a run, completed and checked against the thread |
//! | `claim` `claiming` | ownership: the one writer of a thread until a later claim |
//! | `run_control` | messages to the owner of a run, on whichever server |
//! | `takeover` | runs whose owner is lost |
//! | `answered` `note` | interrupts that a run resumes; the last runs and open interrupts of a thread |
//! | `trim` | older runs become one snapshot |

pub(in crate::server) mod answered;
pub(in crate::server) mod claim;
pub(in crate::server) mod claiming;
pub(in crate::server) mod fold;
pub(in crate::server) mod input;
pub(in crate::server) mod note;
pub(in crate::server) mod record;
pub(in crate::server) mod run_control;
pub(in crate::server) mod takeover;
pub(in crate::server) mod trim;
