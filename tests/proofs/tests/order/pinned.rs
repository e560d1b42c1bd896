//! The official verifier that ours equals is one fixed text.

use std::fs;

use agui_tests::{need, outside::Node};
use hmac_sha256::Hash as Sha256;
use serde_json::Value;

/// The sources of `@ag-ui/client` 1.0.0 that [`crate::extensions`] and [`crate::many`] compare with.
const PINNED: [(&str, &str); 4] = [
    ("../src/verify/verify.ts", "b5a22df882829bdc7219da2a9869d9054907c074806b5b77b682b3c554c9cfbf"),
    ("../src/chunks/transform.ts", "26849dc7d4d69501bcf0e4c08448b54ea8e8f52c0948b7ec276d8eff5447d63a"),
    ("../src/enforce/enforce.ts", "025b03462adb13ba05c9f735c4233c0483cf152e89f5e64407b72ab3684c1f1c"),
    ("../src/enforce/strip.ts", "cadb83db261f04f80e28faa0e86ca65b91d1e78a4779afc6dbd0fd0efc024266"),
];

#[test]
fn the_official_sources_are_the_ones_we_compared_with() {
    let node = need!(Node::ready());
    let map = node.node_modules().join("@ag-ui/client/dist/index.mjs.map");
    let map: Value = serde_json::from_str(&fs::read_to_string(&map).unwrap()).unwrap();
    for (source, pinned) in PINNED {
        let sources = map["sources"].as_array().unwrap();
        let place = sources
            .iter()
            .position(|path| path == source)
            .unwrap_or_else(|| panic!("{source} is gone: {sources:?}"));
        let text = map["sourcesContent"][place].as_str().unwrap();
        let hash: String = Sha256::hash(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            hash, pinned,
            "{source} has changed. Read the changes, run this suite with AGUI_ORDER_DEPTH=6, then pin the new hash"
        );
    }
}
