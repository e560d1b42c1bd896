//! The validity of a patch by RFC 6902.

use serde_json::Value;

/// Fails the test unless the text is a patch (RFC 6902) whose paths are pointers (RFC 6901) that the official client's
/// patch library accepts. Returns the operations.
#[must_use]
pub fn assert_valid(patch: &str) -> Vec<Value> {
    let ops: Vec<Value> = serde_json::from_str(patch).unwrap_or_else(|cause| panic!("{cause}: {patch}"));
    for op in &ops {
        let members = op.as_object().unwrap_or_else(|| panic!("{op}"));
        let names: Vec<_> = members.keys().map(String::as_str).collect();
        let expected: &[&str] = match op["op"].as_str() {
            Some("add" | "replace") => &["op", "path", "value"],
            Some("remove") => &["op", "path"],
            Some("move") => &["op", "from", "path"],
            _ => panic!("not an operation we write: {op}"),
        };
        assert!(names.len() == expected.len() && expected.iter().all(|name| names.contains(name)), "{op}");
        assert_pointer(&op["path"], op);
        if op["op"] == "move" {
            assert_pointer(&op["from"], op);
        }
    }
    ops
}

fn assert_pointer(pointer: &Value, op: &Value) {
    let pointer = pointer.as_str().unwrap_or_else(|| panic!("{op}"));
    assert!(pointer.is_empty() || pointer.starts_with('/'), "{op}");
    let bytes = pointer.as_bytes();
    for (i, byte) in bytes.iter().enumerate() {
        assert!(*byte != b'~' || matches!(bytes.get(i + 1), Some(b'0' | b'1')), "{op}");
    }
    let segments: Vec<_> = pointer.split('/').collect();
    assert!(!segments.contains(&"__proto__"), "fast-json-patch refuses {op}");
    let refused = segments.windows(2).any(|pair| pair == ["constructor", "prototype"]);
    assert!(!refused, "fast-json-patch refuses {op}");
}
