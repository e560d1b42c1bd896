//! What exactly is sent for each workload.
//!
//! A binary of its own, because it counts allocations.

#[path = "../../agui-runtime/benches/workload/mod.rs"]
#[allow(dead_code, reason = "the benchmark uses what is not used here")]
mod workload;

#[test]
fn the_documents_are_what_they_are() {
    let doc = serde_json::to_string(&workload::doc()).unwrap();
    let list = serde_json::to_string(&workload::list()).unwrap();
    assert_eq!((doc.len(), list.len()), (95_219, 93_581));
    let clone = allocation_counter::measure(|| drop(workload::doc().clone()));
    println!("{clone:?}");
}
