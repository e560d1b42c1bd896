//! The client of crate `ag-ui`, another reading of the protocol in Rust.
