//! Schemas that no derive writes but people can: the types they become, or the reason why they are refused.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use agui_codegen::ir::ApiDecl;
use agui_codegen::lower::lower;
use agui_codegen::{LANGUAGES, Manifest, TargetLanguage, generate};
use agui_runtime::manifest::AgentSource;
use serde_json::{Value, json};

use crate::cases;
use crate::sample::{sampled, stride};

fn language(key: &str) -> &'static TargetLanguage {
    LANGUAGES.iter().find(|language| language.key == key).unwrap()
}

/// The manifest of an agent that sends and receives the type `Sample`, with some types beside it.
fn manifest(sample: &Value) -> Manifest {
    let nothing = json!({"type": "object"});
    let book = json!({"type": "object", "properties": {"pages": {"type": "integer"}}, "required": ["pages"]});
    let closed =
        json!({"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": false});
    let types = json!({"Sample": sample, "Book": book, "Closed": closed, "Text": {"type": "string"}});
    let value = json!({
        "agui_manifest": 1,
        "generator": "test",
        "crate": {"name": "samples", "version": "0.1.0"},
        "agents": [{
            "name": "samples", "description": "", "version": "0.1.0", "rust": "samples",
            "tools": [{
                "name": "take", "side": "frontend", "description": "",
                "params": {"out": nothing, "in": nothing},
                "result": {"in": {"$ref": "#/types/in/Sample"}},
            }],
            "events": [{"name": "sample", "description": "", "value": {"$ref": "#/types/out/Sample"}}],
        }],
        "types": {"out": types, "in": types},
        "hash": {"wire": "sha256-0", "full": "sha256-0"},
    });
    // References are written for one direction and mean the same in the other.
    let text = value.to_string();
    let (head, tail) = text.split_at(text.find("\"in\":{\"Sample\"").unwrap());
    let tail = tail.replace("#/types/out/", "#/types/in/");
    Manifest::from_json(&format!("{head}{tail}")).unwrap()
}

/// The declaration of `Sample`: the text after its name, up to the end of the statement.
fn declared(sample: &Value, key: &str, start: &str, end: &str) -> String {
    let generated =
        generate(&manifest(sample), language(key)).unwrap_or_else(|error| panic!("{sample}: {error}"));
    let file = generated.files.iter().find(|file| file.path.starts_with("samples/types.")).unwrap();
    let rest = file.text.split_once(start).unwrap_or_else(|| panic!("{}", file.text)).1;
    rest.split_once(end).unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn schemas_become_types() {
    let book = json!({"$ref": "#/types/out/Book"});
    for (schema, typescript, python) in [
        (json!(true), "unknown", "\"Any\""),
        (json!({"description": "whatever"}), "unknown", "\"Any\""),
        (json!(false), "never", "\"Nothing\""),
        (json!({"not": {}}), "never", "\"Nothing\""),
        (json!({"const": true}), "true", "\"Annotated[Literal[True], Truth]\""),
        (json!({"const": 3}), "3", "\"Annotated[Literal[3], Whole]\""),
        (json!({"const": null}), "null", "\"None\""),
        (json!({"enum": [1, 2]}), "1 | 2", "\"Annotated[Literal[1, 2], Whole]\""),
        (json!({"enum": ["a", null]}), "\"a\" | null", "'Literal[\"a\"] | None'"),
        (
            json!({"enum": [false, 0, "x"]}),
            "false | 0 | \"x\"",
            "'Annotated[Literal[False], Truth] | Annotated[Literal[0], Whole] | Literal[\"x\"]'",
        ),
        (json!({"type": ["string", "integer", "null"]}), "string | number | null", "\"str | int | None\""),
        (json!({"type": ["null"]}), "null", "\"None\""),
        (json!({"type": "array"}), "unknown[]", "\"list[Any]\""),
        (json!({"type": "array", "maxItems": 0}), "[]", "\"tuple[()]\""),
        (
            json!({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}),
            "(\"a\" | \"b\")[]",
            "'Annotated[list[Literal[\"a\", \"b\"]], Field(min_length=1)]'",
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "boolean"}}),
            "{ [key: string]: boolean }",
            "\"dict[str, bool]\"",
        ),
        (
            json!({"type": "object", "additionalProperties": false, "patternProperties": {"^[a-z]+$": true}}),
            "{ [key: string]: unknown }",
            "\"dict[str, Any]\"",
        ),
        (json!({"anyOf": [book, {"type": "null"}, {"type": "null"}]}), "Book | null", "\"Book | None\""),
        (json!({"allOf": [true, {}]}), "unknown", "\"Any\""),
        (json!({"allOf": [true], "type": "object"}), "Record<string, never>", ""),
        (json!({"allOf": [book]}), "Book", "\"Book\""),
        (
            json!({"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "boolean"}]}),
            "string | boolean | null",
            "\"str | bool | None\"",
        ),
        (json!({"type": "integer", "format": "int32", "not": {"const": 0}}), "number", "\"Int32\""),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 6}),
            "number",
            "\"Annotated[int, Field(ge=1, le=6)]\"",
        ),
        (json!({"type": "number", "exclusiveMinimum": 0}), "number", "\"Annotated[float, Field(gt=0)]\""),
        (
            json!({"type": "integer", "exclusiveMaximum": 9.0, "multipleOf": 0.5}),
            "number",
            "\"Annotated[int, Field(lt=9)]\"",
        ),
        (
            json!({"type": "string", "minLength": 1, "pattern": "^\\d$"}),
            "string",
            "\"Annotated[Annotated[str, Field(min_length=1)], Matching(\\\"^\\\\\\\\d$\\\")]\"",
        ),
        (json!({"type": "string", "x-order": 1, "contentEncoding": "base64"}), "string", "\"str\""),
        (
            json!({"oneOf": [{"const": "a", "description": "First."}, {"const": "b"}]}),
            "/** First. */ | \"a\" | \"b\"",
            "",
        ),
    ] {
        assert_eq!(declared(&schema, "ts", "export type Sample =", ";\n"), typescript, "{schema}");
        if !python.is_empty() {
            let alias = declared(&schema, "python", "Sample = TypeAliasType(", ")\n");
            let alias = alias.trim_end_matches(',');
            assert_eq!(alias, format!("\"Sample\", {python}"), "{schema}");
        }
    }
}

