//! Sample values for a schema: the values that the schema names, and other values that cover every schema part.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The limit for sample values at one path.
const MOST: usize = 24;

/// The limit for references that a recursive type's values follow.
const DEEPEST: usize = 7;

/// Returns values for the schema called `root`. Some values may be invalid: the caller asks a validator.
pub(super) fn samples(root: &str, definitions: &BTreeMap<String, Value>) -> Vec<Value> {
    let maker = SampleMaker { definitions };
    definitions.get(root).map(|schema| maker.samples(schema, DEEPEST)).unwrap_or_default()
}

struct SampleMaker<'d> {
    definitions: &'d BTreeMap<String, Value>,
}

impl SampleMaker<'_> {
    fn samples(&self, schema: &Value, depth: usize) -> Vec<Value> {
        let Value::Object(members) = schema else {
            return if *schema == Value::Bool(false) { Vec::new() } else { anything() };
        };
        if depth == 0 {
            return Vec::new();
        }
        let mut made: Vec<Value> = members.get("default").into_iter().cloned().collect();
        if let Some(Value::Array(examples)) = members.get("examples") {
            made.extend(examples.iter().cloned());
        }
        if let Some(only) = members.get("const") {
            made.push(only.clone());
        } else if let Some(Value::Array(values)) = members.get("enum") {
            made.extend(values.iter().cloned());
        } else {
            made.extend(self.part_samples(members, depth));
        }
        made.truncate(MOST);
        made
    }

    fn part_samples(&self, members: &Map<String, Value>, depth: usize) -> Vec<Value> {
        let own = self.own(members, depth);
        let mut parts: Vec<Vec<Value>> = Vec::new();
        if let Some(target) = members.get("$ref").and_then(Value::as_str)
            && let Some(schema) =
                target.strip_prefix("#/definitions/").and_then(|name| self.definitions.get(name))
        {
            parts.push(self.samples(schema, depth - 1));
        }
        if let Some(Value::Array(all)) = members.get("allOf") {
            parts.extend(all.iter().map(|schema| self.samples(schema, depth)));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(any)) = members.get(keyword) {
                let each: Vec<Vec<Value>> = any.iter().map(|schema| self.samples(schema, depth)).collect();
                parts.push(turns(&each));
            }
        }
        if own.is_empty() && parts.is_empty() {
            return if members.contains_key("type") { Vec::new() } else { anything() };
        }
        if !own.is_empty() {
            parts.insert(0, own);
        }
        together(&parts)
    }

    fn own(&self, members: &Map<String, Value>, depth: usize) -> Vec<Value> {
        let types: Vec<&str> = match members.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ if members.contains_key("properties") => vec!["object"],
            _ if members.contains_key("items") => vec!["array"],
            _ => Vec::new(),
        };
        let each: Vec<Vec<Value>> =
            types.iter().map(|name| self.type_samples(name, members, depth)).collect();
        turns(&each)
    }

    fn type_samples(&self, name: &str, members: &Map<String, Value>, depth: usize) -> Vec<Value> {
        let number = |keyword: &str| members.get(keyword).and_then(Value::as_f64);
        match name {
            "null" => vec![Value::Null],
            "boolean" => vec![json!(true), json!(false)],
            "string" => {
                let least = number("minLength").unwrap_or_default().clamp(0.0, 10_000.0) as usize;
                let most = number("maxLength").unwrap_or(100.0).clamp(0.0, 100.0) as usize;
                let text: String = "text of a sample ".chars().cycle().take(least.max(4.min(most))).collect();
                vec![json!(text), json!("2026-01-02"), json!("2026-01-02T03:04:05Z"), json!("a@example.com")]
            }
            "integer" => {
                let bounds = ["minimum", "maximum"].into_iter().filter_map(number).map(|bound| bound as i64);
                [1, 0, 30, -1].into_iter().chain(bounds).map(Value::from).collect()
            }
            "number" => {
                let bounds = ["minimum", "maximum"].into_iter().filter_map(number);
                [1.5, 0.0, -1.25].into_iter().chain(bounds).map(Value::from).collect()
            }
            "array" => self.list(members, depth),
            "object" => self.object(members, depth),
            _ => Vec::new(),
        }
    }

    fn list(&self, members: &Map<String, Value>, depth: usize) -> Vec<Value> {
        let least = members.get("minItems").and_then(Value::as_u64).unwrap_or_default().min(20) as usize;
        match members.get("items") {
            Some(Value::Array(places)) => {
                let each: Vec<Vec<Value>> = places.iter().map(|schema| self.samples(schema, depth)).collect();
                let longest = each.iter().map(Vec::len).max().unwrap_or(1);
                let row = |turn: usize| each.iter().map(|all| turned(all, turn)).collect::<Option<Vec<_>>>();
                (0..longest).filter_map(row).map(Value::Array).collect()
            }
            items => {
                let inner = items.map_or_else(anything, |items| self.samples(items, depth));
                let mut lists = vec![Vec::new(), inner.clone()];
                lists.extend(inner.iter().map(|item| vec![item.clone(); least.max(1)]));
                lists.retain(|list| list.len() >= least);
                lists.into_iter().map(Value::Array).collect()
            }
        }
    }

    fn object(&self, members: &Map<String, Value>, depth: usize) -> Vec<Value> {
        let required: Vec<&str> = match members.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let none = Map::new();
        let properties = members.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let each: Vec<(&String, Vec<Value>)> =
            properties.iter().map(|(name, schema)| (name, self.samples(schema, depth))).collect();
        let mut full: Map<String, Value> =
            each.iter().filter_map(|(name, all)| Some(((*name).clone(), all.first()?.clone()))).collect();
        let least = full.clone().into_iter().filter(|(name, _)| required.contains(&name.as_str())).collect();
        let mut objects: Vec<Map<String, Value>> = vec![least];
        if let Some(rest) = members.get("additionalProperties").filter(|rest| **rest != Value::Bool(false)) {
            let names = members
                .get("propertyNames")
                .map_or_else(|| vec![json!("another name")], |names| self.samples(names, depth));
            for (name, value) in names.iter().filter_map(Value::as_str).zip(self.samples(rest, depth)) {
                full.entry(name).or_insert(value);
            }
        }
        objects.push(full.clone());
        for (name, all) in &each {
            for value in all.iter().skip(1) {
                let mut other = full.clone();
                other.insert((*name).clone(), value.clone());
                objects.push(other);
            }
        }
        objects.into_iter().map(Value::Object).collect()
    }
}

fn anything() -> Vec<Value> {
    vec![json!({"any": [1, null]}), json!("text"), json!(1), json!(true), Value::Null]
}

fn turned(all: &[Value], turn: usize) -> Option<Value> {
    all.get(turn % all.len().max(1)).cloned()
}

/// Returns the first value from each list, then the second from each, so that a limit shortens all lists alike.
fn turns(each: &[Vec<Value>]) -> Vec<Value> {
    let longest = each.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(|turn| each.iter().filter_map(move |all| all.get(turn).cloned())).collect()
}

/// Merges a value from each part into one object; other values stay unchanged.
fn together(parts: &[Vec<Value>]) -> Vec<Value> {
    let longest = parts.iter().map(Vec::len).max().unwrap_or_default();
    let join = |turn: usize| {
        let mut values = parts.iter().filter_map(|all| turned(all, turn));
        let first = values.next()?;
        Some(values.fold(first, |joined, value| match (joined, value) {
            (Value::Object(mut joined), Value::Object(more)) => {
                joined.extend(more);
                Value::Object(joined)
            }
            (joined, _) => joined,
        }))
    };
    (0..longest).filter_map(join).collect()
}
