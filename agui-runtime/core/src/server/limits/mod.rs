//! Limits: time, memory and numbers that clients may take from a server.
//!
//! | file | content |
//! |---|---|
//! | `server_limits` | the settings, with their defaults |
//! | `run_slots` | concurrent runs: in all, per client, thread and identity |
//! | `readers` | readers of stored threads, and the memory that they hold |
//! | `budget` `held_text` | bytes of request bodies; texts that hold a share until their last part is sent |
//! | `bounded` `body_time` | time limits of runs and of request bodies |
//! | `watched` | bodies that report their progress |

pub(super) mod body_time;
pub(super) mod bounded;
pub(super) mod budget;
pub(super) mod held_text;
pub(super) mod readers;
pub(super) mod run_slots;
pub(super) mod server_limits;
pub(super) mod watched;
