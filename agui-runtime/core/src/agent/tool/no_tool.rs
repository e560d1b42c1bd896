//! Error text for an unknown tool name.

use std::fmt::{self, Display};

/// Says that no tool has this name, and which tools exist.
pub struct NoTool<'n, N> {
    name: N,
    offered: Vec<&'n str>,
}

impl<'n, N: Display> NoTool<'n, N> {
    /// Keeps the name, and the tools that exist.
    pub fn new(name: N, offered: impl IntoIterator<Item = &'n str>) -> Self {
        Self { name, offered: offered.into_iter().collect() }
    }
}

impl<N: Display> Display for NoTool<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no tool `{}`; ", self.name)?;
        match &*self.offered {
            [] => f.write_str("the agent has none"),
            names => write!(f, "there is: `{}`", names.join("`, `")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_that_exist_are_named() {
        assert_eq!(NoTool::new("c", ["a", "b"]).to_string(), "there is no tool `c`; there is: `a`, `b`");
        assert_eq!(NoTool::new("c", []).to_string(), "there is no tool `c`; the agent has none");
    }
}
