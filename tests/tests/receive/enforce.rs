//! What is dropped, stripped and refused.
