//! What a run puts on the wire, whatever its agent does; every stream is also judged by the official client.

mod activity;
mod adversary;
mod agent;
mod ask;
mod by_name;
mod calls;
mod cancel;
mod client_tools;
mod driver;
mod dynamic;
mod encrypted;
mod frontend_tools;
mod helper;
mod messages;
mod old_clients;
mod order;
mod parts;
mod patched;
mod predict;
mod question;
mod raw;
mod reasoning;
mod serial;
mod state;
mod subagents;
mod tasks;
