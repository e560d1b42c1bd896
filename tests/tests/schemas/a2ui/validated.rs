//! The check of components, where the official toolkit cannot be asked: limits, and texts for logs.

use agui_runtime::a2ui::{ProblemCode, SurfaceComponent, validate};
use serde_json::{Map, json};

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
