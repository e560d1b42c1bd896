//! The same patches, applied by the libraries that clients use.

use std::sync::LazyLock;

use agui_proofs::patching::{Corpus, corpus_size};
use agui_tests::need;
use agui_tests::outside::{Node, Python};

use crate::say;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| Corpus::of(corpus_size()));

/// The number of patches in one batch: no program holds a million of them in one text.
const BATCH: usize = 10_000;

fn batches() -> Vec<(String, usize)> {
    let lines: Vec<&str> = CORPUS.lines.split_inclusive('\n').collect();
    assert_eq!(lines.len(), CORPUS.len);
    lines.chunks(BATCH).map(|batch| (batch.concat(), batch.len())).collect()
}

#[test]
fn the_official_client_agrees() {
    let node = need!(Node::ready());
    for (lines, len) in batches() {
        node.apply_patches(&lines).assert_right(&lines, len);
    }
    say(&format!(
        "state: {} patches applied by fast-json-patch as the official client calls it, 0 wrong",
        CORPUS.len
    ));
}

#[test]
fn python_agrees() {
    let python = need!(Python::ready());
    for (lines, len) in batches() {
        python.apply_patches(&lines).assert_right(&lines, len);
    }
    say(&format!("state: {} patches applied by Python's jsonpatch, 0 wrong", CORPUS.len));
}

#[test]
fn a_wrong_patch_is_found() {
    let wrong = "{\"before\":{\"a\":1},\"patch\":[{\"op\":\"add\",\"path\":\"/a\",\"value\":2}],\"after\":{\"a\":3}}\n";
    let refused = "{\"before\":{},\"patch\":[{\"op\":\"remove\",\"path\":\"/a\"}],\"after\":{}}\n";
    let corpus = format!("{wrong}{refused}");
    let verdict = need!(Node::ready()).apply_patches(&corpus);
    assert_eq!((verdict.checked, verdict.wrong_count), (2, 2), "{verdict:?}");
    let verdict = need!(Python::ready()).apply_patches(&corpus);
    assert_eq!((verdict.checked, verdict.wrong_count), (2, 2), "{verdict:?}");
}
