//! Every message that is written, by the published JSON Schemas of A2UI v0.9 and v1.0.

use agui_runtime::a2ui::{
    CallRendererFunction, ComponentCatalog, CreateSurface, DeleteSurface, FunctionCall, FunctionError,
    FunctionResponse, Surface, SurfaceComponent, SurfaceMessage, SurfaceVersion, UpdateComponents,
    UpdateDataModel,
};
use jsonschema::{Retrieve, Uri, Validator};
use serde_json::{Value, json};

const SERVER: &str = include_str!("../../../fixtures/a2ui/server_to_client.json");
const CLIENT: &str = include_str!("../../../fixtures/a2ui/client_to_server.json");
const CATALOG: &str = include_str!("../../../fixtures/a2ui/catalog.json");
const COMMON: &str = include_str!("../../../fixtures/a2ui/common_types.json");
const RENDERER: &str = include_str!("../../../fixtures/a2ui/v1_0/agent_to_renderer.json");
const AGENT: &str = include_str!("../../../fixtures/a2ui/v1_0/renderer_to_agent.json");
const DEFINITION: &str = include_str!("../../../fixtures/a2ui/v1_0/catalog_definition.json");
const CATALOG_V1_0: &str = include_str!("../../../fixtures/a2ui/v1_0/catalog.json");
const COMMON_V1_0: &str = include_str!("../../../fixtures/a2ui/v1_0/common_types.json");

/// The schemas by their ids. A catalog takes the place of `catalog.json`: the basic one, or another.
struct Published(Option<Value>);

impl Retrieve for Published {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        if let (true, Some(catalog)) = (uri.as_str().contains("/catalog.json"), &self.0) {
            return Ok(catalog.clone());
        }
        let text = match uri.as_str().trim_end_matches('#') {
            "https://a2ui.org/specification/v0_9/catalog.json" => CATALOG,
            "https://a2ui.org/specification/v0_9/common_types.json" => COMMON,
            "https://a2ui.org/specification/v1_0/catalog.json" => CATALOG_V1_0,
            "https://a2ui.org/specification/v1_0/common_types.json" => COMMON_V1_0,
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
    validator_with(schema, None)
}

fn validator_with(schema: &str, catalog: Option<&Value>) -> Validator {
    let schema = serde_json::from_str(schema).unwrap();
    jsonschema::options().with_retriever(Published(catalog.cloned())).build(&schema).unwrap()
}

pub(super) fn assert_definition(catalog: &Value) {
    let errors: Vec<_> = validator(DEFINITION).iter_errors(catalog).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "{catalog:#}");
}

pub(super) fn assert_published(messages: &[SurfaceMessage]) {
    assert_all(&validator(SERVER), &validator(RENDERER), messages);
}

/// As [`assert_published`], with this catalog in the place of the basic one.
pub(super) fn assert_published_by(catalog: &Value, messages: &[SurfaceMessage]) {
    assert_all(&validator_with(SERVER, Some(catalog)), &validator_with(RENDERER, Some(catalog)), messages);
}

