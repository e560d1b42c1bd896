//! Decimal steps: TypeScript and Python take the same numbers, which are rounded in binary.

use agui_tests::need;
use agui_tests::outside::{Node, Python};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::foreign::{self, Foreign};
use super::{folder, python, typescript, write};

const STEPS: [&str; 8] = ["0.01", "0.1", "0.001", "0.05", "0.25", "1", "3", "0.00000001"];

/// Numbers, as factors of a step.
const FACTORS: [&str; 14] =
    ["0", "1", "3", "7", "19", "30", "1999", "-1999", "123457", "99999", "0.3", "7.5", "-1999.5", "12345.7"];

fn number(decimal: Decimal) -> Value {
    serde_json::from_str(&decimal.normalize().to_string()).unwrap()
}

#[test]
fn both_languages_take_the_same_multiples_of_a_decimal() {
    let (node, interpreter) = (need!(Node::ready()), need!(Python::ready()));
    let folder = folder("decimals");
    let (mut types, mut jobs) = (Vec::new(), Vec::new());
    for (index, step) in STEPS.iter().enumerate() {
        let step: Decimal = step.parse().unwrap();
        let schema = json!({ "type": "number", "multipleOf": number(step) });
        let name = format!("step{index}");
        types.push(Foreign { name: name.clone(), out: schema.clone(), input: schema });
        for factor in FACTORS {
            let factor: Decimal = factor.parse().unwrap();
            let (value, fits) = (number(step * factor), factor.fract().is_zero());
            jobs.push(json!({ "case": "money", "name": name, "way": "read", "value": value, "fits": fits }));
        }
    }
    let (manifest, refused) = foreign::manifest("money", &types);
    assert!(refused.is_empty());
    write(&manifest, "ts", &folder);
    write(&manifest, "python", &folder.join("money_api"));
    assert_eq!(typescript::judge(&node, &folder, &["money"], jobs.clone()), json!([]));
    let report = python::judge(&interpreter, &folder, jobs);
    assert_eq!(report["wrong"], json!([]), "{:#}", report["wrong"]);
}
