//! The difference between two JSON documents as RFC 6902 operations.

use serde_json::{Map, Value};

use crate::json::same;
use crate::protocol::{JsonPointer, PatchOperation};

/// Operations that turn `old` into `new`.
///
/// A member is written with `add`, which RFC 6902 (4.1) lets replace an existing one: it heals a client that lost the
/// member. An element of an array is written with `replace`. Structure comes before contents, so that every nested path
/// uses final indices.
pub(super) fn diff(old: &Value, new: &Value) -> Vec<PatchOperation> {
    let mut ops = Vec::new();
    Differ { ops: &mut ops }.node(old, new, &Place::Root);
    ops
}

struct Differ<'o> {
    ops: &'o mut Vec<PatchOperation>,
}

/// Where a node is, linked on the stack: a pointer is only built where an operation is written.
enum Place<'p> {
    Root,
    Member(&'p Place<'p>, &'p str),
    Element(&'p Place<'p>, usize),
}

impl Place<'_> {
    fn pointer(&self) -> JsonPointer {
        match self {
            Self::Root => JsonPointer::root(),
            Self::Member(parent, name) => parent.pointer().child(name),
            Self::Element(parent, index) => parent.pointer().child(&index.to_string()),
        }
    }
}

impl Differ<'_> {
    fn node(&mut self, old: &Value, new: &Value, at: &Place<'_>) {
        match (old, new) {
            _ if same(old, new) => {}
            (Value::Object(old), Value::Object(new_members)) => {
                if unpatchable(old, new_members, at) {
                    self.whole(new, at);
                } else {
                    self.object(old, new_members, at);
                }
            }
            (Value::Array(old), Value::Array(new)) => self.array(old, new, at),
            _ => self.whole(new, at),
        }
    }

    fn whole(&mut self, new: &Value, at: &Place<'_>) {
        let pointer = at.pointer();
        self.ops.push(match at {
            Place::Element(..) => PatchOperation::replace(pointer, new.clone()),
            Place::Root | Place::Member(..) => PatchOperation::add(pointer, new.clone()),
        });
    }

    fn object(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &Place<'_>) {
        for name in old.keys().filter(|name| !new.contains_key(*name)) {
            self.ops.push(PatchOperation::remove(Place::Member(at, name).pointer()));
        }
        for (name, value) in new {
            let member = Place::Member(at, name);
            match old.get(name) {
                Some(before) => self.node(before, value, &member),
                None => self.whole(value, &member),
            }
        }
    }

    fn array(&mut self, old: &[Value], new: &[Value], at: &Place<'_>) {
        let head = old.iter().zip(new).take_while(|(old, new)| same(old, new)).count();
        let (old, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
        let tail =
            old.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| same(old, new)).count();
        let old = old.get(..old.len() - tail).unwrap_or_default();
        let new = new_rest.get(..new_rest.len() - tail).unwrap_or_default();

        let kept = old.len().min(new.len());
        for gone in (kept..old.len()).rev() {
            self.ops.push(PatchOperation::remove(Place::Element(at, head + gone).pointer()));
        }
        for (offset, value) in new.iter().enumerate().skip(kept) {
            let pointer =
                if tail == 0 { at.pointer().child("-") } else { Place::Element(at, head + offset).pointer() };
            self.ops.push(PatchOperation::add(pointer, value.clone()));
        }
        for (offset, (old, new)) in old.iter().zip(new).enumerate() {
            self.node(old, new, &Place::Element(at, head + offset));
        }
    }
}

/// The JavaScript client's patch library refuses paths through these names, so what changed beneath them is sent as
/// part of its owner, whole.
fn unpatchable(old: &Map<String, Value>, new: &Map<String, Value>, at: &Place<'_>) -> bool {
    let changed = |name: &str| match (old.get(name), new.get(name)) {
        (Some(old), Some(new)) => !same(old, new),
        (old, new) => old.is_some() || new.is_some(),
    };
    changed("__proto__") || (matches!(at, Place::Member(_, "constructor")) && changed("prototype"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn check(old: &Value, new: &Value, expected: &Value) {
        let ops = diff(old, new);
        assert_eq!(serde_json::to_value(&ops).unwrap(), *expected);
        assert_eq!(applied(old, &ops), *new);
    }

    fn applied(old: &Value, ops: &[PatchOperation]) -> Value {
        let patch: json_patch::Patch = serde_json::from_value(serde_json::to_value(ops).unwrap()).unwrap();
        let mut document = old.clone();
        json_patch::patch(&mut document, &patch).unwrap();
        document
    }

    #[test]
    fn one_member_is_one_operation() {
        check(
            &json!({"title": "Rice", "steps": []}),
            &json!({"title": "Risotto", "steps": []}),
            &json!([{"op": "add", "path": "/title", "value": "Risotto"}]),
        );
    }

    #[test]
    fn members_come_and_go() {
        check(
            &json!({"a": 1, "b": 2}),
            &json!({"b": 2, "c/d~": null}),
            &json!([{"op": "remove", "path": "/a"}, {"op": "add", "path": "/c~1d~0", "value": null}]),
        );
    }

    #[test]
    fn an_element_at_the_front_leaves_the_others_alone() {
        check(&json!([2, 3]), &json!([1, 2, 3]), &json!([{"op": "add", "path": "/0", "value": 1}]));
        check(&json!([1, 2, 3]), &json!([2, 3]), &json!([{"op": "remove", "path": "/0"}]));
        check(&json!([1]), &json!([1, 2]), &json!([{"op": "add", "path": "/-", "value": 2}]));
        check(&json!([1, 2]), &json!([1, 3]), &json!([{"op": "replace", "path": "/1", "value": 3}]));
    }

    #[test]
    fn structure_comes_before_contents() {
        check(
            &json!([{"n": 1}, {"n": 2}, {"n": 3}]),
            &json!([{"n": 4}, {"n": 3}]),
            &json!([{"op": "remove", "path": "/1"}, {"op": "add", "path": "/0/n", "value": 4}]),
        );
    }

    #[test]
    fn names_the_client_refuses_are_sent_with_their_owner() {
        check(
            &json!({"x": {"__proto__": 1, "a": 1}}),
            &json!({"x": {"__proto__": 2, "a": 1}}),
            &json!([{"op": "add", "path": "/x", "value": {"__proto__": 2, "a": 1}}]),
        );
        check(
            &json!({"constructor": {"prototype": {"a": 1}}}),
            &json!({"constructor": {"prototype": {"a": 2}}}),
            &json!([{"op": "add", "path": "/constructor", "value": {"prototype": {"a": 2}}}]),
        );
    }

    fn documents() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (0..4_i64).prop_map(Value::from),
            (0..4_i32).prop_map(|n| Value::from(f64::from(n))),
            "[a-c~/]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec(("[a-c~/]{0,2}|__proto__|constructor|prototype", inner), 0..5)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn applying_the_difference_gives_the_new_document(old in documents(), new in documents()) {
            let ops = diff(&old, &new);
            prop_assert!(same(&applied(&old, &ops), &new));
            prop_assert_eq!(ops.is_empty(), same(&old, &new));
        }
    }
}
