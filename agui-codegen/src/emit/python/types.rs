//! The module `types.py`. The text around the types is in `templates/types.py`.

use serde_json::json;

use super::model::{EnumAlias, ModelExtra, ModelField, PydanticModel, PythonDecl, PythonModule, TypeAlias};
use super::names::{NameScope, text};
use crate::emit::doc::comment_line;
use crate::names::{identifier, screaming};
use crate::template::render;

const WIDTH: usize = 88;

pub(super) fn types(module: &PythonModule) -> String {
    print_module(&imports(module), &printed(module), decl_names(module))
}

/// Prints each declaration in a module.
pub(super) fn printed(module: &PythonModule) -> Vec<String> {
    let types = module.decls.iter().map(|decl| match decl {
        PythonDecl::Class(decl) => class(decl),
        PythonDecl::Alias(decl) => alias(decl),
        PythonDecl::Enum(decl) if module.str_enums => enum_class(decl),
        PythonDecl::Enum(decl) => enum_alias(decl),
    });
    types.collect()
}

/// Returns the names that a module declares.
pub(super) fn decl_names(module: &PythonModule) -> Vec<String> {
    let names = module.decls.iter().flat_map(|decl| match decl {
        PythonDecl::Class(decl) => vec![&decl.name],
        PythonDecl::Alias(decl) => vec![&decl.name],
        PythonDecl::Enum(decl) => vec![&decl.name, &decl.list],
    });
    names.cloned().collect()
}

/// Prints a module with the given imports, types and public names.
pub(super) fn print_module(imports: &str, types: &[String], mut names: Vec<String>) -> String {
    names.sort();
    let names: Vec<String> = names.iter().map(|name| text(name)).collect();
    let values = json!({ "imports": imports, "types": types, "names": names });
    render(include_str!("templates/types.py"), &values)
}

/// Prints a module's imports.
pub(super) fn imports(module: &PythonModule) -> String {
    let block = |wanted: fn(&str) -> bool| {
        let lines = module.imports.iter().filter(|(from, _)| wanted(from)).map(|(from, names)| {
            let names: Vec<&str> = names.iter().copied().collect();
            let line = format!("from {from} import {}\n", names.join(", "));
            if line.len() <= WIDTH {
                line
            } else {
                format!("from {from} import (\n    {},\n)\n", names.join(",\n    "))
            }
        });
        let lines: String = lines.collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    };
    [
        block(is_standard),
        block(|from| !is_standard(from) && !from.starts_with('.')),
        block(|from| from.starts_with('.')),
    ]
    .concat()
}

fn is_standard(module: &str) -> bool {
    matches!(module, "datetime" | "decimal" | "enum" | "ipaddress" | "typing" | "uuid")
}

fn class(class: &PydanticModel) -> String {
    let mut body = docstring(&class.doc, 4);
    match &class.extra {
        ModelExtra::Allow => {}
        ModelExtra::Forbid => {
            gap(&mut body);
            body.push_str("    model_config = ConfigDict(extra=\"forbid\")\n");
        }
        ModelExtra::Typed(annotation) => {
            gap(&mut body);
            body.push_str(&format!("    __pydantic_extra__: dict[str, {annotation}] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]\n"));
        }
    }
    if !class.fields.is_empty() {
        gap(&mut body);
    }
    for field in &class.fields {
        body.push_str(&self::field(field));
    }
    if body.is_empty() {
        body.push_str("    pass\n");
    }
    format!("class {}(Model):\n{body}", class.name)
}

fn gap(body: &mut String) {
    if !body.is_empty() {
        body.push('\n');
    }
}

fn field(field: &ModelField) -> String {
    let head = format!("    {}: {}", field.attribute, field.annotation);
    let line = match (&field.alias, &field.default) {
        (None, None) => head,
        (None, Some(default)) => format!("{head} = {default}"),
        (Some(alias), default) => {
            let alias = text(alias);
            let mut arguments: Vec<String> = default.iter().map(|value| format!("default={value}")).collect();
            arguments.push(format!("validation_alias={alias}"));
            arguments.push(format!("serialization_alias={alias}"));
            let line = format!("{head} = Field({})", arguments.join(", "));
            let broken = format!("{head} = Field(\n        {}\n    )", arguments.join(", "));
            if line.len() <= WIDTH {
                line
            } else if broken.lines().all(|line| line.len() <= WIDTH) {
                broken
            } else {
                format!("{head} = Field(\n        {},\n    )", arguments.join(",\n        "))
            }
        }
    };
    format!("{line}\n{}", docstring(&field.doc, 4))
}

