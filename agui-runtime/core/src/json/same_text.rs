//! Compares two JSON texts without building either value in memory.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use crate::json::same;
use crate::protocol::LazyJson;
use crate::protocol::forms::scan::JsonScanner;

/// Returns true if every reader sees the same value in both texts; [`same`] defines this.
pub(crate) fn is(held: &LazyJson<Value>, written: &str) -> bool {
    match held.text() {
        Some(held) => compare(held, written).is_some(),
        None => serde_json::from_str(written).is_ok_and(|written| same(held, &written)),
    }
}

/// Returns `None` for texts that differ. An object with a duplicate member equals no other.
fn compare(a: &str, b: &str) -> Option<()> {
    let (mut a, mut b) = (JsonScanner::checked(a), JsonScanner::checked(b));
    value(&mut a, &mut b)?;
    (a.is_at_end() && b.is_at_end()).then_some(())
}

fn value(a: &mut JsonScanner<'_>, b: &mut JsonScanner<'_>) -> Option<()> {
    match (a.peek()?, b.peek()?) {
        (b'{', b'{') => object(a, b),
        (b'[', b'[') => list(a, b),
        (b'"', b'"') => (a.string()? == b.string()?).then_some(()),
        _ => {
            let (a, b) = (a.value_text()?, b.value_text()?);
            (a == b || same_scalar(a, b)).then_some(())
        }
    }
}

fn same_scalar(a: &str, b: &str) -> bool {
    let (a, b) = (serde_json::from_str::<Value>(a), serde_json::from_str::<Value>(b));
    matches!((a, b), (Ok(a), Ok(b)) if same(&a, &b))
}

fn list(a: &mut JsonScanner<'_>, b: &mut JsonScanner<'_>) -> Option<()> {
    a.open(b'[')?;
    b.open(b'[')?;
    let (mut a_first, mut b_first) = (true, true);
    loop {
        match (a.element(&mut a_first, b']')?, b.element(&mut b_first, b']')?) {
            (true, true) => value(a, b)?,
            (false, false) => return Some(()),
            _ => return None,
        }
    }
}

/// Compares two objects in parallel as long as their members are in one order: most clients return an object in the order in which
/// they got it.
fn object(a: &mut JsonScanner<'_>, b: &mut JsonScanner<'_>) -> Option<()> {
    a.open(b'{')?;
    b.open(b'{')?;
    let (mut a_first, mut b_first) = (true, true);
    loop {
        match (a.element(&mut a_first, b'}')?, b.element(&mut b_first, b'}')?) {
            (true, true) => {}
            (false, false) => return Some(()),
            _ => return None,
        }
        let (a_key, b_key) = (a.any_key()?, b.any_key()?);
        if a_key != b_key {
            return rest(a, a_key, b, b_key);
        }
        value(a, b)?;
    }
}

/// Compares the rest of two objects, each from one member on, in any order.
fn rest<'a, 'b>(
    a: &mut JsonScanner<'a>,
    key: Cow<'a, str>,
    b: &mut JsonScanner<'b>,
    other: Cow<'b, str>,
) -> Option<()> {
    let mut others: HashMap<Cow<'b, str>, &'b str> = HashMap::from([(other, b.value_text()?)]);
    while b.element(&mut false, b'}')? {
        if others.insert(b.any_key()?, b.value_text()?).is_some() {
            return None;
        }
    }
    let mut key = key;
    loop {
        value(a, &mut JsonScanner::checked(others.remove(&*key)?))?;
        if !a.element(&mut false, b'}')? {
            return others.is_empty().then_some(());
        }
        key = a.any_key()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_equal_if_their_values_are() {
        let texts = [
            "null",
            "true",
            "0",
            "-0.0",
            "1",
            "1.0",
            "10e-1",
            "1.5",
            "9007199254740993",
            "9007199254740992",
            "\"\"",
            "\"a\"",
            "\"\\u0061\"",
            "[]",
            "[ ]",
            "[1]",
            "[1.0]",
            "[1,2]",
            "[2,1]",
            "{}",
            "{ }",
            "{\"a\":1}",
            "{\"\\u0061\" : 1.0}",
            "{\"a\":2}",
            "{\"a\":1,\"b\":[{}]}",
            "{\"b\":[{}],\"a\":1}",
            "{\"b\":[{ }],\"c\":0,\"a\":1}",
            "{\"a\":1,\"c\":0,\"b\":[{}]}",
            "{\"a\":1,\"c\":0,\"d\":[{}]}",
            "{\"a\":{\"x\":1,\"y\":{\"p\":1,\"q\":2}},\"b\":1}",
            "{\"b\":1,\"a\":{\"y\":{\"q\":2,\"p\":1},\"x\":1}}",
        ];
        for a in texts {
            for b in texts {
                let [a_value, b_value] = [a, b].map(|text| serde_json::from_str::<Value>(text).unwrap());
                assert_eq!(compare(a, b).is_some(), same(&a_value, &b_value), "{a} {b}");
            }
        }
    }

    #[test]
    fn a_text_with_a_duplicate_member_equals_no_other() {
        for (a, b) in
            [(r#"{"a":1,"a":1}"#, r#"{"a":1}"#), (r#"{"b":0,"a":1,"a":1}"#, r#"{"a":1,"b":0,"c":1}"#)]
        {
            assert!(compare(a, b).is_none() && compare(b, a).is_none(), "{a} {b}");
        }
    }
}
