//! MCP with others' programs: the official TypeScript clients, and a published server.

mod clients;
mod everything;
mod peers;
