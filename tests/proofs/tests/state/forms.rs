//! The output for each form that serde writes: the place of every kind of field.

use agui_proofs::zoo::{
    Adjacent, Card, External, FlatEnum, FlatMap, FlatOption, FlatStruct, Generic, Internal, Opaques, Plain,
    Point, Transparent, Untagged, Wrapper,
};
use serde_json::{Value, json};

use crate::ops;

fn long() -> Plain {
    Plain {
        first_name: "a name that is long enough to be worth an operation of its own".to_owned(),
        ..Plain::default()
    }
}

fn add(path: &str, value: &Value) -> Value {
    json!([{ "op": "add", "path": path, "value": value }])
}

#[test]
fn structs() {
    let old = long();
    assert_eq!(ops(&old, &Plain { escaped: 1, ..old.clone() }), add("/a~1b~0c\"d\\e", &json!(1)));
    assert_eq!(ops(&old, &Plain { nameless: true, ..old.clone() }), add("/", &json!(true)));
    assert_eq!(ops(&old, &Plain { r#type: 'x', ..old.clone() }), add("/0", &json!("x")));
    assert_eq!(ops(&Wrapper("a".into()), &Wrapper("b".into())), add("", &json!("b")));
    let old =
        Transparent { inner: vec![Wrapper("a long text, longer than the operation".into()); 3], unseen: 0 };
    let mut now = old.clone();
    now.unseen = 1;
    assert_eq!(ops(&old, &now), json!([]));
    now.inner[1].0.push('!');
    assert_eq!(ops(&old, &now)[0]["path"], "/1");
    let old = Point(1, Some("a long text, longer than the operation".to_owned()), (1, [1, 2, 3]));
    let mut now = old.clone();
    now.2.1[2] = 4;
    assert_eq!(ops(&old, &now), json!([{ "op": "replace", "path": "/2/1/2", "value": 4 }]));
    let old = Generic { one: long(), more: vec![long()], none: None };
    let mut now = old.clone();
    now.more[0].escaped = 5;
    assert_eq!(ops(&old, &now), add("/more/0/a~1b~0c\"d\\e", &json!(5)));
}

#[test]
fn enums() {
    let old = External::Holder(Box::new(long()));
    let now = External::Holder(Box::new(Plain { escaped: 1, ..long() }));
    assert_eq!(ops(&old, &now), add("/holder/a~1b~0c\"d\\e", &json!(1)));
    assert_eq!(ops(&External::NoData, &External::Newtype(3)), add("", &json!({ "new/type": 3 })));
    let fields = |name: &str| External::Fields {
        snake_case_field: 1,
        may_be_absent: Some("a long text, longer than the operation".to_owned()),
        unseen: 0,
        list_of_names: vec![name.to_owned()],
    };
    let sent = ops(&fields("a"), &fields("b"));
    assert_eq!(sent, json!([{ "op": "replace", "path": "/fields/listOfNames/0", "value": "b" }]));

    let old = Internal::Fields { count: 1, note: Some("a long text, longer than the operation".to_owned()) };
    let now = Internal::Fields { count: 2, note: Some("a long text, longer than the operation".to_owned()) };
    assert_eq!(ops(&old, &now), add("/count", &json!(2)));
    assert_eq!(ops(&old, &Internal::NoData), add("", &json!({ "ki~nd": "noData" })));

    let old = Adjacent::Holder(long());
    let now = Adjacent::Holder(Plain { escaped: 1, ..long() });
    assert_eq!(ops(&old, &now), add("/c~1c/a~1b~0c\"d\\e", &json!(1)));

    let old = Untagged::Holder(long());
    let now = Untagged::Holder(Plain { escaped: 1, ..long() });
    assert_eq!(ops(&old, &now), add("/a~1b~0c\"d\\e", &json!(1)));
}

#[test]
fn flattened() {
    let after = "a long text, longer than the operation".to_owned();
    let old = FlatStruct { after, ..FlatStruct::default() };
    let mut now = old.clone();
    now.inner.deeper.deepest = Some("x".to_owned());
    assert_eq!(ops(&old, &now), add("/deepest", &json!("x")));
    now.inner.deeper.refused = Some(1);
    let sent = ops(&old, &now);
    assert_eq!(
        (&sent[0]["path"], sent.as_array().unwrap().len()),
        (&json!(""), 1),
        "the owner is sent whole"
    );

    let mut old = FlatMap::default();
    for name in ["a", "b", "c", "d", "e"] {
        old.rest.insert(name.repeat(9), Some(1));
    }
    let mut now = old.clone();
    now.rest.insert("new".to_owned(), None);
    assert_eq!(ops(&old, &now), add("/new", &Value::Null));

    let full = FlatOption { own: 1, inner: Some(old_inner()) };
    ops(&full, &FlatOption { own: 1, inner: None });
    ops(&FlatOption { own: 1, inner: None }, &full);
    ops(&FlatEnum::default(), &FlatEnum { own: 2, ..FlatEnum::default() });
}

fn old_inner() -> agui_proofs::zoo::Inner {
    agui_proofs::zoo::Inner { one: 1, two: Some(vec![1, 2, 3]), ..Default::default() }
}

#[test]
fn opaque_values_go_whole_and_only_when_their_text_differs() {
    let mut old = Opaques::default();
    old.photo.url = "a long text, longer than the operation".to_owned();
    old.celsius.tenths = 11;
    let mut now = old.clone();
    now.celsius.tenths = 19;
    assert_eq!(ops(&old, &now), json!([]), "both are one degree");
    now.price = 250;
    assert_eq!(ops(&old, &now), add("/price", &json!("250")));
    now = old.clone();
    now.photo.size = (1, 2);
    assert_eq!(ops(&old, &now)[0]["path"], "/photo");
}

#[test]
fn elements_with_a_key_move_and_change_in_place() {
    let card = |id: u8| Card {
        card_id: id,
        title: format!("a title of some length, number {id}"),
        ..Card::default()
    };
    let old: Vec<Card> = (0..8).map(card).collect();
    let mut now = old.clone();
    let mut moved = now.remove(6);
    moved.title.push('!');
    now.insert(1, moved);
    let sent = ops(&old, &now);
    assert_eq!(
        sent,
        json!([
            { "op": "move", "from": "/6", "path": "/1" },
            { "op": "add", "path": "/1/title", "value": "a title of some length, number 6!" },
        ])
    );
}
