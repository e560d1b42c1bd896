//! A list of 1000 things to do, once with a key and once without.

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Random, prose};

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
pub struct List {
    pub items: Vec<Row>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
pub struct Keyed {
    pub items: Vec<Card>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
pub struct Row {
    pub id: u32,
    pub title: String,
    pub done: bool,
    pub note: Option<String>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
pub struct Card {
    #[state(key)]
    pub id: u32,
    pub title: String,
    pub done: bool,
    pub note: Option<String>,
}

/// The common methods of both kinds of element.
pub(super) trait Item {
    fn new(id: u32, title: String, done: bool, note: Option<String>) -> Self;
    fn parts(&mut self) -> (&mut String, &mut bool, &mut Option<String>);
}

macro_rules! item {
    ($($ty:ident)*) => {$(
        impl Item for $ty {
            fn new(id: u32, title: String, done: bool, note: Option<String>) -> Self {
                Self { id, title, done, note }
            }
            fn parts(&mut self) -> (&mut String, &mut bool, &mut Option<String>) {
                (&mut self.title, &mut self.done, &mut self.note)
            }
        }
    )*};
}

item!(Row Card);

pub fn list() -> List {
    List { items: items() }
}

pub fn keyed() -> Keyed {
    Keyed { items: items() }
}

fn items<T: Item>() -> Vec<T> {
    (0..1000_usize)
        .map(|i| {
            let note = (i % 20 < 7).then(|| prose(100_000 + i, 18));
            T::new(1000 + i as u32, prose(200_000 + i, 40 + usize::from(i < 170)), i % 5 == 0, note)
        })
        .collect()
}

/// A typical new element.
pub fn row(i: usize) -> Row {
    new(2000 + i as u32)
}

fn new<T: Item>(id: u32) -> T {
    T::new(id, prose(300_000 + id as usize, 24), false, None)
}

pub(super) fn append<T: Item>(items: &mut Vec<T>) {
    items.push(new(3000));
}

pub(super) fn insert<T: Item>(items: &mut Vec<T>) {
    items.insert(0, new(3000));
}

pub(super) fn remove<T>(items: &mut Vec<T>) {
    items.remove(500);
}

pub(super) fn swap<T>(items: &mut [T]) {
    items.swap(200, 800);
}

pub(super) fn carry<T>(items: &mut Vec<T>) {
    let item = items.remove(900);
    items.insert(3, item);
}

/// One added at the front, one in the middle and one at the end; two removed; two moved; five changed.
pub(super) fn turn<T: Item>(items: &mut Vec<T>) {
    items.remove(700);
    items.remove(120);
    let item = items.remove(610);
    items.insert(40, item);
    let item = items.remove(90);
    items.insert(880, item);
    for (i, item) in [(10, 0), (260, 1), (400, 2), (555, 0), (790, 1)] {
        let (title, done, note) = items[i].parts();
        match item {
            0 => *done = !*done,
            1 => *title = prose(400_000 + i, 30),
            _ => *note = Some(prose(500_000 + i, 12)),
        }
    }
    items.insert(0, new(3000));
    items.insert(500, new(3001));
    items.push(new(3002));
}

pub(super) fn shuffle<T>(items: &mut [T]) {
    let mut random = Random(7);
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i + 1));
    }
}
