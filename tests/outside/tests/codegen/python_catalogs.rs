//! A Python client's side of a catalog: components as the agent sends them, and functions in both directions.

use std::fs;
use std::time::Duration;

use agui_codegen::ir::PythonStyle;
use agui_tests::need;
use agui_tests::outside::{Python, finish};
use serde_json::{Value, json};

use super::{cases, folder, generate, generate_with};

const LIMIT: Duration = Duration::from_secs(120);

/// A client, as its author writes it.
const CLIENT: &str = r#"
import json
import sys
from typing import Any

from typing_extensions import assert_type

from shop_api._surfaces import Binding, ChildTemplate, FunctionCall, FunctionFailed, SurfaceAction
from shop_api._surfaces import agent_responses, renderer_calls
from shop_api.seller import catalogs
from shop_api.seller.catalogs import SHOP, SHOP_QUOTE_PRICE


class Functions:
    def count_items(self, arguments: catalogs.ShopCountItemsArguments) -> int:
        if arguments.cart == "lost":
            raise ValueError("the cart is lost")
        return min(len(arguments.cart), arguments.limit or 10)

    def open_cart(self, arguments: catalogs.ShopOpenCartArguments) -> None:
        pass


def drawn(component: catalogs.ShopComponent) -> str:
    match component:
        case catalogs.ShopLabel(text=Binding(path=path)):
            return f"the text at {path}"
        case catalogs.ShopLabel(text=FunctionCall(call=call)):
            return f"the value of {call}"
        case catalogs.ShopLabel():
            return f"{component.text} in {component.tone}"
        case catalogs.ShopStack():
            inside = component.children
            return f"each of {inside.path}" if isinstance(inside, ChildTemplate) else ", ".join(inside)
        case catalogs.ShopButton():
            assert_type(component.action, SurfaceAction)
            event = component.action.event
            return f"{component.child} sends {event.name}" if event else component.child
        case catalogs.ShopTabs():
            return ", ".join(f"{tab.title}" for tab in component.tabs)
        case _:
            return component.component


def misfit(surface: Any, component: Any) -> str:
    operation = {"updateComponents": {"surfaceId": surface, "components": [component]}}
    try:
        return str(list(SHOP.components({"a2ui_operations": [operation]})))
    except ValueError as error:
        return type(error).__name__


def main() -> None:
    surface: dict[str, Any] = json.load(sys.stdin)
    components = SHOP.components(surface)
    answers = [SHOP.answer(Functions(), call) for call in renderer_calls(surface)]
    quoted: list[object] = []
    for response in agent_responses(surface):
        try:
            price = SHOP_QUOTE_PRICE.value(response)
            quoted.append(price.cents if price else None)
        except FunctionFailed as failed:
            quoted.append(str(failed))
        except ValueError:
            quoted.append("unread")
    bread = catalogs.ShopQuotePriceArguments(item_name="Bread")
    called = SHOP_QUOTE_PRICE.call("order", bread, "f-1")
    shown = {id: drawn(component) for id, component in components["order"].items()}
    left_out = list(components)
    label = {"id": "label", "component": "Label", "text": "a"}
    misfits = [misfit("order", "text"), misfit("order", {"component": "Label", "text": "a"}), misfit(["order"], label)]
    json.dump({"shown": shown, "surfaces": left_out, "answers": answers, "quoted": quoted, "called": called, "misfits": misfits}, sys.stdout)


if __name__ == "__main__":
    main()
"#;

/// Each line with a mistake, and mypy's code for it.
const MISTAKES: [(&str, &str); 7] = [
    ("catalogs.ShopLabel(id='a', text=7)", "arg-type"),
    ("catalogs.ShopLabel(id='a', text='b', tone='shy')", "arg-type"),
    ("catalogs.ShopButton(id='a', child='b', enabled=True)", "call-arg"),
    ("catalogs.ShopCountItemsArguments(limit=3)", "call-arg"),
    ("catalogs.SHOP.answer(Handless(), call)", "arg-type"),
    ("catalogs.SHOP_QUOTE_PRICE.call('order', catalogs.ShopCountItemsArguments(cart='c'))", "arg-type"),
    ("catalogs.ShopChart", "attr-defined"),
];