#[test]
fn all_of_several_objects_is_one() {
    let schema = json!({
        "allOf": [{"$ref": "#/types/out/Book"}, {"type": "object", "properties": {"title": {"type": "string"}}}],
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "required": ["id"],
        "unevaluatedProperties": false,
    });
    assert_eq!(
        declared(&schema, "ts", "export type Sample =", ";\n\n"),
        "{ id: number } & Book & { title?: string | undefined }"
    );
    assert_eq!(
        declared(&schema, "python", "class Sample(Model):", "\n\n\n"),
        "model_config = ConfigDict(extra=\"forbid\") id: int pages: int title: Maybe[str] = None"
    );
}

#[test]
fn too_many_combinations_become_one_loose_class() {
    let choice = |name: &str| {
        json!({"oneOf": [
            {"type": "object", "properties": {name: {"const": "a"}, "x": {"type": "string"}}, "required": [name]},
            {"type": "object", "properties": {name: {"const": "b"}, "x": {"type": "boolean"}}, "required": [name]},
            {"type": "object", "properties": {name: {"const": "c"}}, "required": [name]},
        ]})
    };
    let schema = json!({"type": "object", "allOf": [choice("one"), choice("two"), choice("three")]});
    let class = declared(&schema, "python", "class Sample(Model):", "\n\n\n");
    let tags = ["one", "two", "three"].map(|name| format!("{name}: Literal[\"a\", \"b\", \"c\"]"));
    let [one, two, three] = tags;
    assert_eq!(class, format!("{one} x: Any = None {two} {three}"));
}

