//! The tools that a model can find, and the answers to its searches.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::FIND_TOOLS;
use crate::model::prompt::ToolSpec;
use crate::protocol::ToolSide;
use crate::quoted::quoted;

/// The most characters of a description in the list.
const LONGEST_LINE: usize = 120;

/// The most tools that a search by names loads.
const MOST_NAMED: usize = 50;

/// The tools that a model can find, in the order of the offer.
#[derive(Debug)]
pub(in crate::model) struct ToolCatalog {
    tools: Arc<[ToolSpec]>,
    is_listed: bool,
    most_results: usize,
}

/// The answer to a search.
#[derive(Debug)]
pub(in crate::model) struct FoundTools {
    pub(in crate::model) names: Vec<String>,
    /// The tools with their schemas, as JSON.
    pub(in crate::model) content: String,
}

/// A search, as the model writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    words: String,
}

impl ToolCatalog {
    pub(super) fn new(tools: Arc<[ToolSpec]>, most_listed: usize, most_results: usize) -> Self {
        let is_listed = tools.len() <= most_listed;
        Self { tools, is_listed, most_results }
    }

    /// Returns the tool by which the model searches: the same bytes for the same tools.
    pub(super) fn spec(&self) -> ToolSpec {
        let description = match self.is_listed {
            true => {
                "Loads tools by name. More tools exist than you see; the names are listed at `names`. Call this before you call one of them, and load all that you need at once."
            }
            false => {
                "Finds tools by words, and loads them. Many more tools exist than you see. Call this when no tool that you see fits, with words for what you want to do."
            }
        };
        let (member, schema) = match self.is_listed {
            true => {
                let mut list = "The tools to load. These exist:".to_owned();
                for tool in self.tools.iter() {
                    // Writing into a text cannot fail.
                    let _ = write!(list, "\n{}: {}", tool.name, first_line(&tool.description));
                }
                ("names", json!({ "type": "array", "items": { "type": "string" }, "description": list }))
            }
            false => {
                let words =
                    format!("Words from the names, descriptions or arguments of {} tools.", self.tools.len());
                ("words", json!({ "type": "string", "description": words }))
            }
        };
        let parameters = json!({ "type": "object", "properties": { member: schema }, "required": [member] });
        ToolSpec { side: ToolSide::Backend, ..ToolSpec::new(FIND_TOOLS, description, parameters) }
    }

    /// Returns the tools that the model asks for.
    ///
    /// # Errors
    /// The reason, for the model, if the arguments are no search, or name only tools that do not exist.
    pub(in crate::model) fn search(&self, arguments: &str) -> Result<FoundTools, String> {
        let SearchArguments { names, words } = serde_json::from_str(arguments)
            .map_err(|error| format!("the arguments of `{FIND_TOOLS}` are wrong: {error}"))?;
        if self.is_listed && names.is_empty() && words.is_empty() {
            return Err(format!("`names` is empty: call `{FIND_TOOLS}` with the names of the tools to load"));
        }
        let is_named = |tool: &&ToolSpec| names.contains(&tool.name);
        let mut found: Vec<&ToolSpec> = self.tools.iter().filter(is_named).collect();
        let unknown: Vec<_> =
            names.iter().filter(|name| !self.tools.iter().any(|tool| tool.name == **name)).collect();
        if found.is_empty() && !unknown.is_empty() {
            let names: Vec<_> = unknown.iter().map(|name| format!("`{}`", quoted(name))).collect();
            return Err(format!("no tool has the name {}", names.join(" or ")));
        }
        let left_out = found.len().saturating_sub(MOST_NAMED);
        found.truncate(MOST_NAMED);
        for tool in self.ranked(&words) {
            if !found.iter().any(|known| known.name == tool.name) {
                found.push(tool);
            }
        }
        let shown = found.iter().map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters })
        });
        let mut content = json!({ "tools": shown.collect::<Vec<Value>>() });
        if let Value::Object(members) = &mut content {
            if !unknown.is_empty() {
                members.insert("unknown".to_owned(), json!(unknown));
            }
            if left_out > 0 {
                let note = format!(
                    "One search loads at most {MOST_NAMED} tools, and {left_out} more were named. Search again for those."
                );
                members.insert("note".to_owned(), note.into());
            }
            if found.is_empty() {
                members.insert("note".to_owned(), "No tool fits these words. Try others.".into());
            }
        }
        Ok(FoundTools {
            names: found.iter().map(|tool| tool.name.clone()).collect(),
            content: content.to_string(),
        })
    }

    /// Returns the tools that fit the words best, in the order of the offer where words do not decide.
    fn ranked(&self, words: &str) -> impl Iterator<Item = &ToolSpec> {
        let words: Vec<String> = words_of(words).collect();
        let mut ranked: Vec<(usize, &ToolSpec)> = self
            .tools
            .iter()
            .map(|tool| (score(tool, &words), tool))
            .filter(|(score, _)| *score > 0)
            .collect();
        ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        ranked.truncate(self.most_results);
        ranked.into_iter().map(|(_, tool)| tool)
    }

    /// True if the tool exists, and may have to be found first.
    pub(in crate::model) fn has(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }
}

