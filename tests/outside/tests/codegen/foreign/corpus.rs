//! The recorded integration tests of schemars: types of all forms, the values that serde wrote, read and refused.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
};

use agui_tests::{
    need,
    outside::{Generation, Node, Python},
};
use serde::Deserialize;
use serde_json::Value;

use super::{Foreign, Refusal, job, manifest, mutants::mutants};
use crate::{folder, python, typescript, write};

/// The record.
#[derive(Deserialize)]
struct Corpus {
    /// Values that very many types refuse.
    common: Vec<Value>,
    types: Vec<Recorded>,
}

/// One type.
#[derive(Deserialize)]
struct Recorded {
    /// The name of its test.
    test: String,
    out: Value,
    /// The schema for reading, if it differs from the one for writing.
    #[serde(rename = "in")]
    input: Option<Value>,
    written: Vec<Value>,
    read: Vec<Value>,
    refused: Vec<Value>,
    /// The places of further refused values in [`Corpus::common`].
    refused_common: Vec<usize>,
}

fn corpus() -> Corpus {
    serde_json::from_str(include_str!("../../../../fixtures/foreign/schemars.json")).unwrap()
}

fn name(index: usize) -> String {
    format!("T{index}")
}

fn foreign(corpus: &Corpus) -> Vec<Foreign> {
    let types = corpus.types.iter().enumerate().map(|(index, recorded)| Foreign {
        name: name(index),
        out: recorded.out.clone(),
        input: recorded.input.clone().unwrap_or_else(|| recorded.out.clone()),
    });
    types.collect()
}

/// A validator without formats.
fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().should_validate_formats(false).build(schema).unwrap()
}

/// Schemas without types, and the reason.
const REFUSED: [(&str, &str); 1] = [("map::maps", "a map whose keys are some names or any number")];

/// Types without required members: TypeScript refuses an object of the type that has no member.
const WEAK: [(&str, usize); 2] =
    [("default::default_fields", 14), ("inline_subschemas::struct_recursive", 14)];

/// The differences of pydantic, with their number and the reason.
const BEYOND_PYDANTIC: [(&str, &str, usize, &str); 14] = [
    ("enums::untagged_enum", "refuses", 1, WHOLE),
    ("enums::untagged_enum_with_titles", "refuses", 1, WHOLE),
    ("enums_flattened::mixed_enums_flattened", "refuses", 6, ONE_CLASS),
    ("enums_flattened::mixed_enums_flattened", "takes", 32, ONE_CLASS),
    ("enums_option_flattened::adjacent_enums_flattened", "refuses", 64, ONE_CLASS),
    ("enums_option_flattened::external_enums_flattened", "refuses", 100, ONE_CLASS),
    ("enums_option_flattened::internal_enums_flattened", "refuses", 60, ONE_CLASS),
    ("enums_option_flattened::mixed_enums_flattened", "refuses", 50, ONE_CLASS),
    ("enums_ref_variants::untagged_enum", "refuses", 1, WHOLE),
    ("from_into::from", "refuses", 1, WHOLE),
    ("indexmap::indexset", "takes", 5, "a set may be read from a list that has an item twice, by serde too"),
    ("smallvec::smallvec", "refuses", 1, WHOLE),
    ("std_types::nonzero", "refuses", 1, WHOLE),
    ("std_types::nonzero", "takes", 1, "no range of Python's is all numbers but 0"),
];
const WHOLE: &str = "1.8e19 is no whole number to Python, nor to serde";
const ONE_CLASS: &str = "more than 16 combinations of flattened enums are one class: a member has the type that one \
    alternative gives it, although another, that does not name it, takes any; serde writes no such thing";

/// Makes a value of a literal, which may have unknown members.
const FRESH: &str = "
type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> };
declare function fresh<const V>(value: V): Mutable<V>;
";

/// The counts of the corpus.
#[derive(Debug, Default, PartialEq)]
struct Count {
    written: usize,
    read: usize,
    refused: usize,
    /// Refused for their format alone, which does not constrain values in JSON Schema.
    formats: usize,
    mutants_that_fit: usize,
    mutants_that_do_not: usize,
}

