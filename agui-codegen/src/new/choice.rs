//! The optional parts in a new project, beside the agent.

use std::fmt;

use crate::arguments::{NewArguments, ReactPageName};

/// A new project's web page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PageKind {
    /// No page.
    #[default]
    None,
    /// A page without a framework.
    Plain,
    /// A page in React.
    React,
    /// A page in React, with CopilotKit's chat.
    CopilotKit,
}

/// A new project's parts beside the agent; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProjectParts {
    pub(super) page: PageKind,
    /// True if the project has a client in Python.
    pub(super) python: bool,
    /// True if conversations are stored in a file.
    pub(super) threads: bool,
}

impl ProjectParts {
    /// Returns the choice that the options make; `None` if the options make no choice.
    pub(super) fn given(options: &NewArguments) -> Option<Self> {
        let page = match (options.page, options.react) {
            (_, Some(ReactPageName::Plain)) => PageKind::React,
            (_, Some(ReactPageName::CopilotKit)) => PageKind::CopilotKit,
            (true, None) => PageKind::Plain,
            (false, None) => PageKind::None,
        };
        let choice = Self { page, python: options.python, threads: options.threads };
        (options.agent_only || choice != Self::default()).then_some(choice)
    }

    /// Returns true if a project part is generated from the agent's types.
    pub(super) fn is_generated(self) -> bool {
        self.page != PageKind::None || self.python
    }

    /// Returns true if the project has the part with this template name.
    pub(super) fn has(self, part: &str) -> bool {
        match part {
            "page" => self.page != PageKind::None,
            "plain" => self.page == PageKind::Plain,
            "react" => self.page == PageKind::React,
            "copilotkit" => self.page == PageKind::CopilotKit,
            // The page's own chat.
            "chat" => matches!(self.page, PageKind::Plain | PageKind::React),
            // The agent is at the server's root: CopilotKit's pages know an agent by its path.
            "root" => self.page != PageKind::CopilotKit,
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
            ("copilotkit", "a page in React with CopilotKit"),
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
