//! The actions of a user, as pages forward them, right and wrong.

use agui_runtime::a2ui::{A2uiProps, ComponentCatalog};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Context, NonNull};
use agui_runtime::testing;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// The props of a page with a theme and surfaces.
#[derive(Deserialize, JsonSchema)]
struct Page {
    theme: Option<String>,
    #[serde(flatten)]
    a2ui: A2uiProps,
}

/// Repeats the user's action.
#[agent(forwarded = Page)]
async fn echo(run: &mut Run<Echo>, input: Input<Echo>) -> Result<(), Stop> {
    let Some(page) = input.forwarded::<Page>()? else {
        run.say("nothing").await;
        return Ok(());
    };
    let action = page.a2ui.user_action().map(|action| action.to_string());
    let action = action.or_else(|| page.a2ui.renderer_error().map(|error| error.message));
    let text = action.unwrap_or_else(|| format!("unread {}", page.a2ui.a2ui_action.unwrap_or_default()));
    run.say(format!("{}: {text}", page.theme.unwrap_or_default())).await;
    Ok(())
}

fn text_for(props: &Value) -> String {
    let mut input = testing::input("");
    input.forwarded_props = NonNull::new(props.clone());
    let events = futures::executor::block_on(testing::run(Echo::new(), input));
    let texts = testing::texts(&events);
    let [text] = texts.as_slice() else { panic!("{props}: {events:?}") };
    text.clone()
}

#[test]
fn an_action_is_read_beside_other_props() {
    let action = json!({ "name": "book", "surfaceId": "s", "sourceComponentId": "b", "context": { "n": 1 } });
    let props = json!({ "theme": "dark", "a2uiAction": { "userAction": action } });
    assert_eq!(
        text_for(&props),
        r#"dark: User performed action "book" on surface "s" (component: b). Context: {"n":1}"#
    );
    assert_eq!(text_for(&json!({ "theme": "dark" })), "dark: unread null");
}

/// Nothing that a page sends as an action fails the run, and the agent can see all of it.
#[test]
fn messages_of_other_versions_and_shapes_are_no_errors() {
    let least = json!({ "userAction": { "name": "a", "surfaceId": "s" } });
    assert_eq!(
        text_for(&json!({ "a2uiAction": least })),
        r#": User performed action "a" on surface "s". Context: {}"#
    );
    let action = json!({ "name": "a", "surfaceId": "s", "context": {} });
    for other in [
        json!({ "version": "v7", "userAction": action }),
        json!({ "version": 9, "action": action }),
        json!({ "version": "v7", "error": { "code": "C", "surfaceId": "s", "message": "m" } }),
        json!({ "gesture": { "kind": "swipe" } }),
        json!({ "userAction": { "name": 7, "surfaceId": "s" } }),
        json!({ "userAction": { "name": "a" } }),
        json!({ "userAction": { "name": "a", "surfaceId": "s", "context": [1] } }),
        json!({ "userAction": null }),
        json!([action]),
        json!("book"),
        json!(7),
    ] {
        assert_eq!(text_for(&json!({ "a2uiAction": other })), format!(": unread {other}"));
    }
}

#[test]
fn the_catalog_of_a_page_comes_with_the_context() {
    let of = |value: &str| {
        let other = Context::new("The weather", "sunny");
        ComponentCatalog::from_context(&[other, Context::new(ComponentCatalog::CONTEXT, value)])
    };
    let catalog =
        of(r#"{"catalogId":"c","components":{"Price":{"required":["cents"]}},"theme":{}}"#).unwrap();
    let catalog = catalog.unwrap();
    assert_eq!((catalog.catalog_id.as_str(), catalog.components.len()), ("c", 1));
    assert_eq!(ComponentCatalog::from_context(&[]).unwrap(), None);
    for wrong in ["", "[]", r#"[{"name":"Price"}]"#, r#"{"catalogId":7}"#, r#"{"components":{}}"#, "{\u{1b}"]
    {
        let error = of(wrong).unwrap_err().to_string();
        assert!(error.starts_with("the page's catalog of A2UI is not one of v0.9 or v1.0: "), "{error}");
        assert!(!error.contains('\u{1b}'), "{error:?}");
    }
}
