//! The test suite of JSON Schema itself, draft 2020-12: the generated checks agree with it on every value whose schema
//! has known keywords only; if a schema has types, so do the generated types.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::manifest::{Keyword, keyword};
use agui_tests::{
    need,
    outside::{Generation, Node, Python},
};
use serde_json::{Map, Value, json};

use super::{Foreign, Refusal, definitions, job, manifest};
use crate::{folder, python, typescript, write};

/// A schema and values with the suite's verdicts.
struct Group {
    name: String,
    place: String,
    schema: Value,
    /// The description, the verdict and the value of each test.
    tests: Vec<(String, bool, Value)>,
}

fn suite() -> Vec<Group> {
    let text = include_str!("../../../../fixtures/foreign/json-schema-test-suite.json");
    let groups: Vec<Value> = serde_json::from_str(text).unwrap();
    let group = |(index, group): (usize, Value)| {
        let file = group["file"].as_str().unwrap();
        let tests =
            group["tests"].as_array().unwrap().iter().map(|test| {
                (test[0].as_str().unwrap().to_owned(), test[1].as_bool().unwrap(), test[2].clone())
            });
        Group {
            name: format!("G{index}"),
            place: format!("{file}: {}", group["description"].as_str().unwrap()),
            schema: group["schema"].clone(),
            tests: tests.collect(),
        }
    };
    groups.into_iter().enumerate().map(group).collect()
}

/// Keywords that the generated checks do not know, and the number of groups left out for each. A schema with one is
/// refused when code is generated, with the place (the other test): schemars writes it for no type.
const LEFT_OUT: [(&str, usize, &str); 17] = [
    ("$anchor", 11, "a name for a place in a schema; ours refer to definitions"),
    ("$defs inside", 16, "definitions of a part; ours are the whole manifest's"),
    ("$dynamicAnchor", 5, "as `$anchor`"),
    ("$dynamicRef", 1, "means another schema from elsewhere; no Rust type does"),
    ("$id", 20, "gives a schema an address; all of ours is in one document"),
    ("$ref elsewhere", 14, "refers to another document, or to a place that is no definition"),
    ("contains", 20, "no Rust type says that some item is of a type"),
    ("contentSchema", 1, "says nothing of the text itself"),
    ("dependentRequired", 4, "no Rust type says that a member needs another"),
    ("dependentSchemas", 7, "as `dependentRequired`"),
    ("else", 10, "enums are `oneOf` and `anyOf`"),
    ("if", 5, "as `else`"),
    ("maxContains", 1, "as `contains`"),
    ("minContains", 1, "as `contains`"),
    ("propertyNames", 8, "schemars writes `patternProperties` for keys"),
    ("then", 1, "as `else`"),
    ("unevaluatedItems", 21, "lists are not flattened"),
];

/// The reasons why groups of the suite have no types, with their number: each is a typed error that names the place.
const REFUSED: [(&str, usize, &str); 9] = [
    ("can be combined", 4, "flattened is what is an object"),
    ("contradicts it", 1, "`additionalProperties` would refuse the members of the schema beside it"),
    ("is not a whole number", 1, "JavaScript and Python have no type of one such number"),
    ("is neither a string nor a number", 12, "no language has a type of one list or one object"),
    ("is not supported: describe", 85, "see above"),
    ("it has all of its places", 1, "a Rust tuple has"),
    ("refers to a type that is not in the manifest", 45, "see above"),
    ("supported only with constants", 7, "no type is all values but those of another"),
    ("without `type`", 164, "says something of values of one type, and takes all others: no Rust type does"),
];

/// The differences of pydantic: the group, the number of values, and the reason.
const BEYOND_PYDANTIC: [(&str, usize, &str); 12] = [
    ("oneOf: oneOf with boolean schemas, all true", 1, ONE_OF),
    ("oneOf: oneOf with boolean schemas, more than one true", 1, ONE_OF),
    ("oneOf: oneOf with empty schema", 1, ONE_OF),
    ("optional/bignum: integer", 2, WHOLE),
    ("optional/float-overflow: all integers are multiples of 0.5, if overflow is handled", 1, WHOLE),
    ("type: integer type matches integers", 1, WHOLE),
    ("optional/ecmascript-regex: ECMA 262 regex escapes control codes with \\c and lower letter", 1, CONTROL),
    ("optional/ecmascript-regex: ECMA 262 regex escapes control codes with \\c and upper letter", 1, CONTROL),
    (
        "optional/ecmascript-regex: \\w in patternProperties matches [A-Za-z0-9_], not unicode letters",
        3,
        KEYS,
    ),
    ("optional/ecmascript-regex: patternProperties with ASCII ranges", 2, KEYS),
    ("optional/ecmascript-regex: patternProperties with non-ASCII digits", 1, KEYS),
    ("optional/ecmascript-regex: patterns always use unicode semantics with patternProperties", 1, KEYS),
];
const CONTROL: &str = "Python has no such escape, and says that the pattern is not checked";
const KEYS: &str = "a key is any text to the type of a map";
const ONE_OF: &str = "a union takes what more than one of its types takes, as an untagged enum does";
const WHOLE: &str = "1.0 and 1e52 are no whole numbers to Python, nor to serde";

