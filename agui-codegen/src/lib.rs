//! TypeScript and Python from the Rust types of an agent.
