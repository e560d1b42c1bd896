//! A state whose changes are recorded, with fields of every kind.

use std::collections::BTreeMap;

use agui_runtime::State;
use agui_runtime::state::{ChunkedText, Live, Tracked};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Card, External, Inner, Photo, Row, Sample, Source};

/// The root.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all = "camelCase")]
#[state(live)]
#[allow(missing_docs)]
pub struct Board {
    pub main_title: String,
    pub version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(flatten)]
    pub inner: Inner,
    #[state(key = "id")]
    pub rows: Vec<Row>,
    #[state(opaque)]
    pub photo: Photo,
    pub shape: External,
    pub cards: Tracked<Vec<Card>>,
    pub index: Tracked<BTreeMap<String, Row>>,
    pub log: ChunkedText,
    #[serde(skip)]
    pub unseen: u8,
}

impl Board {
    /// A board with something in it.
    #[must_use]
    pub fn full(source: &mut Source<'_>) -> Live<Self> {
        Live::new(Self {
            main_title: String::sample(source),
            rows: Vec::sample(source),
            cards: Tracked::new((0..source.below(30)).map(|_| Card::sample(source)).collect()),
            index: Tracked::new(BTreeMap::sample(source)),
            shape: External::sample(source),
            ..Self::default()
        })
    }
}

/// Makes one change of a board, recorded finely, coarsely or not at all.
pub fn change(board: &mut Live<Board>, source: &mut Source<'_>) {
    let mut edit = board.edit();
    match source.below(24) {
        0 => edit.main_title.nudge(source),
        1 => *edit.version += 1,
        2 => edit.note.nudge(source),
        3 => edit.inner.nudge(source),
        4 => edit.rows.nudge(source),
        5 => edit.photo.nudge(source),
        6 => edit.shape.nudge(source),
        7 => edit.log.push(&String::sample(source)),
        8 => *edit.unseen += 1,
        9 => edit.log.clear(),
        10 => board.version += 1,
        11 => board.rows.nudge(source),
        12 => *board.clone().edit().version += 1,
        13 => *board = Board::full(source),
        14 => {
            let copy = board.clone();
            edit_cards(&mut board.edit().cards, source);
            if source.once_in(2) {
                *board = copy;
            }
        }
        15 => edit.index.get_mut(&String::sample(source)).into_iter().for_each(|row| row.nudge(source)),
        16 => drop(edit.index.insert(String::sample(source), Row::sample(source))),
        17 => drop(edit.index.remove(&String::sample(source))),
        18 => edit.index.nudge_coarsely(source),
        _ => edit_cards(&mut edit.cards, source),
    }
}

fn edit_cards(cards: &mut Tracked<Vec<Card>>, source: &mut Source<'_>) {
    let place = source.below(cards.len().max(1));
    match source.below(9) {
        0 => cards.push(Card::sample(source)),
        1 => cards.insert(place, Card::sample(source)),
        _ if cards.is_empty() => {}
        2 => drop(cards.remove(place)),
        3 => drop(cards.relocate(place, source.below(cards.len()))),
        4 => drop(cards.pop()),
        5 => cards.truncate(cards.len() - source.below(3).min(cards.len())),
        6 => cards[place].nudge(source),
        7 => cards.reverse(),
        _ => cards.get_mut(place).into_iter().for_each(|card| card.nudge(source)),
    }
}

/// By `DerefMut`, which is not recorded.
trait Coarsely {
    fn nudge_coarsely(&mut self, source: &mut Source<'_>);
}

impl Coarsely for Tracked<BTreeMap<String, Row>> {
    fn nudge_coarsely(&mut self, source: &mut Source<'_>) {
        BTreeMap::nudge(self, source);
    }
}