/// The keywords that the generated checks know, and those without effect on values.
const KNOWN: [&str; 41] = [
    "$comment",
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "readOnly",
    "required",
    "title",
    "type",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];

/// The keywords of `schema` and of all schemas in it; references to other places than definitions count as one.
fn keywords(schema: &Value, found: &mut BTreeSet<String>, root: bool) {
    let Value::Object(members) = schema else { return };
    for (member, value) in members {
        match (member.as_str(), value) {
            ("$ref", Value::String(to))
                if to != "#" && to.strip_prefix("#/$defs/").is_none_or(|r| r.contains('/')) =>
            {
                found.insert("$ref elsewhere".to_owned());
            }
            ("$defs", _) if !root => {
                found.insert("$defs inside".to_owned());
            }
            _ => {
                found.insert(member.clone());
            }
        }
        match (keyword(member), value) {
            (Keyword::Schema, value) => keywords(value, found, false),
            (Keyword::SchemaList, Value::Array(list)) => {
                list.iter().for_each(|inner| keywords(inner, found, false));
            }
            (Keyword::SchemaMap, Value::Object(map)) => {
                map.values().for_each(|inner| keywords(inner, found, false));
            }
            _ => {}
        }
    }
}

const CHECK: &str = "
import { readFileSync } from 'node:fs';
import { Checker } from './_check.js';

const { definitions, jobs } = JSON.parse(readFileSync(0, 'utf8'));
const checker = new Checker(definitions);
const wrong = jobs.filter(
  ([name, value, fits]: [string, unknown, boolean]) =>
    (checker.issues({ $ref: `#/$defs/${name}` }, value).length === 0) !== fits,
);
console.log(JSON.stringify(wrong));
";

#[test]
fn the_checks_say_what_the_suite_says() {
    let node = need!(Node::ready());
    let mut types = Map::new();
    let mut jobs = Vec::new();
    let mut places = BTreeMap::new();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    for group in suite() {
        let mut found = BTreeSet::new();
        keywords(&group.schema, &mut found, true);
        if let Some(unknown) = found.iter().find(|keyword| !KNOWN.contains(&keyword.as_str())) {
            *left_out.entry(unknown.clone()).or_default() += 1;
            continue;
        }
        definitions(&group.schema, &group.name, "#/$defs/", &mut types);
        for (about, valid, value) in group.tests {
            places.insert((group.name.clone(), value.to_string()), format!("{}: {about}", group.place));
            jobs.push(json!([group.name, value, valid]));
        }
    }
    let folder = folder("suite-checks");
    drop(write(&manifest("suite", &[]).0, "ts", &folder));
    std::fs::write(folder.join("suite.ts"), CHECK).unwrap();
    assert_eq!(left_out, LEFT_OUT.map(|(keyword, count, _)| (keyword.to_owned(), count)).into());
    assert_eq!(jobs.len(), 968);
    let input = json!({"definitions": types, "jobs": jobs});
    let wrong = typescript::run(&node, &folder, "suite.ts", Generation::V1, &input);
    assert_eq!(wrong, json!([]), "{places:#?}");
}

#[test]
fn the_generated_checks_agree_with_the_suite() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let types: Vec<Foreign> = suite()
        .iter()
        .map(|group| Foreign {
            name: group.name.clone(),
            out: group.schema.clone(),
            input: group.schema.clone(),
        })
        .collect();
    let (manifest, refusals) = manifest("suite", &types);
    let refused: BTreeSet<&str> = refusals.iter().map(|refusal| refusal.name.as_str()).collect();
    let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Refusal { name, path, message } in &refusals {
        let reason = REFUSED.iter().find(|(part, ..)| message.contains(part));
        let (part, ..) = reason.unwrap_or_else(|| panic!("{name} at {path}: {message}"));
        reasons.entry(part).or_default().insert(name);
    }
    let reasons: BTreeMap<_, _> = reasons.into_iter().map(|(part, names)| (part, names.len())).collect();
    assert_eq!(reasons, REFUSED.map(|(part, count, _)| (part, count)).into());

    let groups: BTreeMap<String, Group> = suite()
        .into_iter()
        .filter(|group| !refused.contains(group.name.as_str()))
        .map(|group| (group.name.clone(), group))
        .collect();
    let jobs: Vec<Value> = groups
        .values()
        .flat_map(|group| {
            group.tests.iter().map(|(_, valid, value)| job("suite", &group.name, "read", value, *valid))
        })
        .collect();
    assert_eq!((groups.len(), jobs.len()), (83, 293));
    let folder = folder("suite-generated");
    write(&manifest, "ts", &folder);
    let wrong = typescript::judge(&node, &folder, &["suite"], jobs.clone());
    assert_eq!(wrong, json!([]), "{wrong:#}");

    write(&manifest, "python", &folder.join("suite_api"));
    let report = python::judge(&python, &folder, jobs);
    let mut odd: BTreeMap<&str, usize> = BTreeMap::new();
    for wrong in report["wrong"].as_array().unwrap().iter().filter(|wrong| wrong.get("dump").is_none()) {
        *odd.entry(groups[wrong["name"].as_str().unwrap()].place.as_str()).or_default() += 1;
    }
    assert_eq!(odd, BEYOND_PYDANTIC.map(|(place, count, _)| (place, count)).into(), "{report:#}");
}
