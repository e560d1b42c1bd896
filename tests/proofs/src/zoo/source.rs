//! The source of values.

/// Bytes that make choices. Past their end every byte is 0, and 0 always chooses the simplest: fewer bytes are a
/// simpler value.
#[derive(Debug, Clone)]
pub struct Source<'a> {
    bytes: Bytes<'a>,
    depth: usize,
    readable: bool,
}

#[derive(Debug, Clone)]
enum Bytes<'a> {
    Given(&'a [u8]),
    Drawn(u64),
}

/// The limit of nested containers.
const DEPTH: usize = 5;

impl<'a> Source<'a> {
    /// The choices that `bytes` make.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { bytes: Bytes::Given(bytes), depth: 0, readable: false }
    }

    /// Endless choices, the same for the same seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { bytes: Bytes::Drawn(seed), depth: 0, readable: false }
    }

    /// Leaves out values that serde writes but cannot read again, such as a float that is not a number.
    #[must_use]
    pub fn readable(mut self) -> Self {
        self.readable = true;
        self
    }

    /// Returns true if values must be readable from their own JSON.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.readable
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match &mut self.bytes {
            Bytes::Given(bytes) => bytes.split_off_first().copied().unwrap_or_default(),
            // SplitMix64 (Steele, Lea, Flood 2014).
            Bytes::Drawn(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = *state;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (z ^ (z >> 31)).to_le_bytes()[3]
            }
        }
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        let mut number = usize::from(self.byte());
        if n > 256 {
            number = number << 8 | usize::from(self.byte());
        }
        number % n
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// The number of elements of a container, at most `most`.
    pub fn len(&mut self, most: usize) -> usize {
        if self.depth >= DEPTH { 0 } else { self.below(most + 1) }
    }

    /// Makes something inside something else.
    pub fn deeper<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        made
    }
}
