//! A message's fields in byte order.

use super::error::{DecodeError, DecodeFault};

/// The nesting limit for groups, as in the official reader.
const DEEPEST_GROUP: usize = 100;

/// A field's payload.
#[derive(Debug, Clone, Copy)]
pub(super) enum Payload<'b> {
    /// A variable-length integer's bytes.
    Varint(&'b [u8]),
    /// Eight bytes.
    Fixed(u64),
    /// Length-delimited bytes: a text or a message.
    Bytes(&'b [u8]),
    /// Four bytes; no protocol field has this type.
    Other,
    /// Fields between two tags; no protocol field has this type.
    Group,
}

/// One field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'b> {
    pub(super) number: u32,
    pub(super) payload: Payload<'b>,
    /// The payload's offset within the frame's message.
    pub(super) at: usize,
}

/// Iterates over one message's fields.
#[derive(Debug, Clone)]
pub(super) struct Fields<'b> {
    rest: &'b [u8],
    at: usize,
    /// True to refuse integers longer than the type allows; readers are otherwise lenient.
    strict: bool,
}

impl<'b> Fields<'b> {
    /// Reads the fields of a message that begins at `at`.
    pub(super) fn new(bytes: &'b [u8], at: usize) -> Self {
        Self { rest: bytes, at, strict: false }
    }

    /// Reads strictly, for bytes that may not be a message.
    pub(super) fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Field<'b>>, DecodeError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (number, wire) = self.key()?;
        let at = self.at;
        Ok(Some(Field { number, payload: self.payload(number, wire, 0)?, at }))
    }

    #[inline]
    fn key(&mut self) -> Result<(u32, u8), DecodeError> {
        let at = self.at;
        let bytes = self.varint()?;
        let overflows = match bytes {
            [] | [_] | [_, _] | [_, _, _] | [_, _, _, _] => false,
            [_, _, _, _, last] => *last > 0x0F,
            _ => true,
        };
        let key = integer(bytes) as u32;
        if overflows || key >> 3 == 0 {
            return Err(DecodeError::new(at, DecodeFault::Key));
        }
        Ok((key >> 3, (key & 7) as u8))
    }

    #[inline]
    fn payload(&mut self, number: u32, wire: u8, groups: usize) -> Result<Payload<'b>, DecodeError> {
        match wire {
            0 => {
                let bytes = self.varint()?;
                if self.strict && (bytes.len() > 10 || (bytes.len() == 10 && bytes.last() > Some(&1))) {
                    return Err(self.fault(DecodeFault::Varint));
                }
                Ok(Payload::Varint(bytes))
            }
            1 => {
                let bytes = self.take(8)?.first_chunk().copied().unwrap_or_default();
                Ok(Payload::Fixed(u64::from_le_bytes(bytes)))
            }
            2 => {
                let len = self.len()?;
                self.take(len).map(Payload::Bytes)
            }
            3 => self.group(number, groups),
            5 => self.take(4).map(|_| Payload::Other),
            _ => Err(self.fault(DecodeFault::Key)),
        }
    }

    #[inline]
    fn len(&mut self) -> Result<usize, DecodeError> {
        let bytes = self.varint()?;
        if let [len] = bytes {
            return Ok(usize::from(*len));
        }
        let most = if self.strict { 5 } else { 10 };
        if bytes.len() > most || (self.strict && bytes.len() == 5 && bytes.last() > Some(&0x0F)) {
            return Err(self.fault(DecodeFault::Varint));
        }
        // Like the official reader, only the lower 32 bits are used.
        Ok(integer(bytes) as u32 as usize)
    }

    /// Skips a group: proto2 had groups, proto3 readers only skip them.
    fn group(&mut self, number: u32, depth: usize) -> Result<Payload<'b>, DecodeError> {
        const END: u8 = 4;
        if depth >= DEEPEST_GROUP {
            return Err(self.fault(DecodeFault::TooDeep));
        }
        loop {
            match self.key()? {
                (other, END) if other != number => return Err(self.fault(DecodeFault::Key)),
                (_, END) => return Ok(Payload::Group),
                (inner, wire) => _ = self.payload(inner, wire, depth + 1)?,
            }
        }
    }

    /// Returns the bytes of a variable-length integer, at any length.
    #[inline]
    fn varint(&mut self) -> Result<&'b [u8], DecodeError> {
        let more = match self.rest {
            [first, ..] if *first < 0x80 => 0,
            rest => rest
                .iter()
                .position(|byte| *byte < 0x80)
                .ok_or(DecodeError::new(self.at, DecodeFault::Truncated))?,
        };
        self.take(more + 1)
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<&'b [u8], DecodeError> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.fault(DecodeFault::Truncated));
        };
        self.rest = rest;
        self.at += len;
        Ok(taken)
    }

    #[cold]
    fn fault(&self, fault: DecodeFault) -> DecodeError {
        DecodeError::new(self.at, fault)
    }
}

/// Decodes a variable-length integer: seven bits a byte, the lowest first. Bits beyond 64 are dropped.
#[inline]
pub(super) fn integer(bytes: &[u8]) -> u64 {
    if let [byte] = bytes {
        return u64::from(*byte);
    }
    bytes.iter().take(10).rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7F))
}

/// Like [`integer`], for a protocol field, which has at most ten bytes.
pub(super) fn known_integer(bytes: &[u8], at: usize) -> Result<u64, DecodeError> {
    if bytes.len() > 10 { Err(DecodeError::new(at, DecodeFault::Varint)) } else { Ok(integer(bytes)) }
}
