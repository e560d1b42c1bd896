//! Component catalogs: the definition for renderers, the changes that pages notice, and catalogs that no page could use.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use agui_codegen::emit::LANGUAGES;
use agui_codegen::lower::lower;
use agui_codegen::{ContractLevel, DiffOptions, Manifest, diff};
use agui_runtime::manifest::{
    AgentSource, CatalogFunctionSource, CatalogSource, ComponentSource, ManifestError, TypeSource,
};
use agui_runtime::protocol::ToolSide;
use jsonschema::{Retrieve, Uri};
use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::cases;

fn shop() -> Manifest {
    cases::all().into_iter().find(|case| case.name == "seller").unwrap().manifest()
}

/// The schemas that a definition refers to.
struct PublishedTypes;

impl Retrieve for PublishedTypes {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let text = match uri.as_str().rsplit('/').next() {
            Some("common_types.json") => {
                include_str!("../../../tests/fixtures/a2ui/v1_0/common_types.json")
            }
            Some("catalog.json") => include_str!("../../../tests/fixtures/a2ui/v1_0/catalog.json"),
            _ => return Err(format!("unknown schema {uri}").into()),
        };
        let mut schema: Value = serde_json::from_str(text)?;
        if let Some(members) = schema.as_object_mut() {
            // It would name another place than the one at which it stands here.
            members.remove("$id");
        }
        Ok(schema)
    }
}

