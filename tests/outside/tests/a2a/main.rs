//! A2A with the official SDKs: their clients with our server.

mod clients;
