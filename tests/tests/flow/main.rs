//! What a run puts on the wire, whatever its agent does; every stream is also judged by the official client.

mod activity;
mod agent;
mod by_name;
mod calls;
mod driver;
mod encrypted;
mod messages;
mod order;
mod raw;
mod reasoning;
mod state;
