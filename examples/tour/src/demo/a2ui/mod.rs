//! Interfaces of A2UI, with the catalog of the showcase's pages.

pub mod a2ui_advanced;
pub mod a2ui_dynamic_schema;
pub mod a2ui_fixed_schema;
pub mod a2ui_recovery;
mod cards;
