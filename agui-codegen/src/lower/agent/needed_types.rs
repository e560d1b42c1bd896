//! The types that an agent's slots need.

use std::collections::BTreeSet;

use super::super::split::reachable;
use super::super::{LoweredDirections, LoweringReport};
use super::slots::FoundSlot;
use crate::ir::ValueDirection;

/// The manifest names that an agent needs, by direction.
pub(super) struct NeededTypes {
    pub(super) out: BTreeSet<String>,
    pub(super) input: BTreeSet<String>,
}

impl NeededTypes {
    pub(super) fn new(found: &[FoundSlot], directions: &LoweredDirections<'_>) -> Self {
        let reach = |direction: ValueDirection| {
            let roots = found.iter().filter(|slot| slot.direction == direction).map(|slot| &slot.ty);
            reachable(roots, &directions.direction(direction).types)
        };
        Self { out: reach(ValueDirection::Out), input: reach(ValueDirection::In) }
    }

    /// Reports the problems and warnings of needed types; other types' problems do not matter to the agent.
    pub(super) fn report(&self, directions: &LoweredDirections<'_>, report: &mut LoweringReport) {
        for (names, side) in [(&self.out, &directions.out), (&self.input, &directions.input)] {
            for name in names {
                side.problems.get(name).into_iter().flatten().for_each(|p| report.problem(p.clone()));
                side.wide.get(name).into_iter().flatten().for_each(|place| report.wide_integer(place));
                let ignored = side.ignored.get(name).into_iter().flatten();
                report.ignored(ignored, &format!("type `{name}`"));
            }
        }
    }

    /// Returns the names that both directions need.
    pub(super) fn both(&self) -> BTreeSet<String> {
        self.out.intersection(&self.input).cloned().collect()
    }
}
