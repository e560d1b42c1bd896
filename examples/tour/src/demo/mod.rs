//! The features in user interfaces: the demonstrations of the protocol's own showcase.

pub mod a2ui;
pub mod agentic_chat;
pub mod agentic_chat_multimodal;
pub mod agentic_chat_reasoning;
pub mod agentic_generative_ui;
mod asked;
pub mod backend_tool_rendering;
pub mod background_agents;
pub mod error_flow;
pub mod hello;
pub mod human_in_the_loop;
pub mod interrupt;
pub mod predictive_state_updates;
mod reason;
pub mod shared_state;
pub mod subgraphs;
pub mod tool_based_generative_ui;