fn shop() -> cases::Case {
    cases::all().into_iter().find(|case| case.name == "seller").unwrap()
}

/// A surface of two catalogs, with calls in both directions.
fn surface() -> Value {
    let call = |id: &str, function: Value| json!({ "version": "v1.0", "callRendererFunction": { "functionCallId": id, "callFunction": function } });
    let response = |response: Value| json!({ "version": "v1.0", "agentFunctionResponse": response });
    let of_shop = json!({ "surfaceId": "order", "catalogId": "https://shop.example/catalog.json" });
    let tabs =
        json!([{ "title": { "path": "/title" }, "child": "label" }, { "title": "Plain", "child": "label" }]);
    let components = json!([
        { "id": "root", "component": "Stack", "children": ["label", "count"], "accessibility": { "label": "all" } },
        { "id": "label", "component": "Label", "text": "replaced" },
        { "id": "list", "component": "Stack", "children": { "componentId": "label", "path": "/lines" } },
        { "id": "count", "component": "Label", "text": { "call": "countItems", "args": { "cart": { "path": "/c" } } } },
        { "id": "loud", "component": "Label", "text": "Hello", "tone": "loud" },
        { "id": "buy", "component": "Button", "child": "loud", "enabled": { "path": "/open" },
          "action": { "event": { "name": "buy", "context": { "cart": { "path": "/c" } } } } },
        { "id": "tabs", "component": "Tabs", "tabs": tabs },
        { "id": "line", "component": "Divider" },
        { "id": "bars", "component": "Bars", "catalogId": "https://charts.example/catalog.json" },
    ]);
    let label = json!([{ "id": "label", "component": "Label", "text": { "path": "/name" } }]);
    json!({ "a2ui_operations": [
        { "version": "v0.9", "createSurface": of_shop },
        { "version": "v0.9", "updateComponents": { "surfaceId": "order", "components": components } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "order", "components": label } },
        { "version": "v1.0", "createSurface": { "surfaceId": "other", "catalogId": "https://charts.example/catalog.json",
          "components": [{ "id": "root", "component": "Bars" }] } },
        call("counted", json!({ "call": "countItems", "catalogId": "https://shop.example/catalog.json", "args": { "cart": "c-1" } })),
        call("opened", json!({ "call": "openCart" })),
        call("failed", json!({ "call": "countItems", "args": { "cart": "lost" } })),
        call("misread", json!({ "call": "countItems", "args": { "cart": 7 } })),
        call("of the agent", json!({ "call": "quotePrice", "args": { "itemName": "Bread" } })),
        call("of another", json!({ "call": "openCart", "catalogId": "https://else.example" })),
        response(json!({ "functionCallId": "f-1", "value": { "cents": 300, "valid_until": null } })),
        response(json!({ "functionCallId": "f-2", "error": { "code": "UNKNOWN_ITEM", "message": "There is none." } })),
        response(json!({ "functionCallId": "f-3", "value": { "cents": "many" } })),
        null,
    ] })
}

