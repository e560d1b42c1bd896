//! Typical changes of shared state, on a document of 95,219 B and on a list of 1000 elements of 93,581 B (as JSON).
//!
//! Everything is made from constants, so operations, bytes and allocations are the same in every run.

mod doc;
mod list;

pub use doc::{Doc, Section, doc, section};
pub use list::{Keyed, List, Row, keyed, list, row};

/// A change of a state.
pub struct Case<T> {
    /// The letter and the name.
    pub name: &'static str,
    /// Makes the change.
    pub edit: fn(&mut T),
}

/// On the document.
pub const ON_DOC: [Case<Doc>; 7] = [
    Case { name: "a nothing", edit: |_| {} },
    Case { name: "b scalar", edit: doc::scalar },
    Case { name: "g text+1", edit: doc::text },
    Case { name: "h a tenth", edit: doc::tenth },
    Case { name: "i map +1-1", edit: doc::map },
    Case { name: "j variant", edit: doc::variant },
    Case { name: "k everything", edit: doc::everything },
];

/// On the list whose elements have no key.
pub const ON_LIST: [Case<List>; 7] = [
    Case { name: "c append", edit: |list| list::append(&mut list.items) },
    Case { name: "d insert at 0", edit: |list| list::insert(&mut list.items) },
    Case { name: "e remove 500", edit: |list| list::remove(&mut list.items) },
    Case { name: "f swap 200, 800", edit: |list| list::swap(&mut list.items) },
    Case { name: "f2 move 900 to 3", edit: |list| list::carry(&mut list.items) },
    Case { name: "l mixed turn", edit: |list| list::turn(&mut list.items) },
    Case { name: "m shuffle", edit: |list| list::shuffle(&mut list.items) },
];

/// The same on the list whose elements have one.
pub const ON_KEYED: [Case<Keyed>; 7] = [
    Case { name: "c append, keyed", edit: |list| list::append(&mut list.items) },
    Case { name: "d insert at 0, keyed", edit: |list| list::insert(&mut list.items) },
    Case { name: "e remove 500, keyed", edit: |list| list::remove(&mut list.items) },
    Case { name: "f swap 200, 800, keyed", edit: |list| list::swap(&mut list.items) },
    Case { name: "f2 move 900 to 3, keyed", edit: |list| list::carry(&mut list.items) },
    Case { name: "l mixed turn, keyed", edit: |list| list::turn(&mut list.items) },
    Case { name: "m shuffle, keyed", edit: |list| list::shuffle(&mut list.items) },
];

/// `n` letters of prose, different for each `seed`.
fn prose(seed: usize, n: usize) -> String {
    const WORDS: [&str; 16] = [
        "state ", "of ", "the ", "kitchen ", "rice ", "and ", "saffron ", "stir ", "slowly ", "until ",
        "it ", "is ", "done ", "then ", "serve ", "warm ",
    ];
    let mut random = Random(seed as u64 + 1);
    let mut text = String::with_capacity(n);
    while text.len() < n {
        text.push_str(WORDS[random.below(WORDS.len())]);
    }
    text.truncate(n);
    text
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}
