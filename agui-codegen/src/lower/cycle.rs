//! Finds all recursive types in one walk over the reference graph.

use indexmap::IndexMap;
use petgraph::Graph;
use petgraph::algo::kosaraju_scc;

use crate::ir::{Type, TypeDecl};

/// A function that calls another function with the name behind each type reference.
type ReferenceWalk = fn(&Type, &mut dyn FnMut(&str));

/// Returns an entry for each type in `types`: true if the references from `each` lead back to that type.
pub(super) fn cyclic(types: &IndexMap<String, TypeDecl>, each: ReferenceWalk) -> Vec<bool> {
    let mut graph = Graph::<(), ()>::new();
    let nodes: Vec<_> = types.iter().map(|_| graph.add_node(())).collect();
    for (decl, from) in types.values().zip(&nodes) {
        each(&decl.ty, &mut |name| {
            if let Some(to) = types.get_index_of(name).and_then(|index| nodes.get(index)) {
                graph.add_edge(*from, *to, ());
            }
        });
    }
    let mut cyclic = vec![false; nodes.len()];
    // Tarjan's algorithm recurses; Kosaraju's algorithm needs no stack for a long chain of types.
    for group in kosaraju_scc(&graph) {
        let is_cycle = group.len() > 1 || group.iter().any(|node| graph.contains_edge(*node, *node));
        for node in group {
            if let Some(cyclic) = cyclic.get_mut(node.index()) {
                *cyclic = is_cycle;
            }
        }
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::DocComment;

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
            ("h", "missing"),
        ];
        let types: IndexMap<String, TypeDecl> = graph
            .into_iter()
            .map(|(name, targets)| {
                let ty = Type::Tuple(targets.split_whitespace().map(|name| Type::Ref(name.into())).collect());
                let decl = TypeDecl {
                    name: name.into(),
                    path: None,
                    doc: DocComment::default(),
                    ty,
                    recursive: false,
                };
                (name.to_owned(), decl)
            })
            .collect();
        let found = cyclic(&types, Type::each_ref);
        let names: Vec<&str> =
            types.keys().zip(found).filter(|(_, cyclic)| *cyclic).map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "e"]);
    }
}