#[test]
fn a_client_reads_components_and_answers_calls() {
    let python = need!(Python::ready());
    let folder = folder("python-catalogs");
    generate(&shop(), "python", &folder.join("shop_api"));
    let client = folder.join("client.py");
    fs::write(&client, CLIENT).unwrap();
    drop(python.type_check(&folder, &["client.py"]).assert_success());
    let mut command = python.command(&client);
    command.current_dir(&folder);
    let said: Value = finish(command, &surface().to_string(), LIMIT).json();
    let expected = json!({
        "root": "label, count", "label": "the text at /name", "list": "each of /lines", "count": "the value of countItems",
        "loud": "Hello in loud", "buy": "loud sends buy", "tabs": "path='/title', Plain", "line": "Divider",
    });
    assert_eq!(said["shown"], expected);
    assert_eq!(said["surfaces"], json!(["order"]), "not the components of another catalog");
    assert_eq!(said["quoted"], json!([300, "There is none. (UNKNOWN_ITEM)", "unread"]));
    assert_eq!(said["misfits"], json!(["ValidationError", "ValidationError", "[]"]));
    let arguments = json!({ "call": "quotePrice", "catalogId": "https://shop.example/catalog.json", "args": { "itemName": "Bread" } });
    let called = json!({ "surfaceId": "order", "functionCallId": "f-1", "callFunction": arguments });
    assert_eq!(said["called"], json!({ "version": "v1.0", "callAgentFunction": called }));
    let answers: Vec<Value> = said["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| {
            assert_eq!(answer["version"], "v1.0");
            let answer = &answer["rendererFunctionResponse"];
            let shown = answer["error"].get("code").unwrap_or(&answer["value"]).clone();
            json!([answer["functionCallId"], shown])
        })
        .collect();
    let expected = [
        json!(["counted", 3]),
        json!(["opened", null]),
        json!(["failed", "EXECUTION_FAILED"]),
        json!(["misread", "INVALID_ARGUMENTS"]),
        json!(["of the agent", "UNKNOWN_FUNCTION"]),
        json!(["of another", "UNKNOWN_FUNCTION"]),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn what_does_not_fit_the_catalog_is_a_type_error() {
    let python = need!(Python::ready());
    let folder = folder("python-catalog-mistakes");
    generate(&shop(), "python", &folder.join("shop_api"));
    let head = "from shop_api._surfaces import RendererCall\nfrom shop_api.seller import catalogs\n\n\
                class Handless:\n    pass\n\n\ncall: RendererCall\n";
    let lines: String = MISTAKES.iter().map(|(line, _)| format!("{line}\n")).collect();
    fs::write(folder.join("mistakes.py"), format!("{head}{lines}")).unwrap();
    let found = python.type_check(&folder, &["mistakes.py"]);
    for (index, (line, code)) in MISTAKES.iter().enumerate() {
        let place = format!("mistakes.py:{}: error:", head.lines().count() + index + 1);
        let said = found.stdout.lines().any(|said| said.starts_with(&place) && said.contains(code));
        assert!(said, "no {code} for {line}: {found}");
    }
}

/// Types alone: JSON as it is.
const TYPES: &str = r#"
from shop_dict.seller.catalogs import ShopComponent, ShopQuotePriceArguments, ShopTabs

label: ShopComponent = {"id": "a", "component": "Label", "text": {"path": "/name"}, "tone": "loud"}
stack: ShopComponent = {"id": "b", "component": "Stack", "children": {"componentId": "a", "path": "/lines"}}
tabs: ShopTabs = {"id": "c", "component": "Tabs", "tabs": [{"title": {"call": "now"}, "child": "a"}]}
price: ShopQuotePriceArguments = {"itemName": "Bread"}
"#;

#[test]
fn components_are_dictionaries_in_the_other_style() {
    let python = need!(Python::ready());
    let folder = folder("python-catalog-types");
    generate_with(&shop(), "python", &folder.join("shop_dict"), |options| {
        options.python_style = PythonStyle::TypedDict;
    });
    fs::write(folder.join("right.py"), TYPES).unwrap();
    drop(python.type_check(&folder, &["right.py"]).assert_success());
    for (right, wrong) in
        [("{\"path\": \"/name\"}", "7"), ("{\"call\": \"now\"}", "{}"), ("\"itemName\"", "\"item_name\"")]
    {
        fs::write(folder.join("wrong.py"), TYPES.replace(right, wrong)).unwrap();
        assert!(!python.type_check(&folder, &["wrong.py"]).status.success(), "{wrong}");
    }
}
