//! Walks over a type's parts: the visited types, and the lists that a state can have several of.

use std::any::TypeId;

/// The types that a walk has visited, so that it ends where a type contains itself, and the lists among them.
#[derive(Debug, Default)]
pub struct VisitedTypes {
    visited: Vec<TypeVisit>,
    lists: Vec<ElementLists>,
    /// The number of collections around the present part.
    inside: usize,
}

#[derive(Debug)]
struct TypeVisit {
    of: TypeId,
    /// The number of lists known at the start.
    lists: usize,
}

/// The lists with one element type.
#[derive(Debug)]
struct ElementLists {
    of: TypeId,
    are_several: bool,
}

impl VisitedTypes {
    /// Returns true for a type's first visit.
    pub fn enter<T: 'static>(&mut self) -> bool {
        let of = TypeId::of::<T>();
        let Some(visit) = self.visited.iter().find(|visit| visit.of == of) else {
            self.visited.push(TypeVisit { of, lists: self.lists.len() });
            return true;
        };
        // A type that occurs twice has its lists twice. Lists that were found after it may belong to another
        // type: then more is recorded than necessary.
        for elements in self.lists.iter_mut().skip(visit.lists) {
            elements.are_several = true;
        }
        false
    }

    /// Walks over a list's elements.
    pub(in crate::state) fn list<T: 'static>(&mut self, walk: impl FnOnce(&mut Self) -> bool) -> bool {
        let of = TypeId::of::<T>();
        match self.lists.iter_mut().find(|elements| elements.of == of) {
            Some(elements) => elements.are_several = true,
            None => self.lists.push(ElementLists { of, are_several: self.inside > 0 }),
        }
        self.collection(walk)
    }

    /// Walks over a collection's values.
    pub(in crate::state) fn collection(&mut self, walk: impl FnOnce(&mut Self) -> bool) -> bool {
        self.inside += 1;
        let result = walk(self);
        self.inside -= 1;
        result
    }

    /// Returns the element types for which there can be several lists.
    pub(super) fn several(&self) -> impl Iterator<Item = TypeId> {
        self.lists.iter().filter(|elements| elements.are_several).map(|elements| elements.of)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::state::StateNode;

    fn several<T: StateNode>() -> Vec<TypeId> {
        let mut types = VisitedTypes::default();
        T::is_open(&mut types);
        types.several().collect()
    }

    #[test]
    fn one_list_has_nothing_to_exchange_with() {
        assert_eq!(several::<Vec<u8>>(), []);
        assert_eq!(several::<(Vec<u8>, Option<Box<Vec<u16>>>)>(), []);
    }

    #[test]
    fn lists_beside_each_other_and_in_collections_are_several() {
        assert_eq!(several::<(Vec<u8>, Vec<u8>)>(), [TypeId::of::<u8>()]);
        assert_eq!(several::<Vec<Vec<u8>>>(), [TypeId::of::<u8>()]);
        assert_eq!(several::<BTreeMap<String, Vec<u8>>>(), [TypeId::of::<u8>()]);
    }
}
