//! One agent: the slots where values travel, the types that these slots need, one name for each type.

mod assembly;
mod declarations;
mod names;
mod slots;

use std::collections::BTreeSet;

use agui_runtime::manifest::AgentDef;

use super::split::reachable;
use super::{Report, Sides};
use crate::ir::{AgentDecl, Direction};
use assembly::{assemble, name_inline_types};
use declarations::TypeDeclarations;
use names::{FreeNames, ManifestNames};
use slots::{FoundSlot, SlotPass};

pub(super) fn lower_agent(agent: &AgentDef, wire: &str, sides: &Sides<'_>, report: &mut Report) -> AgentDecl {
    let mut free = FreeNames::new(sides);
    let found = SlotPass { agent, sides, report, free: &mut free, found: Vec::new() }.find();
    let needed = NeededTypes::new(&found, sides);
    needed.report(sides, report);
    let names = ManifestNames::new(agent, &found, &needed, sides);
    let mut declarations = TypeDeclarations::new(&needed, &names, sides, report);
    let slots = name_inline_types(agent, found, &names, &mut free, &mut declarations, report);
    let types = declarations.finish(report);
    assemble(agent, sides, slots, types, wire)
}

/// The names of the manifest's types that an agent needs, by direction.
struct NeededTypes {
    out: BTreeSet<String>,
    input: BTreeSet<String>,
}

impl NeededTypes {
    fn new(found: &[FoundSlot], sides: &Sides<'_>) -> Self {
        let reach = |direction: Direction| {
            let roots = found.iter().filter(|slot| slot.direction == direction).map(|slot| &slot.ty);
            reachable(roots, &sides.of(direction).types)
        };
        Self { out: reach(Direction::Out), input: reach(Direction::In) }
    }

    /// Reports the problems and warnings that only types have which the agent needs.
    fn report(&self, sides: &Sides<'_>, report: &mut Report) {
        for (names, side) in [(&self.out, &sides.out), (&self.input, &sides.input)] {
            for name in names {
                side.problems.get(name).into_iter().flatten().for_each(|p| report.problem(p.clone()));
                side.wide.get(name).into_iter().flatten().for_each(|place| report.wide_integer(place));
                let ignored = side.ignored.get(name).into_iter().flatten();
                report.ignored(ignored, &format!("type `{name}`"));
            }
        }
    }

    /// The names that both directions need.
    fn both(&self) -> BTreeSet<String> {
        self.out.intersection(&self.input).cloned().collect()
    }
}
