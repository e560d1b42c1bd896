//! Cycles: components that contain each other.

use std::collections::{HashMap, HashSet};

use super::references::references;
use crate::a2ui::{ComponentCatalog, SurfaceComponent};

/// A component's state in the depth-first search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Open,
    Done,
}

/// The search adds no cycle once the found cycles have this number of ids together: each id may close a cycle with each other id.
const MOST_IDS: usize = 10_000;

/// Returns the id cycles, each once, rotated to begin with the smallest id.
pub(super) fn cycles<'c, 'd>(
    components: &'c [SurfaceComponent],
    catalog: &dyn Fn(&SurfaceComponent) -> Option<&'d ComponentCatalog>,
) -> Vec<Vec<&'c str>> {
    let mut order = Vec::new();
    let mut inside: HashMap<&str, Vec<&str>> = HashMap::new();
    for component in components {
        let Some(id) = component.id() else { continue };
        // A model may name one component any number of times; a circle is found by the first.
        let mut is_new = HashSet::new();
        let named = references(component, catalog(component))
            .map(|reference| reference.to)
            .filter(|to| is_new.insert(*to))
            .collect();
        if inside.insert(id, named).is_none() {
            order.push(id);
        }
    }
    let mut search =
        CycleSearch { inside, marks: HashMap::new(), seen: HashSet::new(), found: Vec::new(), ids: 0 };
    for id in order {
        search.from(id);
    }
    search.found
}

struct CycleSearch<'c> {
    inside: HashMap<&'c str, Vec<&'c str>>,
    marks: HashMap<&'c str, VisitState>,
    seen: HashSet<Vec<&'c str>>,
    found: Vec<Vec<&'c str>>,
    /// The number of ids in all found cycles.
    ids: usize,
}

impl<'c> CycleSearch<'c> {
    /// Searches depth-first without recursion: a model may write a chain of any length.
    fn from(&mut self, root: &'c str) {
        if self.marks.contains_key(root) {
            return;
        }
        self.marks.insert(root, VisitState::Open);
        let mut path = vec![(root, 0)];
        while let Some((id, next)) = path.last_mut() {
            let Some(child) = self.inside.get(id).and_then(|inside| inside.get(*next)).copied() else {
                self.marks.insert(id, VisitState::Done);
                path.pop();
                continue;
            };
            *next += 1;
            match self.marks.get(child) {
                None => {
                    self.marks.insert(child, VisitState::Open);
                    path.push((child, 0));
                }
                Some(VisitState::Open) => self.add(child, &path),
                Some(VisitState::Done) => {}
            }
        }
    }

    /// Adds the cycle from this id to the path's end.
    fn add(&mut self, first: &str, path: &[(&'c str, usize)]) {
        if self.ids >= MOST_IDS {
            return;
        }
        let mut cycle: Vec<_> = path.iter().map(|(id, _)| *id).skip_while(|id| *id != first).collect();
        let smallest = (0..cycle.len()).min_by_key(|at| cycle.get(*at));
        cycle.rotate_left(smallest.unwrap_or(0));
        if self.seen.insert(cycle.clone()) {
            self.ids += cycle.len();
            self.found.push(cycle);
        }
    }
}
