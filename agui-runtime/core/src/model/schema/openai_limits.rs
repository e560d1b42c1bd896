//! Size limits for OpenAI's structured outputs: the API refuses a whole request if one schema exceeds a limit.

use serde_json::Value;

use super::place::{SchemaFault, SchemaPath};

/// The most properties in all objects together.
const MOST_PROPERTIES: usize = 5_000;
/// The most characters in all names and literals together.
const MOST_CHARACTERS: usize = 120_000;
/// The most enum values in total.
const MOST_VALUES: usize = 1_000;
/// An enum with more values than this has at most [`MOST_CHARACTERS_OF_A_LONG_ENUM`].
const LONG_ENUM: usize = 250;
const MOST_CHARACTERS_OF_A_LONG_ENUM: usize = 15_000;

/// Fails at the first path where the schema exceeds a limit.
pub(super) fn check_limits(schema: &Value, place: &SchemaPath) -> Result<(), SchemaFault> {
    SchemaSize::default().schema(schema, place)
}

#[derive(Default)]
struct SchemaSize {
    properties: usize,
    characters: usize,
    values: usize,
}

impl SchemaSize {
    fn schema(&mut self, schema: &Value, place: &SchemaPath) -> Result<(), SchemaFault> {
        let Value::Object(members) = schema else { return Ok(()) };
        for (keyword, value) in members {
            let at = place.child(keyword);
            match (keyword.as_str(), value) {
                ("properties" | "$defs", Value::Object(named)) => {
                    self.properties += if keyword == "properties" { named.len() } else { 0 };
                    self.check(&at)?;
                    for (name, schema) in named {
                        self.characters += name.chars().count();
                        self.schema(schema, &at.child(name))?;
                    }
                }
                ("anyOf", Value::Array(list)) => {
                    for (index, schema) in list.iter().enumerate() {
                        self.schema(schema, &at.child(&index.to_string()))?;
                    }
                }
                ("enum", Value::Array(values)) => self.literals(values, &at)?,
                ("const", Value::String(text)) => self.characters += text.chars().count(),
                ("items", schema) => self.schema(schema, &at)?,
                _ => {}
            }
            self.check(&at)?;
        }
        Ok(())
    }

    fn literals(&mut self, values: &[Value], place: &SchemaPath) -> Result<(), SchemaFault> {
        let characters: usize =
            values.iter().filter_map(Value::as_str).map(|text| text.chars().count()).sum();
        if values.len() > LONG_ENUM && characters > MOST_CHARACTERS_OF_A_LONG_ENUM {
            return Err(too_much(
                place,
                MOST_CHARACTERS_OF_A_LONG_ENUM,
                "characters in an enum of more than 250 values",
            ));
        }
        self.values += values.len();
        self.characters += characters;
        Ok(())
    }

    fn check(&self, place: &SchemaPath) -> Result<(), SchemaFault> {
        for (count, most, of) in [
            (self.properties, MOST_PROPERTIES, "properties"),
            (self.characters, MOST_CHARACTERS, "characters in names and literals"),
            (self.values, MOST_VALUES, "values of enums"),
        ] {
            if count > most {
                return Err(too_much(place, most, of));
            }
        }
        Ok(())
    }
}

fn too_much(place: &SchemaPath, most: usize, of: &str) -> SchemaFault {
    place.fault(format!("`strict` takes at most {most} {of}: take a text, or leave `strict` off"))
}
