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
pub(in crate::server) mod join;
pub(in crate::server) mod legacy;
pub(in crate::server) mod live;
pub(in crate::server) mod pages;
pub(in crate::server) mod past;
pub(in crate::server) mod reader;
pub(in crate::server) mod shared_cells;
pub(in crate::server) mod tail;