fn alias(alias: &TypeAlias) -> String {
    let name = text(&alias.name);
    // The annotation is a string, so that the alias may name later types and itself.
    let value = quoted(&alias.annotation);
    let assigned = |indent: &str| {
        let line = format!("{indent}{} = TypeAliasType({name}, {value})\n", alias.name);
        if line.len() <= WIDTH + 1 {
            line
        } else {
            format!(
                "{indent}{} = TypeAliasType(\n{indent}    {name},\n{indent}    {value},\n{indent})\n",
                alias.name
            )
        }
    };
    let line = if alias.recursive {
        // For recursive types, mypy and pyright understand only `TypeAlias`, and pydantic only
        // `TypeAliasType`.
        let text = format!("    {}: TypeAlias = {value}\n", alias.name);
        let text = if text.len() <= WIDTH + 1 {
            text
        } else {
            format!("    {}: TypeAlias = (\n        {value}\n    )\n", alias.name)
        };
        format!("if TYPE_CHECKING:\n{text}else:\n{}", assigned("    "))
    } else {
        assigned("")
    };
    format!("{line}{}", docstring(&alias.doc, 0))
}

/// Prints a string literal that holds source code.
pub(super) fn quoted(source: &str) -> String {
    if source.contains('"') && !source.contains(['\'', '\\']) { format!("'{source}'") } else { text(source) }
}

pub(super) fn enum_alias(alias: &EnumAlias) -> String {
    let EnumAlias { name, list, doc, values } = alias;
    let texts: Vec<String> = values.iter().map(|(value, _)| text(value)).collect();
    let line = format!("{name} = Literal[{}]\n", texts.join(", "));
    let line = if line.len() <= WIDTH && values.iter().all(|(_, doc)| doc.is_empty()) {
        line
    } else {
        let values: String =
            values.iter().map(|(value, doc)| format!("{}    {},\n", comment(doc, 4), text(value))).collect();
        format!("{name} = Literal[\n{values}]\n")
    };
    let comma = if texts.len() == 1 { "," } else { "" };
    let all = format!("{list}: tuple[{name}, ...] = ({}{comma})\n", texts.join(", "));
    let all = if all.len() <= WIDTH {
        all
    } else {
        format!("{list}: tuple[{name}, ...] = (\n    {},\n)\n", texts.join(",\n    "))
    };
    format!("{line}{}\n{all}\"\"\"Every `{name}`.\"\"\"\n", docstring(doc, 0))
}

/// Prints a class for a string enum.
fn enum_class(alias: &EnumAlias) -> String {
    let EnumAlias { name, list, doc, values } = alias;
    let mut scope = NameScope::default();
    let members: String = values
        .iter()
        .map(|(value, doc)| {
            let member = identifier(&screaming(value));
            let member = if value.is_empty() { "EMPTY".to_owned() } else { member };
            // Python reserves a leading underscore for an enum's private attributes.
            let member = if member.starts_with('_') { format!("VALUE{member}") } else { member };
            format!("    {} = {}\n{}", scope.give(&member), text(value), docstring(doc, 4))
        })
        .collect();
    let mut body = docstring(doc, 4);
    gap(&mut body);
    format!(
        "class {name}(str, Enum):\n{body}{members}\n\n{list}: tuple[{name}, ...] = tuple({name})\n\"\"\"Every \
         `{name}`.\"\"\"\n"
    )
}

/// Prints `lines` as comments.
pub(super) fn comment(lines: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    lines.iter().map(|line| format!("{pad}# {}", comment_line(line)).trim_end().to_owned() + "\n").collect()
}

/// Escapes a line for a docstring.
pub(super) fn escaped(line: &str) -> String {
    // Comments and strings have the same escapes.
    comment_line(&line.replace('\\', "\\\\")).replace("\"\"\"", "\\\"\\\"\\\"")
}

/// Prints `lines` as a docstring; returns an empty string without lines.
pub(super) fn docstring(lines: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent);
    let escaped: Vec<String> = lines.iter().map(|line| self::escaped(line)).collect();
    match escaped.as_slice() {
        [] => String::new(),
        [line] => {
            // A quotation mark at the end would close the docstring.
            let space = if line.ends_with('"') { " " } else { "" };
            format!("{pad}\"\"\"{line}{space}\"\"\"\n")
        }
        [first, rest @ ..] => {
            let rest: String =
                rest.iter().map(|line| format!("{pad}{line}").trim_end().to_owned() + "\n").collect();
            format!("{pad}\"\"\"{first}\n{rest}{pad}\"\"\"\n")
        }
    }
}