#[test]
fn a_schema_without_an_exact_type_is_refused() {
    let object = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for (schema, place, message) in [
        (json!({"if": {}}), "/if", "the keyword `if` is not supported"),
        (
            json!({"type": "object", "properties": {"a/b": {"contains": {}}}}),
            "/properties/a~1b/contains",
            "`contains`",
        ),
        (json!({"$ref": "#/types/out/Nobody"}), "/$ref", "refers to a type that is not in the manifest"),
        (json!({"$ref": "#/$defs/Book"}), "/$ref", "refers to a type that is not in the manifest"),
        (json!({"type": "text"}), "/type", "no type `text` in JSON"),
        (json!({"type": 3}), "/type", "expected the name of a type"),
        (json!({"properties": {}}), "", "`properties` without `type`"),
        (json!({"minimum": 3}), "", "`minimum` without `type`"),
        (json!({"const": 1.5}), "/const", "not a whole number"),
        (json!({"enum": [[1]]}), "/enum", "neither a string nor a number"),
        (json!({"enum": "a"}), "/enum", "expected a list"),
        (json!({"anyOf": {}}), "/anyOf", "expected a list of schemas"),
        (json!({"not": {"type": "string"}}), "/not", "only with constants"),
        (json!({"type": "array", "items": 3}), "/items", "is not a schema"),
        (json!({"type": "array", "prefixItems": [true]}), "", "a tuple must state"),
        (
            json!({"type": "array", "prefixItems": [true], "minItems": 1, "items": true}),
            "",
            "`prefixItems` beside `items`",
        ),
        (json!({"type": "object", "properties": []}), "/properties", "expected an object of schemas"),
        (json!({"type": "object", "properties": {}, "required": ["a"]}), "/required", "`a` is required"),
        (
            json!({"type": "object", "patternProperties": {"a": true, "b": true}, "additionalProperties": false}),
            "/patternProperties",
            "exactly one pattern",
        ),
        (
            json!({"type": "object", "patternProperties": {"a": true}}),
            "/patternProperties",
            "a pattern for keys beside",
        ),
        (json!({"allOf": [object, {"type": "string"}]}), "", "one of the schemas is not an object"),
        (json!({"type": "string", "anyOf": [object]}), "", "only an object can be combined"),
        (json!({"allOf": [object, {"$ref": "#/types/out/Closed"}]}), "", "cannot be combined"),
        (json!({"allOf": [object, {"$ref": "#/types/out/Text"}]}), "", "one of the schemas is not an object"),
        (
            json!({"allOf": [object, {"type": "object", "additionalProperties": true}]}),
            "",
            "a map cannot be combined",
        ),
        (
            json!({"$ref": "#/types/out/Book", "type": "object", "additionalProperties": false}),
            "/additionalProperties",
            "use `unevaluatedProperties`",
        ),
        (json!({"$ref": "#/types/out/Sample"}), "", "is defined as itself"),
        (json!({"anyOf": [{"$ref": "#/types/out/Sample"}, {"type": "string"}]}), "", "is defined as itself"),
        (json!({"allOf": [{"$ref": "#/types/out/Sample"}, object]}), "", "is defined as itself"),
        (
            json!({
                "allOf": [{"$ref": "#/types/out/Sample"}, {"$ref": "#/types/out/Sample"}],
                "type": "object",
                "properties": {"x": {"oneOf": [{"$ref": "#/types/out/Sample"}, {"$ref": "#/types/out/Book"}]}},
            }),
            "",
            "is defined as itself",
        ),
        (
            json!({"oneOf": [
                {"allOf": [{"$ref": "#/types/out/Sample"}, {"$ref": "#/types/out/Book"}]},
                {"allOf": [{"$ref": "#/types/out/Sample"}, object]},
            ]}),
            "",
            "is defined as itself",
        ),
    ] {
        let error = generate(&manifest(&schema), language("ts")).unwrap_err();
        let found = error.problems.iter().any(|problem| {
            problem.owner == "type `Sample`" && problem.path == place && problem.message.contains(message)
        });
        assert!(found, "{schema}: {error}");
    }
}

/// OpenAPI writes it, and no validator reads it.
#[test]
fn a_keyword_that_only_annotates_is_ignored_with_one_warning() {
    let tagged = |name: &str| {
        json!({
            "type": "object", "properties": {"kind": {"const": name}}, "required": ["kind"],
            "externalDocs": {"url": "https://example.com"},
        })
    };
    let schema = json!({"oneOf": [tagged("a"), tagged("b")], "discriminator": {"propertyName": "kind"}});
    assert_eq!(declared(&schema, "ts", "export type Sample =", ";\n"), "{ kind: \"a\" } | { kind: \"b\" }");
    let generated = generate(&manifest(&schema), language("ts")).unwrap();
    assert_eq!(
        generated.warnings,
        [
            "keywords that JSON Schema does not have are ignored: `discriminator` of type `Sample`; `externalDocs` of type \
          `Sample`"
        ]
    );
}

/// A schema of Kubernetes: its checks are made of the translated schema.
#[test]
fn a_whole_number_or_a_string_is_a_union() {
    for schema in [
        json!({"x-kubernetes-int-or-string": true, "description": "A port."}),
        json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}),
        json!({"x-kubernetes-int-or-string": true, "type": "string", "format": "int-or-string"}),
    ] {
        assert_eq!(declared(&schema, "ts", "export type Sample =", ";\n"), "number | string", "{schema}");
        let alias = declared(&schema, "python", "Sample = TypeAliasType(", ")\n");
        assert_eq!(alias.trim_end_matches(','), "\"Sample\", \"int | str\"", "{schema}");
        let generated = generate(&manifest(&schema), language("ts")).unwrap();
        let agent = generated.files.iter().find(|file| file.path == "samples/agent.ts").unwrap();
        assert!(agent.text.contains("type: [\"integer\", \"string\"]"), "{}", agent.text);
        assert_eq!(generated.warnings, [""; 0]);
    }
}

