//! Lowers one agent: the slots where values travel, the types that slots need, one name for each type.

mod assembly;
mod declarations;
mod free_names;
mod names;
mod needed_types;
mod slots;

use agui_runtime::manifest::AgentDef;

use super::catalog::catalogs;
use super::{LoweredDirections, LoweringReport};
use crate::ir::AgentDecl;
use assembly::{assemble, name_inline_types};
use declarations::TypeDeclarations;
use free_names::FreeNames;
use names::ManifestNames;
use needed_types::NeededTypes;
use slots::SlotPass;

pub(super) fn lower_agent(
    agent: &AgentDef,
    wire: &str,
    directions: &LoweredDirections<'_>,
    report: &mut LoweringReport,
) -> AgentDecl {
    let mut free = FreeNames::new(directions);
    let found = SlotPass { agent, directions, report, free: &mut free, found: Vec::new() }.find();
    let needed = NeededTypes::new(&found, directions);
    needed.report(directions, report);
    let names = ManifestNames::new(agent, &found, &needed, directions);
    let mut declarations = TypeDeclarations::new(&needed, &names, directions, report);
    let slots = name_inline_types(agent, found, &names, &mut free, &mut declarations, report);
    let types = declarations.finish(report);
    let mut lowered = assemble(agent, directions, slots, types, wire);
    lowered.catalogs = catalogs(agent, report);
    lowered
}
