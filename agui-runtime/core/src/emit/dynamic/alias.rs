//! New ids for spans whose own id is taken. Only repair assigns them.

use std::collections::HashMap;

use crate::protocol::{Event, IdSpace};

#[derive(Debug, Default)]
pub(super) struct IdAliases {
    names: HashMap<(IdSpace, String), String>,
    made: u64,
}

impl IdAliases {
    /// Assigns a new alias to an id. The argument is the original id, even if an alias exists.
    pub(super) fn rename(&mut self, space: IdSpace, name: &str) {
        self.made += 1;
        let original = self.names.iter().find(|((known, _), alias)| *known == space && *alias == name);
        let original = original.map_or_else(|| name.to_owned(), |((_, original), _)| original.clone());
        let alias = format!("{original}~{}", self.made);
        self.names.insert((space, original), alias);
    }

    pub(super) fn rewrite(&self, event: &mut Event) {
        if self.names.is_empty() {
            return;
        }
        event.rename_ids(|space, name| self.name(space, name));
    }

    /// Returns a message's or call's present id.
    pub(super) fn name(&self, space: IdSpace, name: &str) -> Option<&str> {
        self.names.get(&(space, name.to_owned())).map(String::as_str)
    }
}