/// An `Option` of it, as schemars and OpenAPI write that.
#[test]
fn a_whole_number_or_a_string_may_be_null() {
    for schema in [
        json!({"x-kubernetes-int-or-string": true, "type": ["string", "null"], "format": "int-or-string"}),
        json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}),
        json!({"x-kubernetes-int-or-string": true, "oneOf": [{"type": "integer"}, {"type": ["string", "null"]}]}),
        json!({"x-kubernetes-int-or-string": true, "nullable": true}),
        json!({"anyOf": [{"x-kubernetes-int-or-string": true}, {"type": "null"}]}),
    ] {
        assert_eq!(
            declared(&schema, "ts", "export type Sample =", ";\n"),
            "number | string | null",
            "{schema}"
        );
        let alias = declared(&schema, "python", "Sample = TypeAliasType(", ")\n");
        assert_eq!(alias.trim_end_matches(','), "\"Sample\", \"int | str | None\"", "{schema}");
    }
}

/// The names do not depend on the order of the agents, and `rename` takes a name or a path.
#[test]
fn types_of_one_name_are_generated_under_the_shortest_names_that_differ() {
    mod one {
        #[derive(schemars::JsonSchema)]
        pub(super) struct Block {
            _text: String,
        }
    }
    mod other {
        #[derive(schemars::JsonSchema)]
        pub(super) struct Block {
            _number: u8,
        }
    }
    let event = |name, value| agui_runtime::manifest::EventSource { name, description: "", value };
    let (first, second) = (
        event("first", agui_runtime::manifest::TypeSource::of::<one::Block>()),
        event("second", agui_runtime::manifest::TypeSource::of::<other::Block>()),
    );
    let manifest = |events| {
        let agent = AgentSource { version: "0.1.0", rust_path: "a", events, ..AgentSource::new("blocks") };
        Manifest::build("blocks", "0.1.0", &[agent]).unwrap()
    };
    let names = |api: &agui_codegen::ir::ApiDecl| api.agents[0].types.keys().cloned().collect::<Vec<_>>();
    let mut api = lower(&manifest(vec![first.clone(), second.clone()])).unwrap();
    assert_eq!(names(&api), ["OneBlock", "OtherBlock"]);
    let turned = lower(&manifest(vec![second, first])).unwrap();
    assert_eq!(turned.agents[0].types, api.agents[0].types);
    let path = api.agents[0].types["OneBlock"].path.clone().unwrap();
    assert!(path.ends_with("::one::Block"), "{path}");
    let names_chosen = [(path, "Text".to_owned()), ("OtherBlock".to_owned(), "Number".to_owned())];
    agui_codegen::rewrite::rename(&mut api, &names_chosen.into()).unwrap();
    assert_eq!(names(&api), ["Number", "Text"]);
}

#[test]
fn every_problem_is_reported_at_once() {
    let schema = json!({"type": "object", "properties": {"a": {"if": {}}, "b": {"then": {}}}});
    let error = generate(&manifest(&schema), language("ts")).unwrap_err();
    assert_eq!(error.problems.len(), 2, "{error}");
    assert!(error.to_string().contains("type `Sample` at `/properties/b/then`"), "{error}");
}

#[test]
fn types_whose_names_would_meet_get_others() {
    let mut value: Value = serde_json::from_str(&manifest(&json!({"type": "string"})).to_json()).unwrap();
    // A type with the name that the arguments of `take` would get.
    value["types"]["out"]["TakeArguments"] = json!({"type": "string"});
    value["agents"][0]["events"][0]["value"] = json!({"$ref": "#/types/out/TakeArguments"});
    let api = lower(&Manifest::from_json(&value.to_string()).unwrap()).unwrap();
    assert!(["TakeArguments", "TakeArguments2"].iter().all(|name| api.agents[0].types.contains_key(*name)));
}

