//! The combinations of the parts of a new project.

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that chooses combinations: `react,python`, `copilotkit`, `agent`, or `all`.
const VARIABLE: &str = "AGUI_NEW";

const HOUR: u64 = 3600;

/// A combination of parts beside the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Combination {
    /// `page`, `react` or `copilotkit`.
    pub(crate) page: Option<&'static str>,
    pub(crate) python: bool,
    pub(crate) threads: bool,
}

/// Every combination.
pub(crate) fn all() -> Vec<Combination> {
    let mut all = Vec::new();
    for page in [None, Some("page"), Some("react"), Some("copilotkit")] {
        for (python, threads) in [(false, false), (true, false), (false, true), (true, true)] {
            all.push(Combination { page, python, threads });
        }
    }
    all
}

/// The combinations that are built now: those that `AGUI_NEW` names, or the one of this hour.
pub(crate) fn now() -> Vec<Combination> {
    match env::var(VARIABLE).as_deref() {
        Ok("all") => all(),
        Ok(name) => vec![
            all()
                .into_iter()
                .find(|combination| combination.name() == name)
                .unwrap_or_else(|| panic!("{VARIABLE}={name}: no combination is called so")),
        ],
        Err(_) => {
            let hours = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / HOUR;
            let all = all();
            vec![all[usize::try_from(hours).unwrap() % all.len()]]
        }
    }
}

impl Combination {
    /// The names of its parts.
    fn parts(self) -> Vec<&'static str> {
        let others = [(self.python, "python"), (self.threads, "threads")];
        let others = others.into_iter().filter_map(|(chosen, part)| chosen.then_some(part));
        self.page.into_iter().chain(others).collect()
    }

    /// The value of `AGUI_NEW` that chooses it.
    pub(crate) fn name(self) -> String {
        match self.parts().as_slice() {
            [] => "agent".into(),
            parts => parts.join(","),
        }
    }

    /// The name of its project.
    pub(crate) fn project(self) -> String {
        format!("new-{}", self.name().replace(',', "-"))
    }

    /// The options of `agui-codegen new` for it.
    pub(crate) fn options(self) -> Vec<String> {
        match self.parts().as_slice() {
            [] => vec!["--agent-only".into()],
            parts => parts.iter().map(|part| option(part)).collect(),
        }
    }

    /// The command that builds it again.
    pub(crate) fn again(self) -> String {
        format!("{VARIABLE}={} cargo test -p agui-outside --test readme new::", self.name())
    }
}

/// The option of `agui-codegen new` for a part.
fn option(part: &str) -> String {
    match part {
        "copilotkit" => "--react=copilotkit".to_owned(),
        part => format!("--{part}"),
    }
}

#[test]
fn every_combination_has_a_name_of_its_own() {
    let mut names: Vec<_> = all().into_iter().map(Combination::name).collect();
    assert_eq!(
        (names.len(), names[0].as_str(), names[15].as_str()),
        (16, "agent", "copilotkit,python,threads")
    );
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 16);
}
