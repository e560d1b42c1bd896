//! The values of each change that `diff` calls compatible: recorded ones, and those of random schemas.

use agui_codegen::{DiffOptions, Manifest, diff};
use serde_json::{Map, Value, json};

use super::{lines, object, state};
use crate::cases;

/// One shape of a case as the value of an event, and the JSON that serde writes of it.
struct Recorded {
    name: String,
    manifest: Manifest,
    written: Vec<Value>,
    validator: jsonschema::Validator,
}

fn recorded() -> Vec<Recorded> {
    let mut all = Vec::new();
    for case in cases::all() {
        let whole = case.manifest();
        for shape in &case.shapes {
            let mut manifest = whole.clone();
            let agent = &mut manifest.agents[0];
            "x".clone_into(&mut agent.name);
            agent.state = None;
            agent.tools.clear();
            agent.events.retain(|event| event.name == shape.name);
            "v".clone_into(&mut agent.events[0].name);
            let mut root = agent.events[0].value.clone();
            if let Value::Object(root) = &mut root {
                root.insert("types".into(), json!({"out": manifest.types.out}));
            }
            all.push(Recorded {
                name: format!("{}.{}", case.name, shape.name),
                validator: jsonschema::draft202012::new(&root).unwrap(),
                written: shape.written.clone(),
                manifest,
            });
        }
    }
    all
}

/// Compares every type of the cases with every other, or a part of them with `AGUI_EXHAUSTIVE` unset: the values that serde
/// wrote survive each compatible change.
#[test]
fn compatible_changes_keep_every_recorded_value() {
    let all = recorded();
    let (mut compatible, mut values) = (0, 0);
    let every = crate::sample::stride();
    for new in all.iter().step_by(every) {
        for old in &all {
            let changes = diff(&old.manifest, &new.manifest, DiffOptions::default()).unwrap();
            if old.name == new.name {
                assert_eq!(changes, [], "{}", old.name);
            } else if changes.is_empty() {
                compatible += 1;
                for value in &new.written {
                    let verdict = old.validator.validate(value).map_err(|error| error.to_string());
                    assert_eq!(verdict, Ok(()), "{} is no {}: {value}", new.name, old.name);
                    values += 1;
                }
            }
        }
    }
    // A part of the types may have fewer pairs than its share.
    let (few, many) = if every == 1 { (200, 300) } else { (10, 20) };
    assert!(compatible >= few && values >= many, "{compatible} pairs, {values} values");
}

/// Random numbers from a fixed seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(limit).unwrap()).unwrap()
    }

    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A schema as schemars could have written it.
fn schema(dice: &mut Dice, depth: usize) -> Value {
    let kinds = if depth == 0 { 6 } else { 12 };
    match dice.below(kinds) {
        0 => json!({"type": "string"}),
        1 => {
            json!({"type": "integer", "minimum": -i64::try_from(dice.below(3)).unwrap(), "maximum": 3 + dice.below(3)})
        }
        2 => json!({"type": "boolean"}),
        3 => json!({"type": "number"}),
        4 => json!({"enum": NAMES[..=dice.below(4)]}),
        5 => json!({"type": ["string", "null"], "maxLength": 2 + dice.below(3)}),
        6 => json!({"type": "array", "items": schema(dice, depth - 1), "minItems": dice.below(2)}),
        7 => {
            let places: Vec<Value> = (0..=dice.below(2)).map(|_| schema(dice, depth - 1)).collect();
            json!({"type": "array", "minItems": places.len(), "maxItems": places.len(), "prefixItems": places})
        }
        8 => json!({"type": "object", "additionalProperties": schema(dice, depth - 1)}),
        9 => {
            let variants: Vec<Value> = NAMES[..=dice.below(3)]
                .iter()
                .map(|name| {
                    object(&json!({"kind": {"const": name}, "x": schema(dice, depth - 1)}), &["kind", "x"])
                })
                .collect();
            json!({"oneOf": variants})
        }
        10 => json!({"anyOf": [schema(dice, depth - 1), {"type": "null"}]}),
        _ => {
            let mut properties = Map::new();
            let mut required = Vec::new();
            for name in &NAMES[..=dice.below(3)] {
                properties.insert((*name).into(), schema(dice, depth - 1));
                if dice.below(2) == 0 {
                    required.push(*name);
                }
            }
            let mut object = object(&Value::Object(properties), &required);
            if dice.below(4) == 0 {
                object["additionalProperties"] = json!(false);
            }
            object
        }
    }
}

