//! Values with one error, made of right values.

use serde_json::{Value, json};

/// Every document that differs from `value` in one place, with a few differences for each.
pub(super) fn mutants(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    each_place(value, &mut |_, replace| {
        for other in [json!(null), json!(true), json!(-1), json!(1.5), json!("x"), json!([]), json!({})] {
            found.push(replace(other));
        }
    });
    each_place(value, &mut |place, replace| match place {
        Value::Object(members) => {
            for name in members.keys() {
                let mut fewer = members.clone();
                fewer.shift_remove(name);
                found.push(replace(Value::Object(fewer)));
            }
            let mut more = members.clone();
            more.insert("unheard_of".to_owned(), json!(0));
            found.push(replace(Value::Object(more)));
        }
        Value::Array(items) => {
            let last = items.last().cloned();
            let more = [items.clone(), last.into_iter().collect()].concat();
            found.push(replace(Value::Array(more)));
            found.push(replace(Value::Array(items.iter().skip(1).cloned().collect())));
        }
        Value::String(text) => found.push(replace(json!(format!("{text}!")))),
        Value::Number(number) => found.push(replace(match number.as_i64() {
            Some(whole) => json!(whole.wrapping_add(1000)),
            None => json!(number.as_f64().map(|number| number + 1000.5)),
        })),
        _ => {}
    });
    found.retain(|mutant| mutant != value);
    found
}

/// Receives a value, and a function that puts another in its place.
type Visit<'v> = dyn FnMut(&Value, &dyn Fn(Value) -> Value) + 'v;

/// Calls `visit` with every value inside, and with a function that puts another in its place.
fn each_place(value: &Value, visit: &mut Visit<'_>) {
    fn walk(value: &Value, whole: &dyn Fn(Value) -> Value, visit: &mut Visit<'_>) {
        visit(value, whole);
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let whole = |other: Value| {
                        let mut items = items.clone();
                        items[index] = other;
                        whole(Value::Array(items))
                    };
                    walk(item, &whole, visit);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let whole = |other: Value| {
                        let mut members = members.clone();
                        members.insert(name.clone(), other);
                        whole(Value::Object(members))
                    };
                    walk(member, &whole, visit);
                }
            }
            _ => {}
        }
    }
    walk(value, &|other| other, visit);
}
