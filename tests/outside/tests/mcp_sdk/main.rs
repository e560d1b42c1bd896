//! MCP with others' programs: the official TypeScript clients, and a published server.

mod asking;
mod changing;
mod clients;
mod everything;
mod peers;
