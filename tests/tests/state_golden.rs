//! What exactly is sent for each workload: operations, bytes, allocations.
//!
//! A binary of its own, because it counts allocations. What is not said by an operation's own text was recorded once from
//! here, and read; a difference is a change for better or worse, never noise.

#[path = "../../agui-runtime/benches/workload/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the benchmark uses what is not used here")]
mod workload;

use std::fmt::Debug;

use agui_runtime::__private::engine::{Out, Patch, raw};
use agui_runtime::State;
use agui_tests::patching::Session;
use workload::{Case, ON_DOC, ON_KEYED, ON_LIST};

/// Operations, bytes of the patch, allocations of a sync whose buffers have grown already.
type Cost = (usize, usize, u64);

fn cost<T: State + Debug>(start: fn() -> T, case: &Case<T>) -> (&'static str, Cost) {
    let old = start();
    let mut now = old.clone();
    (case.edit)(&mut now);
    Session::new(&old).flush(&now);

    let (mut sent, mut patch) = (old.clone(), Patch::default());
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
        ("m shuffle", (940, 50_635, 1)),
    ];
    assert_eq!(costs(workload::list, &ON_LIST), expected);
    let keyed = costs(workload::keyed, &ON_KEYED);
    let keyed: Vec<_> =
        keyed.into_iter().map(|(name, cost)| (name.trim_end_matches(", keyed"), cost)).collect();
    assert_eq!(keyed, expected);
}

#[test]
fn writing_allocates_nothing() {
    let (doc, mut out) = (workload::doc(), Out::default());
    let length = raw::write(&doc, &mut out).unwrap().len();
    assert_eq!(length, 95_219);
    let allocated =
        allocation_counter::measure(|| assert_eq!(raw::write(&doc, &mut out).unwrap().len(), length));
    assert_eq!(allocated.count_total, 0);
}
