//! Every message that is written, by the published JSON Schemas of A2UI v0.9.

use agui_runtime::a2ui::{
    CreateSurface, DeleteSurface, Surface, SurfaceComponent, SurfaceMessage, UpdateComponents,
    UpdateDataModel,
};
use jsonschema::{Retrieve, Uri, Validator};
use serde_json::{Value, json};

const SERVER: &str = include_str!("../../../fixtures/a2ui/server_to_client.json");
const CLIENT: &str = include_str!("../../../fixtures/a2ui/client_to_server.json");
const CATALOG: &str = include_str!("../../../fixtures/a2ui/catalog.json");
const COMMON: &str = include_str!("../../../fixtures/a2ui/common_types.json");

/// The schemas by their ids. A catalog takes the place of `catalog.json`.
struct Published;

impl Retrieve for Published {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let text = match uri.as_str().trim_end_matches('#') {
            "https://a2ui.org/specification/v0_9/catalog.json" => CATALOG,
            "https://a2ui.org/specification/v0_9/common_types.json" => COMMON,
            other => return Err(format!("unknown schema {other}").into()),
        };
        let mut schema: Value = serde_json::from_str(text)?;
        if let Some(members) = schema.as_object_mut() {
            // It would name another place than the one at which it stands here.
            members.remove("$id");
        }
        Ok(schema)
    }
}

fn validator(schema: &str) -> Validator {
    let schema = serde_json::from_str(schema).unwrap();
    jsonschema::options().with_retriever(Published).build(&schema).unwrap()
}

pub(super) fn assert_published(messages: &[SurfaceMessage]) {
    let schema = validator(SERVER);
    for message in messages {
        let message = serde_json::to_value(message).unwrap();
        let errors: Vec<_> = schema.iter_errors(&message).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{message:#}");
    }
}

fn form() -> Vec<SurfaceComponent> {
    vec![
        SurfaceComponent::new("root", "Card").child("fields"),
        SurfaceComponent::new("fields", "Column").children(["title", "name", "guests", "send"]),
        SurfaceComponent::new("title", "Text").with("text", "Come in").with("variant", "h2"),
        SurfaceComponent::new("name", "TextField").with("label", "Name").bind("value", "/form/name"),
        SurfaceComponent::new("guests", "List").for_each("/guests", "guest"),
        SurfaceComponent::new("guest", "Text").bind("text", "name"),
        SurfaceComponent::new("send", "Button")
            .child("label")
            .with("variant", "primary")
            .event("send", [("name", json!({ "path": "/form/name" })), ("kind", json!("form"))]),
        SurfaceComponent::new("label", "Text").with("text", "Send"),
    ]
}

fn messages() -> Vec<SurfaceMessage> {
    vec![
        CreateSurface::new("form", "https://shop.example/catalog.json").into(),
        CreateSurface::new("form", "https://shop.example/catalog.json")
            .with_theme([("primaryColor", json!("#0055aa"))])
            .sending_data()
            .into(),
        UpdateComponents::new("form", form()).into(),
        UpdateDataModel::set("form", "/", json!({ "form": { "name": "" }, "guests": [] })).into(),
        UpdateDataModel::set("form", "/form/name", "Ada").into(),
        UpdateDataModel::set("form", "/form/name", Value::Null).into(),
        UpdateDataModel::remove("form", "/guests").into(),
        DeleteSurface::new("form").into(),
    ]
}

#[test]
fn every_message_is_one_of_the_published_schema() {
    assert_published(&messages());
    let surface = Surface::new("form", "https://shop.example/catalog.json", form());
    let surface = surface.with_data(&json!({ "form": {}, "guests": [{ "name": "Ada" }] })).unwrap();
    assert_eq!(surface.messages().len(), 3);
    assert_published(surface.messages());
}

/// The schemas refuse what is wrong, also by the catalog.
#[test]
fn a_wrong_message_is_refused_by_the_schema() {
    let schema = validator(SERVER);
    let good = serde_json::to_value(messages()).unwrap();
    for (index, path, value) in [
        (0, "/version", json!("v9")),
        (0, "/createSurface/catalogId", Value::Null),
        (2, "/updateComponents/components", json!([])),
        (2, "/updateComponents/components/0/component", json!("Sofa")),
        (2, "/updateComponents/components/3/value/path", json!(7)),
        (3, "/updateDataModel/surfaceId", json!(1)),
        (7, "/deleteSurface", json!({})),
    ] {
        let mut message = good[index].clone();
        assert!(schema.is_valid(&message), "{message:#}");
        *message.pointer_mut(path).unwrap() = value;
        assert!(!schema.is_valid(&message), "{path} {message:#}");
    }
}

#[test]
fn an_operation_that_is_read_is_written_the_same() {
    for message in messages() {
        let operation = message.operation().unwrap_or_else(|| panic!("{message:?}"));
        assert_eq!(SurfaceMessage::new(operation), message);
        assert_eq!(message.surface_id(), Some("form"));
    }
}

/// A message that is not of v0.9 is not read, and comes out as it went in.
#[test]
fn messages_of_other_versions_pass_through_unread() {
    for other in [
        r#"{"version":"v1.0","createSurface":{"surfaceId":"s","catalogId":"c","surfaceProperties":{}}}"#,
        r#"{"version":"v0.10","updateComponents":{"surfaceId":"s","components":"all"}}"#,
        r#"{"version":"v7","morphSurface":{"n":1.50,"deep":[null,{"a":"\u0000"}]}}"#,
        r#"{"version":9,"createSurface":{"surfaceId":"s","catalogId":"c"}}"#,
        r#"{"beginRendering":{"root":"r","surfaceId":"s"}}"#,
        r#"{"version":"v0.9"}"#,
        r#"{"version":"v0.9","createSurface":7}"#,
        r#"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"},"deleteSurface":{"surfaceId":"s"}}"#,
        r"{}",
    ] {
        let content = format!(r#"{{"a2ui_operations":[{other}],"status":"later","more":{{"x":[1]}}}}"#);
        let surface: Surface = serde_json::from_str(&content).unwrap();
        assert_eq!(surface.messages()[0].operation(), None, "{other}");
        let written = serde_json::to_value(&surface).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(&content).unwrap());
    }
}

/// The user's actions of the published schema are read.
#[test]
fn a_published_action_is_read() {
    let action = json!({
        "name": "send", "surfaceId": "form", "sourceComponentId": "send", "timestamp": "2026-01-01T00:00:00Z",
        "context": { "name": "Ada" },
    });
    let error = json!({ "code": "VALIDATION_FAILED", "surfaceId": "form", "path": "/components/0/text", "message": "none" });
    for message in
        [json!({ "version": "v0.9", "action": action }), json!({ "version": "v0.9", "error": error })]
    {
        assert!(validator(CLIENT).is_valid(&message), "{message}");
        let props = json!({ "a2uiAction": message });
        let props: agui_runtime::a2ui::A2uiProps = serde_json::from_value(props).unwrap();
        assert!(props.user_action().is_some() != props.renderer_error().is_some(), "{message}");
    }
}
