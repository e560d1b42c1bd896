//! What a run puts on the wire, whatever its agent does; every stream is also judged by the official client.

mod agent;
mod ask;
mod calls;
mod cancel;
mod driver;
mod helper;
mod order;
mod state;
mod subagents;
mod tasks;
