//! The places in the kernel's sources that can be changed, as the build script found them.

use std::fmt;

include!(concat!(env!("OUT_DIR"), "/sites.rs"));

/// A place in the kernel's sources that can be changed, and how.
#[derive(Debug)]
pub struct Site {
    pub file: &'static str,
    pub function: &'static str,
    pub operator: &'static str,
    pub ordinal: usize,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}, {}", self.file, self.function, self.operator, self.ordinal)
    }
}

/// The number of a mutant: what [`choose`](crate::switch::choose) takes.
pub fn number_of(function: &str, operator: &str, ordinal: usize) -> Option<usize> {
    let is_it =
        |site: &Site| site.function == function && site.operator == operator && site.ordinal == ordinal;
    SITES.iter().position(is_it).map(|place| place + 1)
}
