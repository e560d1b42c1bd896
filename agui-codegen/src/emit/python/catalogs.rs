//! The module `catalogs.py`: component catalogs, for a client that draws the agent's surfaces. The text is in
//! `templates/catalogs.py`.

use serde_json::{Value, json};

use super::lower::{self, CatalogFunctionNames, CatalogNames};
use super::names::text;
use super::types::{decl_names, docstring, imports, printed};
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, CatalogDecl, CatalogFunctionDecl, OutputOptions};
use crate::template::render;

pub(super) fn catalogs(agent: &AgentDecl, options: &OutputOptions) -> String {
    let (mut module, named) = lower::catalogs(agent, options);
    let functions = || agent.catalogs.iter().flat_map(|catalog| &catalog.functions);
    let has = |in_agent| functions().any(|function| function.in_agent == in_agent);
    let mut import = |from, name, is_needed: bool| {
        if is_needed {
            module.imports.entry(from).or_default().insert(name);
        }
    };
    import(".._surfaces", "Catalog", true);
    import(".._surfaces", "AgentFunction", has(true));
    import(".._surfaces", "PageFunction", has(false));
    import("typing", "Protocol", has(false));
    import("typing", "Any", agent.catalogs.iter().any(|catalog| catalog.components.is_empty()));
    import(
        "pydantic",
        "TypeAdapter",
        named.iter().any(|names| names.component.is_some()) || has(true) || has(false),
    );
    let mut names: Vec<String> = decl_names(&module);
    let catalogs = agent.catalogs.iter().zip(&named);
    for (catalog, named) in catalogs.clone() {
        names.push(named.constant.clone());
        let is_agents = |(function, _): &(&CatalogFunctionDecl, _)| function.in_agent;
        let functions = catalog.functions.iter().zip(&named.functions);
        names.extend(functions.clone().filter(is_agents).map(|(_, names)| names.name.clone()));
        names.extend(
            functions.clone().any(|(function, _)| !function.in_agent).then(|| named.protocol.clone()),
        );
    }
    names.sort();
    let values = json!({
        "catalogs": catalogs.map(|(catalog, names)| self::catalog(catalog, names)).collect::<Value>(),
        "imports": imports(&module),
        "names": names.iter().map(|name| text(name)).collect::<Value>(),
        "types": printed(&module),
    });
    render(include_str!("templates/catalogs.py"), &values)
}

fn catalog(catalog: &CatalogDecl, names: &CatalogNames) -> Value {
    let functions = |in_agent: bool| -> Vec<Value> {
        let functions = catalog.functions.iter().zip(&names.functions);
        let functions = functions.filter(|(function, _)| function.in_agent == in_agent);
        functions.map(|(function, names)| self::function(function, names)).collect()
    };
    let pages = functions(false);
    let component = names.component.as_deref();
    let mut doc = lines(&catalog.description);
    if doc.iter().all(String::is_empty) {
        doc = vec![format!("The catalog `{}`.", catalog.id)];
    }
    json!({
        "adapter": component.map_or_else(|| "None".to_owned(), |component| format!("TypeAdapter({component})")),
        "agent_functions": functions(true),
        "component": component.unwrap_or("Any"),
        "constant": names.constant,
        "doc": docstring(&doc, 0),
        "has_functions": !pages.is_empty(),
        "id": text(&catalog.id),
        "protocol": if pages.is_empty() { "object" } else { names.protocol.as_str() },
        "functions": pages,
    })
}

fn function(function: &CatalogFunctionDecl, names: &CatalogFunctionNames) -> Value {
    let CatalogFunctionNames { name, arguments, value } = names;
    let returned = value.as_deref().unwrap_or("None");
    let doc = docstring(&lines(&function.description), 0);
    let body = if doc.is_empty() { " ..." } else { "" };
    json!({
        "arguments": arguments,
        "constant": name,
        "doc": doc,
        "head": format!("def {name}(self, arguments: {arguments}) -> {returned}:{body}"),
        "key": text(&function.name),
        "method": text(name),
        "returned": returned,
        "value": value,
    })
}
