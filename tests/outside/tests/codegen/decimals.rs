//! Steps of numbers: Rust, TypeScript and Python take the same multiples, of which decimals are rounded in binary.

use agui_tests::need;
use agui_tests::outside::{Node, Python};
use serde_json::{Value, json};

use super::foreign::{self, Foreign};
use super::{folder, python, typescript, write};

/// The verdicts, which a unit test of the Rust checker has too.
const ROWS: &str = include_str!("../../../../agui-runtime/core/src/manifest/bounds/multiples.json");

#[test]
fn three_languages_take_the_same_multiples() {
    let (node, interpreter) = (need!(Node::ready()), need!(Python::ready()));
    let folder = folder("decimals");
    let (mut types, mut jobs) = (Vec::new(), Vec::new());
    let rows: Vec<Value> = serde_json::from_str(ROWS).unwrap();
    let job = |name: &str, value: &Value, fits: bool| json!({ "case": "money", "name": name, "way": "read", "value": value, "fits": fits });
    let mut add = |name: &str, kind: &Value, step: &Value| {
        let schema = json!({ "type": kind, "multipleOf": step });
        types.push(Foreign { name: name.to_owned(), out: schema.clone(), input: schema });
    };
    for (index, row) in rows.iter().enumerate() {
        let name = format!("step{index}");
        add(&name, &row["type"], &row["step"]);
        for (group, fits) in [("multiples", true), ("others", false)] {
            jobs.extend(row[group].as_array().unwrap().iter().map(|value| job(&name, value, fits)));
        }
    }
    assert!(jobs.len() > 130, "{} jobs", jobs.len());
    let (manifest, refused) = foreign::manifest("money", &types);
    assert!(refused.is_empty());
    write(&manifest, "ts", &folder);
    write(&manifest, "python", &folder.join("money_api"));
    assert_eq!(typescript::judge(&node, &folder, &["money"], jobs.clone()), json!([]));
    let report = python::judge(&interpreter, &folder, jobs);
    assert_eq!(report["wrong"], json!([]), "{:#}", report["wrong"]);
}
