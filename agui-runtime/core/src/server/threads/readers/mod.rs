//! Readers of stored threads: clients that connect, reload or follow.
//!
//! | file | content |
//! |---|---|
//! | `join` | requests: connect, events |
//! | `reader` `record_converter` | thread events as a response body; records converted to the events that one client reads |
//! | `slice` `run_bounds` | the part of a thread that a response sends; the records at which a run starts and ends |
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
mod record_converter;
pub(super) mod run_bounds;
pub(super) mod shared_cells;
pub(super) mod slice;
pub(super) mod tail;
