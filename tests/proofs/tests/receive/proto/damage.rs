//! Bytes that are nearly events: fields that are doubled, lost, moved or of another kind, and random bytes.

use super::message;
use crate::mutate::{Dice, legal_events};

/// Makes a change to a message, or to one inside of it.
pub(super) fn damage(bytes: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    match fields(bytes) {
        Some(mut fields) if !dice.once_in(4) => {
            change(&mut fields, others, dice);
            *bytes = fields.iter().flat_map(Field::bytes).collect();
        }
        _ => scribble(bytes, others, dice),
    }
}

/// Bytes that are nearly events.
pub(super) fn damaged(seed: u64, rounds: usize) -> Vec<Vec<u8>> {
    let mut dice = Dice::new(seed);
    let bases: Vec<Vec<u8>> = legal_events(seed, 8).iter().map(message).collect();
    let mut all = Vec::new();
    for _ in 0..rounds {
        for base in &bases {
            let mut bytes = base.clone();
            for _ in 0..1 + dice.below(2) {
                damage(&mut bytes, &bases, &mut dice);
            }
            all.push(bytes);
        }
    }
    all
}

/// A field in its raw form.
#[derive(Clone)]
struct Field {
    number: u64,
    kind: u64,
    /// The bytes after the number, without the length before them.
    payload: Vec<u8>,
}

impl Field {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = varint(self.number << 3 | self.kind);
        if self.kind == 2 {
            bytes.extend(varint(self.payload.len() as u64));
        }
        bytes.extend(&self.payload);
        bytes
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let len = bytes.iter().position(|byte| *byte < 0x80)? + 1;
    let (taken, rest) = bytes.split_at_checked(len).filter(|_| len <= 9)?;
    *bytes = rest;
    Some(taken.iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7F)))
}

/// The fields, if the bytes are a message.
fn fields(mut rest: &[u8]) -> Option<Vec<Field>> {
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let key = read_varint(&mut rest)?;
        let len = match key & 7 {
            0 => rest.iter().position(|byte| *byte < 0x80)? + 1,
            1 => 8,
            2 => usize::try_from(read_varint(&mut rest)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (payload, behind) = rest.split_at_checked(len)?;
        rest = behind;
        fields.push(Field { number: key >> 3, kind: key & 7, payload: payload.to_vec() });
    }
    Some(fields)
}

fn change(fields: &mut Vec<Field>, others: &[Vec<u8>], dice: &mut Dice) {
    if fields.is_empty() {
        return fields.push(strange(dice));
    }
    let place = dice.below(fields.len());
    match dice.below(12) {
        0 => _ = fields.remove(place),
        1 => fields.push(fields[place].clone()),
        2 => fields.insert(0, fields[place].clone()),
        3 => fields.swap(place, 0),
        4 => fields.insert(place, strange(dice)),
        5 => fields[place].number = 1 + dice.below(40) as u64,
        6 => fields[place].payload = strange(dice).payload,
        _ if fields[place].kind == 2 => damage(&mut fields[place].payload, others, dice),
        _ => scribble(&mut fields[place].payload, others, dice),
    }
}

/// A field of any possible message.
fn strange(dice: &mut Dice) -> Field {
    let end = if dice.once_in(4) { 40 } else { 8 };
    let number = 1 + dice.below(end) as u64;
    let (kind, payload) = match dice.below(8) {
        0 => (0, vec![dice.below(0x80) as u8]),
        1 => (0, varint(u64::MAX - dice.below(4) as u64)),
        2 => (0, vec![0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]),
        3 => (1, dice.below(1 << 20).to_le_bytes().to_vec()),
        4 => (2, Vec::new()),
        5 => (2, b"text \xC3\xA9 \xFF\xE2\x82".to_vec()),
        // Values: null, a number, a list of nothing; and a group.
        6 => {
            (2, dice.pick(&[&[8, 0][..], &[0x11, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], &[0x32, 2, 10, 0]]).to_vec())
        }
        _ => (3, varint(number << 3 | 4)),
    };
    Field { number, kind, payload }
}

/// Changes bytes at random.
fn scribble(bytes: &mut Vec<u8>, others: &[Vec<u8>], dice: &mut Dice) {
    let place = dice.below(bytes.len() + 1);
    match dice.below(9) {
        0 => bytes.truncate(place),
        1 => bytes.insert(place, dice.below(256) as u8),
        2 => bytes.extend_from_within(place..),
        3 => {
            let other = dice.pick(others);
            bytes.splice(place.., other[dice.below(other.len() + 1)..].iter().copied());
        }
        4 => bytes.extend(dice.pick(others)),
        5 if place < bytes.len() => _ = bytes.remove(place),
        6 if place < bytes.len() => bytes[place] ^= 1 << dice.below(8),
        _ if place < bytes.len() => {
            let odd = [0, 1, 2, 8, 0x0A, 0x0B, 0x0C, 0x12, 0x1A, 0x3A, 0x7F, 0x80, 0xFF];
            bytes[place] = *dice.pick(&odd);
        }
        _ => {}
    }
}
