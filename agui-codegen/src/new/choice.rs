//! The parts of a new project that are beside its agent.

use std::fmt;

use crate::arguments::NewArguments;

/// The page of a new project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PageKind {
    /// No page.
    #[default]
    None,
    /// A page without a framework.
    Plain,
    /// A page in React.
    React,
}

/// The parts of a new project beside its agent; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProjectParts {
    pub(super) page: PageKind,
    /// A client in Python.
    pub(super) python: bool,
    /// Conversations that are stored in a file.
    pub(super) threads: bool,
}

impl ProjectParts {
    /// The choice that the options make; `None` if they make none.
    pub(super) fn given(options: &NewArguments) -> Option<Self> {
        let page = match (options.page, options.react) {
            (_, true) => PageKind::React,
            (true, false) => PageKind::Plain,
            (false, false) => PageKind::None,
        };
        let choice = Self { page, python: options.python, threads: options.threads };
        (options.agent_only || choice != Self::default()).then_some(choice)
    }

    /// True if a part of the project is generated from the agent's types.
    pub(super) fn is_generated(self) -> bool {
        self.page != PageKind::None || self.python
    }

    /// True if the project has the part with this name in the template.
    pub(super) fn has(self, part: &str) -> bool {
        match part {
            "page" => self.page != PageKind::None,
            "plain" => self.page == PageKind::Plain,
            "react" => self.page == PageKind::React,
            "python" => self.python,
            "threads" => self.threads,
            "generated" => self.is_generated(),
            _ => false,
        }
    }
}

impl fmt::Display for ProjectParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an agent")?;
        for (part, name) in [
            ("plain", "a page"),
            ("react", "a page in React"),
            ("python", "a client in Python"),
            ("threads", "threads in SQLite"),
        ] {
            if self.has(part) {
                write!(f, ", {name}")?;
            }
        }
        Ok(())
    }
}
