//! The actions of a user, as pages forward them, right and wrong.

use agui_runtime::a2ui::{A2uiProps, ComponentCatalog, RendererCapabilities, SurfaceVersion};
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

/// The members of both versions are read beside the action, in the newest version, and written again as they came.
#[test]
fn capabilities_are_read_beside_the_action() {
    let cards = |version: &str| json!({ version: { "supportedCatalogIds": [format!("cards-{version}")] } });
    let mut json = json!({
        "a2uiAction": { "userAction": { "name": "a", "surfaceId": "s" } },
        "a2uiRendererCapabilities": cards("v1.0"), "a2uiClientCapabilities": cards("v0.9"),
    });
    let read = |json: &Value| {
        let props: A2uiProps = serde_json::from_value(json.clone()).unwrap();
        assert!(props.user_action().is_some());
        assert_eq!(serde_json::to_value(&props).unwrap(), *json, "written as it came");
        props.renderer_capabilities()
    };
    let page = read(&json).unwrap().unwrap();
    assert_eq!(page.version, SurfaceVersion::V1_0);
    assert_eq!((page.draws("cards-v1.0"), page.draws("cards-v0.9")), (true, false));
    json["a2uiRendererCapabilities"] = json!({ "v7": 7 });
    assert_eq!(read(&json).unwrap().unwrap().version, SurfaceVersion::V0_9);
    json["a2uiClientCapabilities"] = json!({ "v0.9": { "supportedCatalogIds": "all" } });
    let error = read(&json).unwrap_err().to_string();
    assert!(error.starts_with("the page's catalog of A2UI is not one of v0.9 or v1.0: "), "{error}");
    json["a2uiClientCapabilities"] = json!([]);
    assert_eq!(read(&json).unwrap(), None);
}

/// A catalog in the context counts as capabilities, unless the props have some.
#[test]
fn a_catalog_in_the_context_counts_as_capabilities() {
    let mut input = testing::input("");
    assert_eq!(RendererCapabilities::of_client(&input).unwrap(), None);
    let catalog = r#"{"catalogId":"cards","components":{"Card":{}}}"#;
    input.context = Some([Context::new(ComponentCatalog::CONTEXT, catalog)].into());
    let page = RendererCapabilities::of_client(&input).unwrap().unwrap();
    assert_eq!((page.version, page.draws("cards"), page.draws("other")), (SurfaceVersion::V0_9, true, false));
    assert_eq!(page.inline_catalogs[0].components.len(), 1);
    let other = json!({ "v0.9": { "supportedCatalogIds": ["other"], "inlineCatalogs": [{ "catalogId": "functions" }] } });
    input.forwarded_props = NonNull::new(json!({ "a2uiClientCapabilities": other }));
    let page = RendererCapabilities::of_client(&input).unwrap().unwrap();
    let drawn = ["cards", "other", "functions"].map(|id| page.draws(id));
    assert_eq!(drawn, [false, true, true], "a catalog that is described may have no components");
}
