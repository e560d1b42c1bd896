//! An agent without tools, state and events.

use super::{Case, Shapes};

pub(super) fn case() -> Case {
    Shapes::new("bare", "").finish()
}
