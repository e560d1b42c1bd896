//! The exact output of each workload: operations, bytes, allocations.
//!
//! A binary of its own, because it counts allocations. Figures that the text of an operation does not show were
//! recorded once from here, and reviewed; a difference is a real change, never noise.

#[path = "../../../agui-runtime/benches/workload/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the benchmark uses what is not used here")]
mod workload;

use std::collections::BTreeMap;
use std::fmt::Debug;

use agui_proofs::patching::Session;
use agui_runtime::__private::engine::{JsonOut, PatchText, raw};
use agui_runtime::State;
use agui_runtime::state::{ChunkedText, Live, Shadow, StateChange, Tracked};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workload::{Case, ON_DOC, ON_KEYED, ON_LIST, Row, Section};

/// Operations, bytes of the patch, allocations of a sync with grown buffers.
type Cost = (usize, usize, u64);

fn cost<T: State + Debug>(start: fn() -> T, case: &Case<T>) -> (&'static str, Cost) {
    let old = start();
    let mut now = old.clone();
    (case.edit)(&mut now);
    Session::new(&old).flush(&now);

    let (mut sent, mut patch) = (old.clone(), PatchText::default());
    for value in [&now, &old, &now, &old] {
        raw::sync(&mut sent, value, &mut patch).unwrap();
    }
    let allocated = allocation_counter::measure(|| raw::sync(&mut sent, &now, &mut patch).unwrap());
    (case.name, (raw::count(&patch), raw::open_text(&patch).len() + 1, allocated.count_total))
}

fn costs<T: State + Debug>(start: fn() -> T, cases: &[Case<T>]) -> Vec<(&'static str, Cost)> {
    cases.iter().map(|case| cost(start, case)).collect()
}

#[test]
fn the_documents_are_what_they_are() {
    let doc = serde_json::to_string(&workload::doc()).unwrap();
    let list = serde_json::to_string(&workload::list()).unwrap();
    let keyed = serde_json::to_string(&workload::keyed()).unwrap();
    assert_eq!((doc.len(), list.len()), (95_219, 93_581));
    assert_eq!(list, keyed);
}

#[test]
fn on_the_document() {
    let expected: [(&str, Cost); 7] = [
        ("a nothing", (0, 2, 0)),
        ("b scalar", (1, 58, 0)),
        ("g text+1", (1, 10_600, 0)),
        ("h a tenth", (138, 10_236, 19)),
        ("i map +1-1", (2, 204, 6)),
        ("j variant", (1, 93, 1)),
        ("k everything", (1, 95_636, 153)),
    ];
    assert_eq!(costs(workload::doc, &ON_DOC), expected);
}

#[test]
fn on_the_list() {
    let expected: [(&str, Cost); 7] = [
        ("c append", (1, 112, 1)),
        ("d insert at 0", (1, 112, 1)),
        ("e remove 500", (1, 37, 0)),
        ("f swap 200, 800", (2, 109, 0)),
        ("f2 move 900 to 3", (1, 53, 0)),
        ("l mixed turn", (12, 837, 3)),
        ("m shuffle", (940, 50_635, 0)),
    ];
    assert_eq!(costs(workload::list, &ON_LIST), expected);
    let keyed = costs(workload::keyed, &ON_KEYED);
    let keyed: Vec<_> =
        keyed.into_iter().map(|(name, cost)| (name.trim_end_matches(", keyed"), cost)).collect();
    assert_eq!(keyed, expected);
}

#[test]
fn writing_allocates_nothing() {
    let (doc, mut out) = (workload::doc(), JsonOut::default());
    let length = raw::write(&doc, &mut out).unwrap().len();
    assert_eq!(length, 95_219);
    let allocated =
        allocation_counter::measure(|| assert_eq!(raw::write(&doc, &mut out).unwrap().len(), length));
    assert_eq!(allocated.count_total, 0);
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[state(live)]
struct Book {
    version: u32,
    sections: Tracked<Vec<Section>>,
    items: Tracked<Vec<Row>>,
    index: Tracked<BTreeMap<String, u32>>,
    log: ChunkedText,
}

/// The cost of a change and its flush if changes are recorded, without making the new value.
fn remembered(change: fn(&mut Live<Book>, &mut Vec<Row>)) -> (String, u64) {
    let mut book = Live::new(Book {
        version: 1,
        sections: Tracked::new((0..120).map(workload::section).collect()),
        items: Tracked::new(vec![workload::row(0)]),
        index: Tracked::new(BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)])),
        log: ChunkedText::new(),
    });
    let (mut shadow, _) = Shadow::start(&book).unwrap();
    let mut rows = vec![workload::row(7); 6];
    // Buffers grow by doubling: after this many there is room for one more.
    for _ in 0..5 {
        change(&mut book, &mut rows);
        shadow.flush(&book).unwrap();
    }
    let mut text = String::with_capacity(256);
    let allocated = allocation_counter::measure(|| {
        change(&mut book, &mut rows);
        let StateChange::Delta(patch) = shadow.flush(&book).unwrap() else { panic!("no delta") };
        text.push_str(patch);
    });
    (text, allocated.count_total)
}

#[test]
fn the_cost_of_recorded_changes() {
    let scalar = remembered(|book, _| *book.edit().version += 1);
    assert_eq!(scalar, (r#"[{"op":"add","path":"/version","value":7}]"#.to_owned(), 0));
    let element = remembered(|book, _| book.edit().sections[117].word_count += 1);
    let words = workload::section(117).word_count + 6;
    let expected = format!(r#"[{{"op":"add","path":"/sections/117/wordCount","value":{words}}}]"#);
    assert_eq!(element, (expected, 0));
    let member = remembered(|book, _| {
        if let Some(number) = book.edit().index.get_mut("b") {
            *number += 1;
        }
    });
    assert_eq!(member.0, r#"[{"op":"add","path":"/index/b","value":8}]"#);
    // The name of the member in the record.
    assert_eq!(member.1, 1);
    let push = remembered(|book, rows| book.edit().items.extend(rows.pop()));
    // The receiver's copy has a title of its own.
    assert_eq!((push.0.len(), push.1), (112, 1));
    let token = remembered(|book, _| book.edit().log.push("token"));
    assert_eq!(token, (r#"[{"op":"add","path":"/log/-","value":"token"}]"#.to_owned(), 0));
}
