//! What a run puts on the wire, whatever its agent does; every stream is also judged by the official client.

mod agent;
mod calls;
mod driver;
mod dynamic;
mod helper;
mod old_clients;
mod order;
mod serial;
mod state;
mod subagents;
