//! Events for a script that reads each distinct one once and their numbers from then on.

use std::collections::HashMap;
use std::io::{self, Write};

/// The events that were sent.
#[derive(Default)]
pub(super) struct Numbered(HashMap<String, usize>);

impl Numbered {
    /// The number of an event, which is written first if it is new.
    pub(super) fn tell(&mut self, to: &mut impl Write, json: String) -> io::Result<usize> {
        if let Some(number) = self.0.get(&json) {
            return Ok(*number);
        }
        writeln!(to, "{json}")?;
        let number = self.0.len();
        self.0.insert(json, number);
        Ok(number)
    }
}