fn assert_all(older: &Validator, newer: &Validator, messages: &[SurfaceMessage]) {
    for message in messages {
        let schema = if message.version() == Some("v1.0") { newer } else { older };
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
        CreateSurface::new("form", ComponentCatalog::BASIC).into(),
        CreateSurface::new("form", ComponentCatalog::BASIC)
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

/// The same surface for pages of v1.0, whose schema has the basic catalog of v1.0.
#[test]
fn every_message_of_v1_0_is_one_of_the_published_schema() {
    // v1.0 has no message that sets `null`.
    let sets_null = |message: &SurfaceMessage| {
        let update = message.json().get("updateDataModel");
        update.and_then(|update| update.get("value")) == Some(&Value::Null)
    };
    let written = messages().into_iter().filter(|message| !sets_null(message));
    let surface = Surface::from_messages(written).in_version(SurfaceVersion::V1_0).unwrap();
    assert!(surface.messages().iter().all(|message| message.version() == Some("v1.0")), "{surface:?}");
    assert_eq!(surface.messages()[1].json()["createSurface"].get("theme"), None);
    assert_eq!(surface.messages()[2].json()["updateComponents"]["components"][2]["text"], "## Come in");
    assert_eq!(surface.messages()[5].json()["updateDataModel"]["value"], Value::Null, "the removal");
    assert_published(surface.messages());
    let operation = FunctionCall::new(CATALOG_ID, "openUrl", [("url", json!("https://shop.example"))]);
    let more = [
        SurfaceMessage::new(whole()),
        CallRendererFunction::new("call-1", operation).into(),
        FunctionResponse::new("call-1", Ok(json!(null))).into(),
        FunctionResponse::new("call-1", Err(FunctionError::new("FULL", "The hotel is full."))).into(),
    ];
    assert_published(&more);
    for message in more.iter().chain(surface.messages()) {
        let operation = message.operation().unwrap_or_else(|| panic!("{message:?}"));
        let written = Surface::from_messages([SurfaceMessage::new(operation)]);
        let written = written.in_version(SurfaceVersion::V1_0).unwrap();
        assert_eq!(written.messages(), std::slice::from_ref(message));
    }
}

const CATALOG_ID: &str = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json";

fn whole() -> CreateSurface {
    CreateSurface::new("form", CATALOG_ID)
        .sending_data()
        .with_components([
            SurfaceComponent::new("root", "Column").children(["name", "name_2"]),
            SurfaceComponent::new("name", "Text").bind("text", "/name"),
            SurfaceComponent::new("name_2", "Text").bind("text", "/name").from_catalog(CATALOG_ID),
        ])
        .with_data_model([("name", json!("Ada"))])
        .with_extensions([("shop_theme", json!({ "accent": "blue" }))])
}

/// Components and data that stand in the creation get messages of their own for v0.9, and change in their place.
#[test]
fn a_surface_that_is_created_whole_has_a_form_in_v0_9() {
    let mut surface = Surface::from_messages([whole().into()]);
    surface.set_data(&json!({ "name": "Bob" })).unwrap();
    assert_eq!(surface.messages().len(), 1, "the data is replaced where it stands");
    assert_eq!(surface.messages()[0].json()["createSurface"]["dataModel"], json!({ "name": "Bob" }));
    let older = surface.clone().in_version(SurfaceVersion::V0_9).unwrap();
    assert_eq!(older.version(), Some(SurfaceVersion::V0_9));
    assert_eq!(older.messages().len(), 3);
    assert_published(older.messages());
    let call = FunctionCall::new(CATALOG_ID, "openUrl", [("url", json!("https://shop.example"))]);
    surface.push(CallRendererFunction::new("call-1", call));
    assert!(surface.in_version(SurfaceVersion::V0_9).is_err());
    let nowhere = json!({ "version": "v1.0", "createSurface": { "surfaceId": "form" } });
    let nowhere: Surface = serde_json::from_value(json!({ "a2ui_operations": [nowhere] })).unwrap();
    let error = nowhere.in_version(SurfaceVersion::V0_9).unwrap_err();
    assert_eq!(
        error.to_string(),
        "A2UI v0.9 needs the catalog of the surface `form`: give `CreateSurface` a catalog id"
    );
}

/// `null` is a value in v0.9, and removes in v1.0.
#[test]
fn a_value_of_null_has_no_form_in_v1_0() {
    let updates = |update: UpdateDataModel| Surface::from_messages([update.into()]);
    let nested = updates(UpdateDataModel::set("form", "/name", json!({ "last": null })));
    assert!(nested.in_version(SurfaceVersion::V1_0).is_ok());
    for (path, shown) in [(Some("/name"), "/name"), (Some("/\u{1b}"), "/\\u{1b}"), (None, "/")] {
        let mut update = UpdateDataModel::set("form", "", json!(null));
        update.path = path.map(str::to_owned);
        let surface = updates(update);
        assert!(surface.clone().in_version(SurfaceVersion::V0_9).is_ok());
        let error = surface.in_version(SurfaceVersion::V1_0).unwrap_err();
        let expected = format!(
            "A2UI v1.0 removes `{shown}` if it is set to `null`: remove the path, or set the object around it"
        );
        assert_eq!(error.to_string(), expected);
    }
}

/// A surface of an unknown version is shown as it is, and has no form in another version.
#[test]
fn a_surface_of_an_unknown_version_is_not_converted() {
    let unknown = json!({ "version": "v7\u{1b}", "morphSurface": {} });
    let unknown: Surface = serde_json::from_value(json!({ "a2ui_operations": [unknown] })).unwrap();
    assert_eq!(unknown.version(), None);
    let error = unknown.in_version(SurfaceVersion::V1_0).unwrap_err().to_string();
    assert_eq!(error, "a message of `v7\\u{1b}` is no operation that this crate reads");
}

/// A message of another version is not read, and comes out as it went in.
#[test]
fn messages_of_other_versions_pass_through_unread() {
    for other in [
        r#"{"version":"v1.0","createSurface":{"surfaceId":"s","catalogId":"c","theme":{}}}"#,
        r#"{"version":"v1.0","updateDataModel":{"surfaceId":"s","path":"/a"}}"#,
        r#"{"version":"v0.9","callRendererFunction":{"functionCallId":"f","callFunction":{"call":"c"}}}"#,
        r#"{"version":"v0.9","createSurface":{"surfaceId":"s"}}"#,
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

/// The messages of the published schemas that a page sends are read.
#[test]
fn a_published_action_is_read() {
    let action = json!({
        "name": "send", "surfaceId": "form", "sourceComponentId": "send", "timestamp": "2026-01-01T00:00:00Z",
        "context": { "name": "Ada" },
    });
    let error = json!({ "code": "VALIDATION_FAILED", "surfaceId": "form", "path": "/components/0/text", "message": "none" });
    let open =
        json!({ "call": "openUrl", "catalogId": CATALOG_ID, "args": { "url": "https://shop.example" } });
    let call = json!({ "surfaceId": "form", "functionCallId": "f", "callFunction": open });
    let late = json!({ "code": "TIMEOUT", "functionCallId": "f", "message": "none" });
    for (version, schema, member, value) in [
        ("v0.9", CLIENT, "action", &action),
        ("v0.9", CLIENT, "error", &error),
        ("v1.0", AGENT, "action", &action),
        ("v1.0", AGENT, "error", &error),
        ("v1.0", AGENT, "callAgentFunction", &call),
        ("v1.0", AGENT, "rendererFunctionResponse", &json!({ "functionCallId": "f", "value": 3 })),
        ("v1.0", AGENT, "error", &late),
    ] {
        let message = json!({ "version": version, member: value });
        assert!(validator(schema).is_valid(&message), "{message}");
        let props = json!({ "a2uiAction": message });
        let props: agui_runtime::a2ui::A2uiProps = serde_json::from_value(props).unwrap();
        let read = [
            props.user_action().is_some(),
            props.renderer_error().is_some(),
            props.agent_function_call().is_some(),
            props.function_response().is_some(),
        ];
        assert_eq!(read.into_iter().filter(|is_read| *is_read).count(), 1, "{message}");
    }
}

/// Responses of functions: once, in time, and only to a call.
#[test]
fn functions_that_never_answer_or_answer_twice_are_found() {
    use agui_runtime::a2ui::{PendingFunctionCalls, ResponseError};
    use std::time::Duration;

    let mut pending = PendingFunctionCalls::default();
    let call = || FunctionCall::new(CATALOG_ID, "openUrl", [("url", json!("https://shop.example"))]);
    pending.call("soon", call(), Duration::from_secs(5), 1_000);
    pending.call("later", call(), Duration::from_secs(60), 1_000);
    pending.call("never", call(), Duration::MAX, 1_000);
    let kept: PendingFunctionCalls = serde_json::from_value(serde_json::to_value(&pending).unwrap()).unwrap();
    assert_eq!(kept, pending, "the calls are kept between runs");
    let answer = |id: &str| FunctionResponse::new(id, Ok(Value::Null));
    assert!(matches!(pending.settle(&answer("soon"), 6_000), Err(ResponseError::Late { .. })));
    assert!(matches!(pending.settle(&answer("soon"), 2_000), Err(ResponseError::NotCalled { .. })));
    assert!(matches!(pending.settle(&answer("unknown"), 2_000), Err(ResponseError::NotCalled { .. })));
    assert_eq!(pending.settle(&answer("later"), 60_999).unwrap().id, "later");
    assert_eq!(pending.expire(u64::MAX - 1), []);
    assert_eq!(pending.expire(u64::MAX)[0].id, "never");
    assert_eq!(pending.iter().count(), 0);
}

/// The catalog definitions of the published schema, and contradicting ones.
#[test]
fn catalogs_of_both_versions_are_read_and_contradicting_ones_are_refused() {
    use agui_runtime::a2ui::{CatalogError, RendererCapabilities};

    let basic: ComponentCatalog = serde_json::from_str(CATALOG_V1_0).unwrap();
    assert_eq!(basic.catalog_id, CATALOG_ID);
    assert_definition(&serde_json::to_value(&basic).unwrap());
    assert!(basic.functions.contains_key("openUrl"));

    let list = json!([{ "name": "quote", "parameters": { "type": "object" }, "returnType": "number" }]);
    let catalog = |components: Value, functions: &Value| json!({ "catalogId": "c", "components": components, "functions": functions });
    let of = |catalogs: Value| {
        let mut input = agui_runtime::testing::input("?");
        let capabilities = json!({ "supportedCatalogIds": [], "inlineCatalogs": catalogs });
        let props = json!({ "a2uiClientCapabilities": { "v0.9": capabilities, "v7": 7 } });
        input.forwarded_props = agui_runtime::protocol::NonNull::new(props);
        assert_eq!(SurfaceVersion::of_client(&input), Some(SurfaceVersion::V0_9));
        RendererCapabilities::of_client(&input)
    };
    let page = of(json!([catalog(json!({}), &list), catalog(json!({}), &list)])).unwrap().unwrap();
    assert_eq!(page.inline_catalogs[0].functions["quote"]["properties"]["call"]["const"], "quote");
    let error = of(json!([catalog(json!({}), &list), catalog(json!({ "Price": {} }), &list)])).unwrap_err();
    assert!(matches!(error, CatalogError::Contradicting { .. }), "{error}");
    let twice = json!([list[0], list[0]]);
    assert!(matches!(of(json!([catalog(json!({}), &twice)])), Err(CatalogError::Unread { .. })));
    assert!(matches!(of(json!(7)), Err(CatalogError::Unread { .. })));
}
