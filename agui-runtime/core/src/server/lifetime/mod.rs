//! A server's lifetime: from its address to the signal that ends it.
//!
//! | file | content |
//! |---|---|
//! | `program` `address` | the async runtime of `#[agui_runtime::main]`; the address to listen at |
//! | `serve` `shutdown` | start, signals, grace period, end |
//! | `connection` | TCP connections: number, time limits, states |
//! | `health` | liveness and readiness for load balancers |

pub(super) mod address;
pub(super) mod connection;
pub(super) mod health;
pub(super) mod program;
pub(super) mod serve;
pub(super) mod shutdown;
