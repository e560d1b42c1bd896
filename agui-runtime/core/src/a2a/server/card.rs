//! Builds an agent card from the agent's manifest.

use crate::a2a::wire::{AgentCard, AgentCardCapabilities, AgentSkill};
use crate::manifest::AgentSource;

/// Text and JSON, which every agent can read and write.
const MODES: [&str; 2] = ["text/plain", "application/json"];

pub(super) fn agent_card(source: &AgentSource) -> AgentCard {
    // Clients refuse a card with an empty description.
    let description = if source.description.is_empty() { source.name } else { source.description };
    let mut skill = AgentSkill::new(source.name, source.name, description);
    skill.tags = vec![source.name.to_owned()];
    let modes = MODES.map(str::to_owned).to_vec();
    AgentCard {
        name: source.name.to_owned(),
        description: description.to_owned(),
        version: if source.version.is_empty() { "0" } else { source.version }.to_owned(),
        capabilities: AgentCardCapabilities { streaming: true, ..AgentCardCapabilities::default() },
        default_input_modes: modes.clone(),
        default_output_modes: modes,
        skills: vec![skill],
        ..AgentCard::default()
    }
}
