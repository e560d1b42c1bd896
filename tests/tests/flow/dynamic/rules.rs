//! What becomes of what, one rule after the other.
