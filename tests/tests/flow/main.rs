//! What a run puts on the wire, whatever its agent does; every stream is also judged by the official client.

mod agent;
mod by_name;
mod calls;
mod driver;
mod order;
mod state;
