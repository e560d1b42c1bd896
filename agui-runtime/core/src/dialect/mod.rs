//! Dialects: other protocols that the same agents speak.

pub mod snake_case;