#[test]
fn generated_code_takes_what_others_take() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let corpus = corpus();
    let (manifest, refusals) = manifest("schemars", &foreign(&corpus));
    let refused: BTreeSet<String> = refusals.iter().map(|refusal| refusal.name.clone()).collect();
    let test_of = |name: &str| corpus.types[name[1..].parse::<usize>().unwrap()].test.as_str();
    assert_eq!(
        refused.iter().map(|name| test_of(name)).collect::<BTreeSet<_>>(),
        REFUSED.map(|(test, _)| test).into()
    );
    for Refusal { name, path, message } in &refusals {
        assert!(!path.is_empty() && message.contains("is not supported"), "{name} at {path}: {message}");
    }

    let mut count = Count::default();
    let (mut for_typescript, mut for_python) = (vec![], vec![]);
    let mut constants = format!("import type {{ Events, ToolResults }} from \"./schemars/agent.js\";{FRESH}");
    for (index, recorded) in
        corpus.types.iter().enumerate().filter(|(index, _)| !refused.contains(&name(*index)))
    {
        let name = name(index);
        let input = recorded.input.as_ref().unwrap_or(&recorded.out);
        let mut constant = |way: &str, ty: &str, value: &Value| {
            let line = constants.lines().count();
            writeln!(constants, "export const {name}_{way}_{line}: {ty} = fresh({value});").unwrap();
        };
        recorded.written.iter().for_each(|value| constant("written", &format!("Events[\"{name}\"]"), value));
        recorded
            .read
            .iter()
            .for_each(|value| constant("read", &format!("ToolResults[\"take_{name}\"]"), value));
        count.written += recorded.written.len();
        count.read += recorded.read.len();
        let mut say = |way: &str, value: &Value, fits: bool| {
            for_typescript.push(job("schemars", &name, way, value, fits));
            for_python.push(job("schemars", &name, way, value, fits));
        };
        let mut seen = BTreeSet::new();
        for (way, values, schema) in
            [("written", &recorded.written, &recorded.out), ("read", &recorded.read, input)]
        {
            let validator = validator(schema);
            if recorded.input.is_some() {
                // Another type of the same name.
                seen.clear();
            }
            for value in values {
                say(way, value, true);
                seen.insert(value.to_string());
            }
            for mutant in values.iter().flat_map(mutants).filter(|mutant| seen.insert(mutant.to_string())) {
                let fits = validator.is_valid(&mutant);
                *if fits { &mut count.mutants_that_fit } else { &mut count.mutants_that_do_not } += 1;
                say(way, &mutant, fits);
            }
        }
        let validator = validator(input);
        let common = recorded.refused_common.iter().map(|place| &corpus.common[*place]);
        for value in recorded.refused.iter().chain(common) {
            let fits = validator.is_valid(value);
            *if fits { &mut count.formats } else { &mut count.refused } += 1;
            say("read", value, fits);
        }
    }

    let folder = folder("foreign");
    let mut files = write(&manifest, "ts", &folder);
    let wrong = typescript::judge(&node, &folder, &["schemars"], for_typescript);
    assert_eq!(wrong, Value::Array(vec![]), "{wrong:#}");

    let path = folder.join("samples.ts");
    fs::write(&path, &constants).unwrap();
    files.push(path);
    let found = node.type_check("foreign", Generation::V1, &files);
    let mut weak: BTreeMap<&str, usize> = BTreeMap::new();
    for said in found.stdout.lines().filter(|line| line.contains("): error ")) {
        let line: usize = said.split_once('(').unwrap().1.split_once(',').unwrap().0.parse().unwrap();
        let constant = constants.lines().nth(line - 1).unwrap();
        assert!(said.contains("error TS2559: "), "{constant}: {said}");
        let name = constant["export const ".len()..].split('_').next().unwrap();
        *weak.entry(test_of(name)).or_default() += 1;
    }
    assert_eq!(weak, WEAK.into(), "{found}");

    write(&manifest, "python", &folder.join("schemars_api"));
    let report = python::judge(&python, &folder, for_python);
    let mut odd: BTreeMap<(&str, &str), Vec<&Value>> = BTreeMap::new();
    for wrong in report["wrong"].as_array().unwrap() {
        let what = match (wrong.get("dump"), wrong.get("error")) {
            (Some(dump), _) if same(dump, &wrong["value"]) => continue,
            (Some(_), _) => "writes otherwise",
            (_, Some(_)) => "refuses",
            _ => "takes",
        };
        odd.entry((test_of(wrong["name"].as_str().unwrap()), what)).or_default().push(wrong);
    }
    let found: Vec<_> = odd.iter().map(|((test, what), wrong)| (*test, *what, wrong.len())).collect();
    let allowed = BEYOND_PYDANTIC.map(|(test, what, count, _)| (test, what, count));
    assert_eq!(found, allowed, "{:#?}", odd.values().map(|wrong| wrong[0]).collect::<Vec<_>>());
    assert_eq!(
        count,
        Count {
            written: 400,
            read: 448,
            refused: 4291,
            formats: 44,
            mutants_that_fit: 1912,
            mutants_that_do_not: 6695,
        }
    );
}

/// Returns true if two documents are equal, for any order of members and spelling of numbers.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}