/// `schema` with one change at some place.
fn edited(schema_: &Value, dice: &mut Dice) -> Value {
    let mut changed = schema_.clone();
    let inner: Vec<&str> = ["items", "additionalProperties", "properties", "oneOf", "anyOf", "prefixItems"]
        .into_iter()
        .filter(|k| changed[*k].is_object() || changed[*k].is_array())
        .collect();
    if !inner.is_empty() && dice.below(3) > 0 {
        let keyword = *dice.one(&inner);
        let place = match (&changed[keyword], keyword) {
            (Value::Array(list), _) => Some(json!(dice.below(list.len()))),
            (Value::Object(map), "properties") => {
                map.keys().nth(dice.below(map.len().max(1))).map(|key| json!(key))
            }
            _ => None,
        };
        let target = match &place {
            Some(Value::String(name)) => &mut changed[keyword][name],
            Some(index) if index.is_u64() => {
                let index = usize::try_from(index.as_u64().unwrap()).unwrap();
                &mut changed[keyword][index]
            }
            _ => &mut changed[keyword],
        };
        *target = edited(target, dice);
        return changed;
    }
    match dice.below(8) {
        0 if changed["required"].is_array() => changed["required"] = json!([]),
        1 if changed["properties"].is_object() => changed["properties"]["new"] = schema(dice, 0),
        2 if changed["enum"].is_array() => changed["enum"] = json!(NAMES[..=dice.below(4)]),
        3 if changed["maximum"].is_number() => changed["maximum"] = json!(dice.below(9)),
        4 if changed["type"] == "integer" => changed["type"] = json!("number"),
        5 => changed = json!({"anyOf": [changed, {"type": "null"}]}),
        6 if changed["oneOf"].as_array().is_some_and(|list| list.len() > 1) => {
            drop(changed["oneOf"].as_array_mut().unwrap().pop());
        }
        7 => changed = schema(dice, 1),
        _ => {}
    }
    changed
}

/// A value of `schema`, without members that are not declared.
fn sample(schema: &Value, dice: &mut Dice) -> Option<Value> {
    if let Some(value) = schema.get("const") {
        return Some(value.clone());
    }
    if let Some(Value::Array(values)) = schema.get("enum") {
        return Some(dice.one(values).clone());
    }
    if let Some(Value::Array(variants)) = schema.get("oneOf").or(schema.get("anyOf")) {
        return variants.get(dice.below(variants.len().max(1))).and_then(|variant| sample(variant, dice));
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => dice.one(kinds).as_str()?,
        kind => kind.as_str()?,
    };
    Some(match kind {
        "null" => Value::Null,
        "boolean" => json!(dice.below(2) == 0),
        "string" => {
            json!("xyzuvw"[..=dice.below(usize::try_from(schema["maxLength"].as_u64().unwrap_or(6)).ok()?)])
        }
        "integer" => {
            let (min, max) =
                (schema["minimum"].as_i64().unwrap_or(-9), schema["maximum"].as_i64().unwrap_or(9));
            json!(min + i64::try_from(dice.below(usize::try_from((max - min).max(0)).ok()? + 1)).ok()?)
        }
        "number" => match schema["maximum"].as_f64() {
            Some(max) => json!(max - 0.5),
            None => json!(0.5),
        },
        "array" => match &schema["prefixItems"] {
            Value::Array(places) => {
                Value::Array(places.iter().map(|place| sample(place, dice)).collect::<Option<_>>()?)
            }
            _ => {
                let length = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).ok()? + dice.below(2);
                (0..length).map(|_| sample(&schema["items"], dice)).collect::<Option<_>>()?
            }
        },
        "object" => {
            let mut object = Map::new();
            for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
                let required = schema["required"].as_array()?.iter().any(|one| one == name);
                if required || dice.below(2) == 0 {
                    object.insert(name.clone(), sample(inner, dice)?);
                }
            }
            if schema["additionalProperties"].is_object() {
                object.insert((*dice.one(&NAMES)).into(), sample(&schema["additionalProperties"], dice)?);
            }
            Value::Object(object)
        }
        _ => return None,
    })
}

/// Random types and random changes of them, in both directions: every value survives a compatible change, and most
/// breaking changes do break a value. With `AGUI_EXHAUSTIVE` unset, a part of them.
#[test]
fn every_value_survives_what_is_called_compatible() {
    let (mut compatible, mut survived, mut broken, mut doubted) = (0, 0, 0, 0);
    let every = crate::sample::stride();
    for seed in (0..4_000).step_by(every) {
        let mut dice = Dice(seed);
        let old = schema(&mut dice, 3);
        let new = (0..=dice.below(2)).fold(old.clone(), |schema, _| edited(&schema, &mut dice));
        if old == new {
            continue;
        }
        let options = DiffOptions { closed: true, ..DiffOptions::default() };
        let changes = diff(&state(&old, &json!({})), &state(&new, &json!({})), options).unwrap();
        for (way, writer, reader) in [("OUT", &new, &old), ("IN", &old, &new)] {
            let said: Vec<String> =
                lines(&changes).into_iter().filter(|line| line.contains(&format!(" {way}: "))).collect();
            let validator = jsonschema::draft202012::new(reader).unwrap();
            let samples: Vec<Value> = (0..20).filter_map(|_| sample(writer, &mut dice)).collect();
            let refused = samples.iter().find(|value| !validator.is_valid(value));
            if said.is_empty() {
                assert!(refused.is_none(), "seed {seed}, {way}: {writer} to {reader}: {refused:?}");
                compatible += 1;
                survived += samples.len();
            } else if refused.is_some() {
                broken += 1;
            } else {
                doubted += 1;
            }
        }
    }
    let least = 1_000 / every;
    assert!(compatible > least && survived > 20 * least, "{compatible} compatible, {survived} values");
    assert!(
        broken > 5 * doubted,
        "{broken} rightly called breaking, {doubted} without a value that shows it"
    );
}
