//! Lists that exchange elements: beside each other, in lists, in maps, and in the elements themselves.

use std::collections::{BTreeMap, VecDeque};

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Card, Row, Sample, Source};

/// Cards in columns, in a map and in a queue; rows whose owner names the key.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Desk {
    pub columns: Vec<Column>,
    pub by_status: BTreeMap<String, Vec<Card>>,
    pub inbox: VecDeque<Card>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bin: Vec<Card>,
    #[state(key = "id")]
    pub rows: Vec<Row>,
    #[state(key = "id")]
    pub other_rows: Option<Vec<Row>>,
}

/// A list of cards with a name.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Column {
    #[state(key)]
    pub name: u8,
    pub cards: Vec<Card>,
}

impl Sample for Column {
    fn sample(source: &mut Source<'_>) -> Self {
        Self { name: u8::sample(source), cards: Vec::sample(source) }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        self.cards.nudge(source);
    }
}

impl Sample for Desk {
    fn sample(source: &mut Source<'_>) -> Self {
        source.deeper(|source| Self {
            columns: Vec::sample(source),
            by_status: BTreeMap::sample(source),
            inbox: VecDeque::sample(source),
            bin: Vec::sample(source),
            rows: Vec::sample(source),
            other_rows: Option::sample(source),
        })
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match source.below(12) {
            0 => self.columns.nudge(source),
            1 => self.by_status.nudge(source),
            2 => self.inbox.nudge(source),
            3 => self.bin.nudge(source),
            4 => self.rows.nudge(source),
            5 => self.other_rows.nudge(source),
            6 => exchange(&mut [&mut self.rows, self.other_rows.get_or_insert_default()], source),
            _ => {
                let columns = self.columns.iter_mut().map(|column| &mut column.cards);
                let mut lists: Vec<_> = columns.chain(self.by_status.values_mut()).collect();
                lists.push(&mut self.bin);
                for _ in 0..=source.below(3) {
                    exchange(&mut lists, source);
                }
            }
        }
    }
}

/// Moves an element from one list to another, and sometimes changes it.
fn exchange<T: Sample>(lists: &mut [&mut Vec<T>], source: &mut Source<'_>) {
    let from = source.below(lists.len());
    if lists[from].is_empty() {
        return;
    }
    let place = source.below(lists[from].len());
    let mut element = lists[from].remove(place);
    if source.once_in(3) {
        element.nudge(source);
    }
    let to = source.below(lists.len());
    let place = source.below(lists[to].len() + 1);
    lists[to].insert(place, element);
}

/// A tree whose branches move from place to place.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Branch {
    #[state(key)]
    pub id: u8,
    pub title: String,
    pub branches: Vec<Branch>,
}

impl Branch {
    /// Every list of branches in the tree, by the numbers on the way to it.
    fn lists(&self) -> Vec<Vec<usize>> {
        let below = self.branches.iter().enumerate().flat_map(|(place, branch)| {
            branch.lists().into_iter().map(move |rest| [vec![place], rest].concat())
        });
        [Vec::new()].into_iter().chain(below).collect()
    }

    fn some_list(&self, source: &mut Source<'_>) -> Vec<usize> {
        let mut lists = self.lists();
        lists.swap_remove(source.below(lists.len()))
    }

    fn list(&mut self, way: &[usize]) -> &mut Vec<Self> {
        match way {
            [] => &mut self.branches,
            [place, rest @ ..] => self.branches[*place].list(rest),
        }
    }
}

impl Sample for Branch {
    fn sample(source: &mut Source<'_>) -> Self {
        source.deeper(|source| Self {
            id: u8::sample(source),
            title: String::sample(source),
            branches: Vec::sample(source),
        })
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        if source.once_in(4) {
            self.branches.nudge(source);
            return;
        }
        for _ in 0..=source.below(2) {
            let from = self.some_list(source);
            let list = self.list(&from);
            if list.is_empty() {
                continue;
            }
            let place = source.below(list.len());
            let mut branch = list.remove(place);
            if source.once_in(3) {
                branch.title.nudge(source);
            }
            let to = self.some_list(source);
            let list = self.list(&to);
            list.insert(source.below(list.len() + 1), branch);
        }
    }
}
