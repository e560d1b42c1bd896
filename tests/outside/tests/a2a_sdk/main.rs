//! A2A with the official SDKs: their clients with our server, their servers with our client.

mod clients;
mod planner;
mod servers;