/// The definitions are those of A2UI's published schema, but for the mark, which stands in the title.
#[test]
fn a_definition_fits_the_published_schema() {
    let schema = include_str!("../../../tests/fixtures/a2ui/v1_0/catalog_definition.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let published = jsonschema::options().with_retriever(PublishedTypes).build(&schema).unwrap();
    let api = lower(&shop()).unwrap();
    for catalog in &api.agents[0].catalogs {
        let errors: Vec<_> =
            published.iter_errors(&catalog.definition).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{:#}", catalog.definition);
    }
    let files = LANGUAGES[2].emit(&api);
    let file = files.iter().find(|file| file.path == "seller/catalogs/Shop.json").unwrap();
    let written: Value = serde_json::from_str(&file.text).unwrap();
    assert!(published.is_valid(&written), "{}", file.text);
    assert!(file.text.lines().nth(1).unwrap().contains(agui_codegen::MARK), "{}", file.text);
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Label {
    text: String,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct LoudLabel {
    text: String,
    volume: u8,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Tree {
    branches: Vec<Tree>,
}

fn catalog(components: Vec<ComponentSource>, functions: Vec<CatalogFunctionSource>) -> CatalogSource {
    let id = "https://shop.example/catalog.json";
    CatalogSource { id, name: "Shop", description: "", components, functions }
}

fn component<T: JsonSchema>(name: &'static str) -> ComponentSource {
    ComponentSource { name, properties: TypeSource::of::<T>() }
}

fn function<A: JsonSchema, V: JsonSchema>(name: &'static str, side: ToolSide) -> CatalogFunctionSource {
    CatalogFunctionSource { name, side, arguments: TypeSource::of::<A>(), value: TypeSource::of::<V>() }
}

fn agent(name: &'static str, catalogs: Vec<CatalogSource>) -> AgentSource {
    AgentSource { catalogs, ..AgentSource::new(name) }
}

fn build(catalogs: Vec<CatalogSource>) -> Manifest {
    Manifest::build("shop", "0.1.0", &[agent("seller", catalogs)]).unwrap()
}

#[test]
fn catalogs_that_contradict_each_other_are_refused() {
    let plain = || catalog(vec![component::<Label>("Label")], Vec::new());
    let loud = || catalog(vec![component::<LoudLabel>("Label")], Vec::new());
    let both = [agent("seller", vec![plain()]), agent("waiter", vec![loud()])];
    let error = Manifest::build("shop", "0.1.0", &both).unwrap_err();
    let ManifestError::ContradictingCatalogs { first, second, .. } = error else { panic!("{error}") };
    assert_eq!(BTreeSet::from([first, second]), ["seller", "waiter"].map(str::to_owned).into());
    let error = Manifest::build("shop", "0.1.0", &[agent("seller", vec![plain(), loud()])]).unwrap_err();
    assert!(matches!(error, ManifestError::ContradictingCatalogs { .. }), "{error}");
    // The same one is no contradiction.
    let same = [agent("seller", vec![plain(), plain()]), agent("waiter", vec![plain()])];
    let manifest = Manifest::build("shop", "0.1.0", &same).unwrap();
    assert_eq!(manifest.agents[0].catalogs.len(), 1);
}

#[test]
fn a_type_that_contains_itself_is_refused() {
    let tree = catalog(vec![component::<Tree>("Tree")], Vec::new());
    let error = Manifest::build("shop", "0.1.0", &[agent("seller", vec![tree])]).unwrap_err();
    assert!(matches!(&error, ManifestError::RecursiveCatalogType { item, .. } if item == "Tree"), "{error}");
}

/// An older manifest has no catalogs, and an older program reads a manifest as if it had none.
#[test]
fn an_agent_without_catalogs_has_the_manifest_of_before() {
    let without = build(Vec::new());
    assert!(!without.to_json().contains("catalogs"));
    let with = build(vec![catalog(Vec::new(), Vec::new())]);
    assert_ne!(without.hash.wire, with.hash.wire);
    assert_eq!(Manifest::from_json(&with.to_json()).unwrap(), with);
}

fn report(old: &Manifest, new: &Manifest) -> Vec<String> {
    found(ContractLevel::Source, old, new)
}

fn found(level: ContractLevel, old: &Manifest, new: &Manifest) -> Vec<String> {
    let options = DiffOptions { level, ..DiffOptions::default() };
    diff(old, new, options).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn changes_of_a_catalog_are_found() {
    let page = |function: CatalogFunctionSource| catalog(vec![component::<Label>("Label")], vec![function]);
    let old = build(vec![page(function::<Label, u32>("count", ToolSide::Frontend))]);
    assert_eq!(report(&old, &old), [""; 0]);
    let changed = |new: CatalogSource, wanted: &[&str]| {
        let found = report(&old, &build(vec![new]));
        for wanted in wanted {
            assert!(found.iter().any(|line| line.contains(wanted)), "{wanted}: {found:#?}");
        }
        assert_eq!(found.len(), wanted.len(), "{found:#?}");
    };
    let count = || function::<Label, u32>("count", ToolSide::Frontend);
    changed(
        catalog(vec![component::<Label>("Label"), component::<Label>("Sign")], vec![count()]),
        &[
            "the component `Sign` is new: existing pages",
            "the component `Sign` is new: the page has to draw it",
        ],
    );
    changed(catalog(Vec::new(), vec![count()]), &["the component `Label` no longer exists"]);
    changed(page(function::<LoudLabel, String>("count", ToolSide::Frontend)), &["the value of `count`"]);
    changed(
        page(function::<Label, u32>("count", ToolSide::Backend)),
        &[
            "the function `count` belongs to the agent now",
            "the function `count` belongs to the agent now: the page calls it",
        ],
    );
    let backend = |arguments: CatalogFunctionSource| build(vec![catalog(Vec::new(), vec![arguments])]);
    let quote = backend(function::<Label, u32>("quote", ToolSide::Backend));
    let found = report(&quote, &backend(function::<LoudLabel, u32>("quote", ToolSide::Backend)));
    assert!(found[0].contains("the arguments of `quote`"), "{found:#?}");
}

/// Existing pages call the agent's functions; nothing is lost with the functions that the pages have themselves.
#[test]
fn a_lost_function_of_the_agent_breaks_existing_pages() {
    let functions = || {
        vec![
            function::<Label, u32>("quote", ToolSide::Backend),
            function::<Label, u32>("count", ToolSide::Frontend),
        ]
    };
    let old = build(vec![catalog(vec![component::<Label>("Label")], functions())]);
    for new in [build(vec![catalog(vec![component::<Label>("Label")], Vec::new())]), build(Vec::new())] {
        let lost = found(ContractLevel::Wire, &old, &new);
        let [lost] = lost.as_slice() else { panic!("{lost:#?}") };
        assert!(lost.contains("the function `quote` no longer exists, and existing pages call it"), "{lost}");
    }
    let lost = report(&old, &build(Vec::new()));
    assert!(lost.iter().any(|line| line.contains("the catalog `https://shop")), "{lost:#?}");
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Route {
    from: String,
    via: Option<String>,
    kind: RouteKind,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
enum RouteKind {
    Short,
    Scenic,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct ShortRoute {
    from: String,
    kind: ShortRouteKind,
}

#[derive(JsonSchema)]
#[allow(dead_code)]
enum ShortRouteKind {
    Short,
}

/// The names in the generated types of a function: arguments, values, and the side that implements the function.
#[test]
fn a_program_notices_changes_of_a_function() {
    let source_only = |old: CatalogFunctionSource, new: CatalogFunctionSource| {
        let [old, new] = [old, new].map(|function| build(vec![catalog(Vec::new(), vec![function])]));
        let wire = found(ContractLevel::Wire, &old, &new);
        let mut all = report(&old, &new);
        all.retain(|line| !wire.contains(line));
        all
    };
    let changed = |old: CatalogFunctionSource, new: CatalogFunctionSource, wanted: &[&str]| {
        let found = source_only(old, new);
        assert_eq!(found.len(), wanted.len(), "{found:#?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.contains(wanted), "{wanted}: {found}");
        }
    };
    for side in [ToolSide::Frontend, ToolSide::Backend] {
        let (plan, short) =
            (|| function::<Route, Route>("plan", side), function::<ShortRoute, ShortRoute>("plan", side));
        changed(plan(), plan(), &[]);
        changed(
            plan(),
            short,
            &[
                "the arguments of `plan` $.via: no longer exists",
                "the arguments of `plan` $.kind: `\"Scenic\"` no longer exists",
                "the value of `plan` $.via: no longer exists",
                "the value of `plan` $.kind: `\"Scenic\"` no longer exists",
            ],
        );
    }
    let silent = |side| function::<Label, ()>("plan", side);
    let telling = |side| function::<Label, u32>("plan", side);
    let (page, agent) = (ToolSide::Frontend, ToolSide::Backend);
    changed(telling(agent), silent(agent), &["the value of `plan` no longer exists"]);
    changed(silent(agent), telling(agent), &[]);
    changed(telling(page), silent(page), &[]);
    changed(silent(page), telling(page), &["the value of `plan` is new: the page has to return it"]);
    changed(telling(page), telling(agent), &["belongs to the agent now: the page calls it"]);
    changed(telling(agent), telling(page), &["belongs to the page now: the page has to implement it"]);
}

/// Names that TypeScript or the shared files have, and names that meet.
#[test]
fn each_catalog_has_a_name_of_its_own() {
    let named = |id, name| CatalogSource { id, name, ..catalog(Vec::new(), Vec::new()) };
    let manifest =
        build(vec![named("a", "Catalog"), named("b", "Shop"), named("c", "shop"), named("d", "default")]);
    let files = LANGUAGES[0].emit(&lower(&manifest).unwrap());
    let text = &files.iter().find(|file| file.path == "seller/catalogs.ts").unwrap().text;
    let declared: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("export ")?.split([':', '=']).next())
        .map(str::trim)
        .collect();
    assert_eq!(
        json!(declared),
        json!([
            "type Catalog_",
            "const catalog_Catalog",
            "type Shop",
            "const shopCatalog",
            "type Shop_",
            "const shop_Catalog",
            "type Default",
            "const defaultCatalog",
        ])
    );
}