/// A word in the name counts more than a word in the description, and that more than a word in an argument.
fn score(tool: &ToolSpec, words: &[String]) -> usize {
    let arguments = tool.parameters.get("properties").and_then(Value::as_object);
    let mut argument_words = Vec::new();
    for (name, schema) in arguments.into_iter().flatten() {
        argument_words.extend(words_of(name));
        argument_words
            .extend(schema.get("description").and_then(Value::as_str).into_iter().flat_map(words_of));
    }
    let name: Vec<String> = words_of(&tool.name).collect();
    let description: Vec<String> = words_of(&tool.description).collect();
    let begins = |known: &[String], word: &str| known.iter().any(|known| known.starts_with(word));
    let points = |word: &String| {
        [(&name, 4), (&description, 2), (&argument_words, 1)]
            .into_iter()
            .map(|(known, points)| if begins(known, word) { points } else { 0 })
            .sum::<usize>()
    };
    words.iter().map(points).sum()
}

/// Returns the words of a text, in lower case; names such as `find_orders` and `findOrders` have two.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::with_capacity(text.len());
    let mut was_lower = false;
    for letter in text.chars() {
        if was_lower && letter.is_uppercase() {
            spaced.push(' ');
        }
        was_lower = letter.is_lowercase();
        spaced.extend(letter.to_lowercase());
    }
    let words: Vec<String> = spaced
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

/// Returns the first line of a description, at most as long as a line of the list.
fn first_line(description: &str) -> String {
    let line = description.trim().lines().next().unwrap_or_default().trim_end();
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog(most_listed: usize) -> ToolCatalog {
        let tool = |name: &str, description: &str, argument: &str| {
            let properties =
                json!({ argument: { "type": "string", "description": "The customer's number." } });
            ToolSpec::new(name, description, json!({ "type": "object", "properties": properties }))
        };
        let tools = [
            tool("find_orders", "Finds the orders of a customer.\nSlow.", "customer"),
            tool("sendInvoice", "Sends an invoice by mail.", "order"),
            tool("weather", &"Tells the weather. ".repeat(20), "city"),
        ];
        ToolCatalog::new(tools.into(), most_listed, 2)
    }

    fn names(catalog: &ToolCatalog, arguments: &str) -> Vec<String> {
        catalog.search(arguments).unwrap().names
    }

    #[test]
    fn a_short_list_has_a_line_for_each_tool() {
        let spec = catalog(3).spec();
        assert_eq!(spec, catalog(3).spec());
        let list = spec.parameters["properties"]["names"]["description"].as_str().unwrap();
        let lines: Vec<_> = list.lines().skip(1).collect();
        assert_eq!(
            lines[..2],
            ["find_orders: Finds the orders of a customer.", "sendInvoice: Sends an invoice by mail."]
        );
        assert!(lines[2].ends_with('…') && lines[2].chars().count() < 140, "{}", lines[2]);
        assert!(spec.description.chars().count() <= crate::agent::tool::LONGEST_DESCRIPTION);
    }

    #[test]
    fn a_long_list_is_searched_by_words() {
        let spec = catalog(2).spec();
        assert!(
            spec.parameters["properties"]["words"].is_object()
                && !spec.parameters.to_string().contains("weather")
        );
        let catalog = catalog(2);
        assert_eq!(names(&catalog, r#"{"words":"invoice"}"#), ["sendInvoice"]);
        assert_eq!(names(&catalog, r#"{"words":"Order"}"#), ["find_orders", "sendInvoice"]);
        assert_eq!(names(&catalog, r#"{"words":"customers number"}"#), ["find_orders", "sendInvoice"]);
        assert_eq!(names(&catalog, r#"{"words":"submarine"}"#), [""; 0]);
        assert!(catalog.search(r#"{"words":"submarine"}"#).unwrap().content.contains("Try others"));
    }

    #[test]
    fn a_search_by_names_has_a_limit_and_needs_a_name() {
        let tool = |number: usize| ToolSpec::new(format!("tool_{number:03}"), "Does.", json!({}));
        let tools: Vec<_> = (0..MOST_NAMED + 7).map(tool).collect();
        let asked: Vec<_> = tools.iter().map(|tool| tool.name.clone()).collect();
        let catalog = ToolCatalog::new(tools.into(), 100, 2);
        let found = catalog.search(&json!({ "names": asked }).to_string()).unwrap();
        assert_eq!(found.names, asked[..MOST_NAMED]);
        assert!(found.content.contains("7 more were named"), "{}", found.content);
        let most = catalog.search(&json!({ "names": asked[..MOST_NAMED] }).to_string()).unwrap();
        assert!(!most.content.contains("note"), "{}", most.content);
        for empty in ["{}", r#"{"names":[]}"#] {
            let why = catalog.search(empty).unwrap_err();
            assert!(why.contains("`names` is empty"), "{why}");
        }
    }

    #[test]
    fn names_that_do_not_exist_are_said() {
        let catalog = catalog(3);
        let found = catalog.search(r#"{"names":["weather","gone","find_orders"]}"#).unwrap();
        assert_eq!(found.names, ["find_orders", "weather"]);
        let content: Value = serde_json::from_str(&found.content).unwrap();
        assert_eq!(content["unknown"], json!(["gone"]));
        assert_eq!(content["tools"][0]["parameters"]["properties"]["customer"]["type"], "string");
        assert!(catalog.search(r#"{"names":["gone"]}"#).unwrap_err().contains("`gone`"));
        assert!(catalog.search("{").is_err() && catalog.search(r#"{"name":"weather"}"#).is_err());
    }
}