/// The paths of files differ also on file systems that ignore case, and none is that of a device.
#[test]
fn every_file_system_takes_the_names_of_agents_and_types() {
    let agents = [
        ("Page", "page_"),
        ("page", "page"),
        ("PAGE", "page__"),
        ("con", "con_"),
        ("Con", "con__"),
        ("con_", "con___"),
        ("com¹", "com1_"),
        ("class", "class_"),
        ("e\u{301}", "é_"),
        ("é", "é"),
        ("οδοσ", "οδοσ"),
        ("ΟΔΟΣ", "οδος_"),
    ];
    let names = ["con", "CON", "nul.x", "Aux", "prn", "é", "e\u{301}", "É"];
    let text = json!({"type": "string"});
    let types =
        |names: &[&str]| -> Value { names.iter().map(|name| ((*name).to_owned(), text.clone())).collect() };
    let event = |name: &&str| json!({"name": name, "description": "", "value": text});
    let events: Vec<Value> = names.iter().map(event).collect();
    let tools: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "side": "frontend", "description": "", "params": {"out": {"$ref": "#/types/out/Written"}, "in": {"$ref": "#/types/in/written"}}}))
        .collect();
    let agent = |(name, _): &(&str, &str)| json!({"name": name, "description": "", "version": "1", "rust": "", "tools": tools, "events": events});
    let manifest = json!({
        "agui_manifest": 1, "generator": "test", "crate": {"name": "names", "version": "1"},
        "agents": agents.iter().map(agent).collect::<Vec<_>>(),
        "types": {"out": types(&["Written"]), "in": types(&["written"])},
        "hash": {"wire": "sha256-0", "full": "sha256-0"},
    });
    let api = lower(&Manifest::from_json(&manifest.to_string()).unwrap()).unwrap();
    let found: Vec<_> = api.agents.iter().map(|agent| (agent.name.as_str(), agent.module.as_str())).collect();
    assert_eq!(found, agents);
    for language in &LANGUAGES {
        let mut seen = BTreeSet::new();
        for file in language.emit(&api) {
            assert!(seen.insert(file.path.to_uppercase()), "{} is there twice", file.path);
            for part in file.path.split('/') {
                let stem = part.split('.').next().unwrap().to_lowercase();
                assert!(
                    !["con", "nul", "aux", "prn", "com1", "com¹"].contains(&stem.as_str()),
                    "{}",
                    file.path
                );
            }
        }
    }
}

#[test]
fn wide_integers_are_pointed_out_once() {
    let case = cases::all().into_iter().find(|case| case.name == "numbers").unwrap();
    let generated = generate(&case.manifest(), language("ts")).unwrap();
    let [warning] = generated.warnings.as_slice() else { panic!("{:?}", generated.warnings) };
    let places =
        ["u64", "usize", "i64", "isize"].map(|name| format!("type `Numbers` at `/properties/{name}`"));
    assert!(warning.starts_with(&format!("{} are 64-bit integers", places.join(", "))), "{warning}");
}

/// The output is the same for any order of registration, any run, and any way of the manifest, with any options.
#[test]
fn the_output_depends_on_nothing_but_the_agents() {
    let manifest = |reversed: bool| {
        let mut agents: Vec<_> = cases::all().into_iter().map(|case| case.agent).collect();
        if reversed {
            agents.reverse();
        }
        Manifest::build("cases", "0.1.0", &agents).unwrap()
    };
    let one = manifest(false);
    assert_eq!(one.agents.len(), cases::all().len());
    let others = [manifest(false), manifest(true), Manifest::from_json(&one.to_json()).unwrap()];
    for other in &others {
        assert_eq!(other.to_json(), one.to_json());
    }
    let lowered = lower(&one).unwrap();
    let [again, reversed, read] = others.map(|other| lower(&other).unwrap());
    let others = [lowered.clone(), again, reversed, read];
    // Each is compared where searches are whole, and otherwise one after the other.
    let mut turn = 0..;
    for (choice, choose) in sampled(&cases::CHOICES) {
        let files = |api: &ApiDecl, language: &TargetLanguage| {
            let mut api = api.clone();
            choose(&mut api.options);
            language.emit(&api)
        };
        for language in &LANGUAGES {
            let expected = files(&lowered, language);
            for agent in &one.agents {
                assert!(expected.iter().any(|file| file.path.starts_with(&agent.name)), "{}", agent.name);
            }
            assert!(expected.iter().all(|file| file.text.contains(agui_codegen::MARK)));
            let first = turn.next().unwrap() % others.len();
            let compared = if stride() == 1 { &others[..] } else { &others[first..=first] };
            for other in compared {
                assert_eq!(files(other, language), expected, "{choice}: {language:?}");
            }
        }
    }
}
