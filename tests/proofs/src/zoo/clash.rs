//! Members of flattened parts with names that occur twice: serde writes them twice, readers take the last.

use std::collections::BTreeMap;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Sample, Source};

/// A map with the names of its owner, and of a part beside it.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Clash {
    pub own: u8,
    #[serde(flatten)]
    pub map: BTreeMap<String, Option<u8>>,
    #[serde(flatten)]
    pub part: Part,
    pub last: Vec<u8>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Part {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<u8>,
    pub b: Vec<u8>,
    #[serde(flatten)]
    pub more: BTreeMap<String, Option<u8>>,
}

/// Owners in owners, each with names of its own.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Clashes {
    pub one: Clash,
    pub list: Vec<Clash>,
    pub map: BTreeMap<String, Clash>,
}

/// Few names, so that they collide.
fn few(map: &mut BTreeMap<String, Option<u8>>, source: &mut Source<'_>) {
    let name = source.one_of(&["own", "a", "b", "c", "last", "__proto__"]);
    match source.below(3) {
        0 => drop(map.remove(name)),
        _ => drop(map.insert(name.to_owned(), Option::sample(source))),
    }
}

fn some(source: &mut Source<'_>) -> BTreeMap<String, Option<u8>> {
    let mut map = BTreeMap::new();
    (0..source.below(4)).for_each(|_| few(&mut map, source));
    map
}

impl Sample for Clash {
    const CLASHES: bool = true;

    fn sample(source: &mut Source<'_>) -> Self {
        let part = Part { a: Option::sample(source), b: Vec::sample(source), more: some(source) };
        Self { own: u8::sample(source), map: some(source), part, last: Vec::sample(source) }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match source.below(6) {
            0 => self.own.nudge(source),
            1 => self.last.nudge(source),
            2 => self.part.a.nudge(source),
            3 => self.part.b.nudge(source),
            4 => few(&mut self.part.more, source),
            _ => few(&mut self.map, source),
        }
    }
}

impl Sample for Clashes {
    const CLASHES: bool = true;

    fn sample(source: &mut Source<'_>) -> Self {
        Self { one: Clash::sample(source), list: Vec::sample(source), map: BTreeMap::sample(source) }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match source.below(3) {
            0 => self.one.nudge(source),
            1 => self.list.nudge(source),
            _ => self.map.nudge(source),
        }
    }
}
