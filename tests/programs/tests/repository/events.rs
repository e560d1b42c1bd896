//! The event table decides an event: a row of ARCHITECTURE.md has all files that a new event touches.

use std::collections::BTreeSet;

use crate::documents::paths;
use crate::{read, rust_files};

/// The most files that a new event touches, its guard included.
const FILES: usize = 9;

#[test]
fn an_event_is_named_in_few_files() {
    let text = read("ARCHITECTURE.md");
    let row = text.lines().find(|line| line.starts_with("| a protocol event |")).unwrap();
    let row = paths(row.split(" | ").nth(1).unwrap());
    // Its struct, and the way in which agents send it.
    let own = ["protocol/events/passthrough.rs", "emit/raw.rs"];
    let known: BTreeSet<_> = row.into_iter().chain(own).collect();

    let names = ["RawEvent", "Event::Raw", "EventType::Raw"];
    let mut found = BTreeSet::from(["wire/proto/ag_ui.proto".to_owned()]);
    for (path, text) in rust_files("agui-runtime/core/src") {
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        if code.any(|line| names.iter().any(|name| line.contains(name))) {
            found.insert(path);
        }
    }
    let unknown: Vec<_> = found.iter().filter(|path| !known.contains(path.as_str())).collect();
    assert_eq!(unknown, [""; 0], "the row does not have them");
    assert!(found.len() <= FILES, "{found:?}");
}
