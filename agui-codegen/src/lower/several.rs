//! Joins several packages that generate into one folder.

use std::collections::BTreeMap;

use super::name_modules;
use super::problem::{LowerError, SchemaProblem};
use crate::ir::{ApiDecl, FileOrigin, OutputOptions};

/// Joins the agents from several packages. Each agent has separate types.
///
/// ```
/// use agui_codegen::{Manifest, lower};
/// # use agui_runtime::manifest::AgentSource;
/// # let agent = |name| AgentSource {
/// #     version: "0.1.0", rust_path: name, ..AgentSource::new(name)
/// # };
/// # let kitchen = Manifest::build("kitchen", "0.1.0", &[agent("chef")])?;
/// # let hotel = Manifest::build("hotel", "0.2.0", &[agent("porter")])?;
///
/// let api = lower::together(vec![lower::lower(&kitchen)?, lower::lower(&hotel)?])?;
/// assert_eq!(api.agents.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`LowerError`] if agents in two packages have the same name.
pub fn together(apis: Vec<ApiDecl>) -> Result<ApiDecl, LowerError> {
    let mut whole = ApiDecl {
        origin: FileOrigin { krate: String::new(), version: String::new(), command: String::new() },
        agents: Vec::new(),
        warnings: Vec::new(),
        wide_integers: Vec::new(),
        ignored_keywords: BTreeMap::new(),
        options: OutputOptions::default(),
    };
    let mut packages = BTreeMap::new();
    let mut problems = Vec::new();
    for mut api in apis {
        let FileOrigin { krate, version, command } = api.origin;
        for agent in &api.agents {
            if let Some(first) = packages.insert(agent.name.clone(), krate.clone()) {
                problems.push(SchemaProblem {
                    owner: format!("agent `{}` of `{krate}`", agent.name),
                    path: String::new(),
                    message: format!(
                        "is named as an agent of `{first}` is; rename one, or generate them apart with `-p`"
                    ),
                });
            }
        }
        whole.agents.append(&mut api.agents);
        whole.warnings.append(&mut api.warnings);
        whole.wide_integers.append(&mut api.wide_integers);
        for (keyword, mut owners) in api.ignored_keywords {
            whole.ignored_keywords.entry(keyword).or_default().append(&mut owners);
        }
        let before = std::mem::replace(&mut whole.origin, FileOrigin { krate, version, command });
        if !before.krate.is_empty() {
            whole.origin.krate = format!("{} {}, {}", before.krate, before.version, whole.origin.krate);
        }
    }
    if !problems.is_empty() {
        return Err(LowerError { problems });
    }
    whole.agents.sort_by(|a, b| a.name.cmp(&b.name));
    name_modules(&mut whole.agents);
    Ok(whole)
}
