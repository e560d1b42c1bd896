//! Programs that look invalid and compile: one in each file.

mod both_traits_of_agents;
mod inside_a_function;
mod less_visible_parts;
mod reexported_runtime;
mod smallest_agent;
mod state_field_written_by_a_module;
mod written_by_macro_rules;

use agui_runtime::DynAgent;

fn tools_of(agent: &impl DynAgent) -> Vec<&'static str> {
    agent.describe().tools.iter().map(|tool| tool.name).collect()
}
