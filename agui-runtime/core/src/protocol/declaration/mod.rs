//! The declaration of an agent: its capabilities, and facts about its tools.

pub(super) mod capabilities;
pub(super) mod frontend_tool;
pub(super) mod tool_annotations;
pub(super) mod tool_side;
