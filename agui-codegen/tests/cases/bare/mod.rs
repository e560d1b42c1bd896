//! An agent that only talks.

use super::{Case, Shapes};

pub(super) fn case() -> Case {
    Shapes::new("bare", "").finish()
}
