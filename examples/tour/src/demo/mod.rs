//! The features in user interfaces: the demonstrations of the protocol's own showcase.

pub mod a2ui;
pub mod agentic_chat;
pub mod agentic_generative_ui;
pub mod backend_tool_rendering;
pub mod hello;
pub mod human_in_the_loop;
pub mod predictive_state_updates;
pub mod shared_state;
pub mod tool_based_generative_ui;
