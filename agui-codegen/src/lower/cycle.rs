//! Which types contain themselves, all at once: in one walk over what refers to what (Tarjan's).

use indexmap::IndexMap;

use crate::ir::{Type, TypeDecl};

/// Calls a function with the name of each type that a type refers to, in one way or another.
type Each = fn(&Type, &mut dyn FnMut(&str));

/// For each of `types`, whether it comes back to itself by the references that `each` gives.
pub(super) fn cyclic(types: &IndexMap<String, TypeDecl>, each: Each) -> Vec<bool> {
    let edges = types.values().map(|decl| {
        let mut targets = Vec::new();
        each(&decl.ty, &mut |name| targets.extend(types.get_index_of(name)));
        targets
    });
    let edges: Vec<Vec<usize>> = edges.collect();
    let mut walk = Walk { number: vec![0; edges.len()], low: vec![0; edges.len()], ..Walk::default() };
    walk.cyclic = vec![false; edges.len()];
    walk.waiting = vec![false; edges.len()];
    for start in 0..edges.len() {
        walk.from(start, &edges);
    }
    walk.cyclic
}

#[derive(Default)]
struct Walk {
    count: usize,
    /// When a type was met first, from 1; 0 is not yet.
    number: Vec<usize>,
    /// The first met of those it leads back to.
    low: Vec<usize>,
    /// What belongs to no finished group yet.
    stack: Vec<usize>,
    waiting: Vec<bool>,
    cyclic: Vec<bool>,
}

impl Walk {
    /// Walks on a list of its own, because a chain of types may be longer than the program's stack is deep.
    fn from(&mut self, start: usize, edges: &[Vec<usize>]) {
        if self.number.get(start).is_none_or(|number| *number > 0) {
            return;
        }
        self.meet(start);
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            let target = edges.get(node).and_then(|targets| targets.get(*next)).copied();
            *next += 1;
            match target {
                Some(target) if self.number.get(target) == Some(&0) => {
                    self.meet(target);
                    path.push((target, 0));
                }
                Some(target) => {
                    if self.waiting.get(target) == Some(&true) {
                        self.lower(node, self.number.get(target).copied());
                    }
                    if target == node {
                        set(&mut self.cyclic, node, true);
                    }
                }
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        self.lower(*parent, self.low.get(node).copied());
                    }
                    self.leave(node);
                }
            }
        }
    }

    fn meet(&mut self, node: usize) {
        self.count += 1;
        set(&mut self.number, node, self.count);
        set(&mut self.low, node, self.count);
        set(&mut self.waiting, node, true);
        self.stack.push(node);
    }

    fn lower(&mut self, node: usize, to: Option<usize>) {
        if let (Some(low), Some(to)) = (self.low.get_mut(node), to) {
            *low = (*low).min(to);
        }
    }

    /// Takes a whole group off the stack when its first member is done.
    fn leave(&mut self, node: usize) {
        if self.low.get(node) != self.number.get(node) {
            return;
        }
        let Some(start) = self.stack.iter().rposition(|one| *one == node) else { return };
        let group = self.stack.split_off(start);
        let is_cycle = group.len() > 1;
        for member in group {
            set(&mut self.waiting, member, false);
            if is_cycle {
                set(&mut self.cyclic, member, true);
            }
        }
    }
}

fn set<T>(list: &mut [T], index: usize, value: T) {
    if let Some(slot) = list.get_mut(index) {
        *slot = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Doc;

    #[test]
    fn cycles_are_found_and_nothing_else() {
        let graph = [
            ("a", "b"),
            ("b", "c"),
            ("c", "a d"),
            ("d", "e"),
            ("e", "e"),
            ("f", "a g"),
            ("g", ""),
            ("h", "nobody"),
        ];
        let types: IndexMap<String, TypeDecl> = graph
            .into_iter()
            .map(|(name, targets)| {
                let ty = Type::Tuple(targets.split_whitespace().map(|name| Type::Ref(name.into())).collect());
                let decl = TypeDecl { name: name.into(), doc: Doc::default(), ty, recursive: false };
                (name.to_owned(), decl)
            })
            .collect();
        let found = cyclic(&types, Type::each_ref);
        let names: Vec<&str> =
            types.keys().zip(found).filter(|(_, cyclic)| *cyclic).map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "e"]);
    }
}
