//! Readers of stored threads: clients that connect, reload or follow.
//!
//! | file | content |
//! |---|---|
//! | `join` | requests: connect, events |
//! | `reader` | thread events as a response body |
//! | `past` | a thread's past, made once for all its readers |
//! | `live` `tail` | new records: of runs on this server, of runs elsewhere |
//! | `pages` `copies` `shared_cells` | pages that readers share, and the memory budget of these copies |
//! | `legacy` | events for legacy clients |

pub(in crate::server) mod copies;
pub(super) mod join;
pub(super) mod legacy;
pub(super) mod live;
pub(super) mod pages;
pub(super) mod past;
pub(in crate::server) mod reader;
pub(super) mod shared_cells;
pub(super) mod tail;
