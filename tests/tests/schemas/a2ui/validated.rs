//! The check of components, where the official toolkit cannot be asked: limits, and texts for logs.

use agui_runtime::a2ui::{ComponentCatalog, ProblemCode, Surface, SurfaceComponent, validate};
use serde_json::{Map, Value, json};

#[test]
fn a_good_surface_passes() {
    let components = [
        SurfaceComponent::new("root", "Column").children(["list", "title"]),
        SurfaceComponent::new("list", "List").for_each("/items", "item"),
        SurfaceComponent::new("item", "Text").bind("text", "name"),
        SurfaceComponent::new("title", "Text").bind("text", "/title"),
    ];
    let data = Map::from_iter([("items".to_owned(), json!([])), ("title".to_owned(), json!("T"))]);
    assert!(validate(&components, &data, None).is_ok());
}

/// A model may write as many mistakes as its answer has room for.
#[test]
fn the_problems_and_their_texts_are_bounded() {
    let nameless = vec![SurfaceComponent::from(Map::new()); 1000];
    let error = validate(&nameless, &Map::new(), None).unwrap_err();
    assert_eq!(error.problems().len(), 100);

    // Each of them closes a circle with the first.
    let link = |n: usize| {
        SurfaceComponent::new(format!("c{n}"), "Card").children([format!("c{}", n + 1), "c0".to_owned()])
    };
    let components: Vec<_> = (0..20_000).map(link).collect();
    let error = validate(&components, &Map::new(), None).unwrap_err();
    assert!(error.problems().iter().any(|problem| problem.code == ProblemCode::ChildCycle));
    assert!(error.to_string().len() < 100_000, "{}", error.to_string().len());
}

#[test]
fn a_hostile_id_does_not_reach_the_log_as_it_is() {
    let hostile = format!("\u{1b}[2J\n{}", "x".repeat(10_000));
    let components = [
        SurfaceComponent::new("root", "Card").child(hostile.clone()),
        SurfaceComponent::new(hostile.clone(), "Card"),
        SurfaceComponent::new(hostile, "A"),
    ];
    let error = validate(&components, &Map::new(), None).unwrap_err().to_string();
    assert!(!error.contains('\u{1b}') && error.len() < 2000, "{error}");
}

/// A page may send a catalog of its own, whose names a problem lists.
#[test]
fn the_names_of_a_catalog_do_not_reach_the_log_as_they_are() {
    let forged = |n: u32| format!("{n}\nERROR forged {}", "x".repeat(1000));
    let names: Vec<_> = (0..1000).map(forged).collect();
    let properties: Value = names.iter().map(|name| (name.clone(), json!({}))).collect();
    let kinds = json!({
        "any": { "anyOf": [{ "enum": names }] },
        "const": { "const": names },
        "enum": { "enum": names },
        "type": { "type": vec!["string"; 1000] },
    });
    let mut catalog = ComponentCatalog::new("https://page.example/catalog.json");
    let closed = |properties: &Value, required: &[String]| json!({ "properties": properties, "required": required, "additionalProperties": false });
    catalog.components.insert("Names".to_owned(), closed(&properties, &names[..2]));
    catalog.components.insert("Kinds".to_owned(), closed(&kinds, &[]));
    let function = json!({ "properties": { "args": closed(&properties, &names[..2]) } });
    catalog.functions.insert("forge".to_owned(), function);

    let kinds = SurfaceComponent::new("kinds", "Kinds")
        .with("any", 7)
        .with("const", 7)
        .with("enum", 7)
        .with("type", 7);
    let call = json!({ "call": "forge", "args": { "other": 1 } });
    let root = SurfaceComponent::new("root", "Names").with("call", call).with("unknown", 1);
    let surface = Surface::new("hostile", catalog.catalog_id.clone(), [root, kinds]);
    let error = surface.check(&[&catalog]).unwrap_err();
    assert_eq!(error.problems().len(), 11, "{error:#?}");
    for problem in error.problems() {
        let text = format!("{} {}", problem.path, problem.message);
        assert!(!text.contains('\n') && text.len() < 10_000, "{text}");
    }
    let listed = error
        .problems()
        .iter()
        .filter(|problem| problem.message.ends_with("…") || problem.message.contains("…, and found"))
        .count();
    assert_eq!(listed, 7, "{error}");
    let error = validate(&[SurfaceComponent::new("root", "Names")], &Map::new(), Some(&catalog)).unwrap_err();
    assert!(error.problems().iter().all(|problem| !problem.message.contains('\n')), "{error}");
}
