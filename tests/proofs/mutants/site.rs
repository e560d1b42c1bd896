//! The names of mutants: where each is, and what it does there.

use std::collections::HashMap;

/// One place that can be changed, named so that the name survives reformatting and edits elsewhere.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Site {
    /// Below the folder of the sources.
    pub file: String,
    /// With its type, as in `RunKernel::open`.
    pub function: String,
    /// The change, as in "skip `put`".
    pub operator: String,
    /// Which of the same changes in the function, from 1 on.
    pub ordinal: usize,
}

/// Every place found, in the order of the sources. The number of a mutant is its place in the list, counted from 1; 0 stands for no mutant.
#[derive(Default)]
pub struct Sites {
    all: Vec<Site>,
    counts: HashMap<(String, String, String), usize>,
}

impl Sites {
    /// Records a place and returns its number.
    pub fn add(&mut self, file: &str, function: &str, operator: &str) -> usize {
        let key = (file.to_owned(), function.to_owned(), operator.to_owned());
        let ordinal = self.counts.entry(key.clone()).or_default();
        *ordinal += 1;
        let (file, function, operator) = key;
        self.all.push(Site { file, function, operator, ordinal: *ordinal });
        self.all.len()
    }

    pub fn all(&self) -> &[Site] {
        &self.all
    }
}
