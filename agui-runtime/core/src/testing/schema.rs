//! Comparison of a type's JSON Schemas with what serde writes and reads.

use jsonschema::Validator;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A difference between a type's schema and serde; see [`check_schema`].
///
/// ```
/// use agui_runtime::testing::{SchemaMismatch, check_schema};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize, Serializer};
///
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct Order {
///     // schemars does not see that this function writes a text.
///     #[serde(serialize_with = "as_text")]
///     id: u64,
/// }
///
/// # fn as_text<S: Serializer>(id: &u64, out: S) -> Result<S::Ok, S::Error> {
/// #     out.collect_str(id)
/// # }
/// #
/// match check_schema(&[Order { id: 7 }]) {
///     Err(SchemaMismatch::WrittenOtherwise { path, .. }) => assert_eq!(path, "/id"),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaMismatch {
    /// serde cannot write the sample as JSON, for example a map whose keys are tuples.
    #[error("sample {sample} of `{name}` cannot be written: {source}")]
    NotWritten {
        /// The type.
        name: &'static str,
        /// The index of the sample, from 0.
        sample: usize,
        /// The error of serde.
        source: serde_json::Error,
    },
    /// One of the type's schemas is not a valid JSON Schema.
    #[error("the schema of `{name}` is not a valid JSON Schema: {reason}")]
    NoSchema {
        /// The type.
        name: &'static str,
        /// The reason.
        reason: String,
    },
    /// The written sample does not fit the schema for readers.
    #[error(
        "sample {sample} of `{name}` is written in a form that its schema does not allow, at `{path}`: {wanted}"
    )]
    WrittenOtherwise {
        /// The type.
        name: &'static str,
        /// The index of the sample, from 0.
        sample: usize,
        /// The place: a JSON Pointer (RFC 6901), empty for the whole sample.
        path: String,
        /// The value there, and what the schema expects.
        wanted: String,
    },
    /// serde reads a value that the schema for writers does not allow.
    #[error(
        "sample {sample} of `{name}` is read although its schema does not allow it, at `{path}`: {wanted}"
    )]
    ReadOtherwise {
        /// The type.
        name: &'static str,
        /// The index of the sample, from 0.
        sample: usize,
        /// The place: a JSON Pointer (RFC 6901), empty for the whole sample.
        path: String,
        /// The value there, and what the schema expects.
        wanted: String,
    },
    /// serde does not read a value that the schema for writers allows.
    #[error("sample {sample} of `{name}` is not read although its schema allows it, at `{path}`: {message}")]
    NotRead {
        /// The type.
        name: &'static str,
        /// The index of the sample, from 0.
        sample: usize,
        /// The path where reading stopped, `.` for the whole sample.
        path: String,
        /// The error of serde.
        message: String,
    },
    /// The sample changed when it was written, read and written again.
    #[error(
        "sample {sample} of `{name}` changes when it is written and read again: from {before} to {after}"
    )]
    ComesBackChanged {
        /// The type.
        name: &'static str,
        /// The index of the sample, from 0.
        sample: usize,
        /// The JSON of the first writing.
        before: Box<Value>,
        /// The JSON of the second writing.
        after: Box<Value>,
    },
}

/// Checks that the schemas of `T` describe what serde writes and reads, with `samples`.
///
/// Each sample is written, and the JSON must fit the schema for readers. It is read again, which must
/// succeed exactly if the JSON fits the schema for writers. It is written once more, which must give the
/// same JSON. schemars reads the attributes of serde but not functions, so schemas are most often wrong
/// where a type uses `serialize_with` or implements a serde trait by hand.
///
/// Needs the feature `schema-testing`.
///
/// # Errors
/// [`SchemaMismatch`], with the sample and the place in it.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use agui_runtime::testing::{SchemaMismatch, check_schema};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct Grid(BTreeMap<(i32, i32), String>);
///
/// let grid = Grid(BTreeMap::from([((1, 2), "tree".into())]));
/// assert!(matches!(check_schema(&[grid]), Err(SchemaMismatch::NotWritten { sample: 0, .. })));
/// ```
pub fn check_schema<T: Serialize + DeserializeOwned + JsonSchema>(
    samples: &[T],
) -> Result<(), SchemaMismatch> {
    let name = std::any::type_name::<T>();
    let settings = SchemaSettings::draft2020_12;
    let out = validator::<T>(settings().for_serialize(), name)?;
    let input = validator::<T>(settings().for_deserialize(), name)?;
    for (sample, value) in samples.iter().enumerate() {
        let written = |value: &T| {
            serde_json::to_value(value).map_err(|source| SchemaMismatch::NotWritten { name, sample, source })
        };
        let before = written(value)?;
        if let Some((path, wanted)) = first_error(&out, &before) {
            return Err(SchemaMismatch::WrittenOtherwise { name, sample, path, wanted });
        }
        match (serde_path_to_error::deserialize::<_, T>(&before), first_error(&input, &before)) {
            (Ok(_), Some((path, wanted))) => {
                return Err(SchemaMismatch::ReadOtherwise { name, sample, path, wanted });
            }
            (Err(error), None) => {
                let (path, message) = (error.path().to_string(), error.inner().to_string());
                return Err(SchemaMismatch::NotRead { name, sample, path, message });
            }
            (Ok(read), None) => {
                let after = written(&read)?;
                if before != after {
                    let (before, after) = (Box::new(before), Box::new(after));
                    return Err(SchemaMismatch::ComesBackChanged { name, sample, before, after });
                }
            }
            // A type that is only written need not be readable.
            (Err(_), Some(_)) => {}
        }
    }
    Ok(())
}

/// Asserts that the schemas of `T` describe what serde does with `samples`; see [`check_schema`].
///
/// Needs the feature `schema-testing`.
///
/// # Panics
/// If [`check_schema`] fails, with the sample, the place in it and what the schema expects.
///
/// ```
/// use agui_runtime::testing::assert_schema_matches;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct Order {
///     #[serde(with = "agui_runtime::as_string::<u64>")]
///     id: u64,
///     note: Option<String>,
/// }
///
/// assert_schema_matches(&[
///     Order { id: u64::MAX, note: None },
///     Order { id: 0, note: Some("By Friday".into()) },
/// ]);
/// ```
#[track_caller]
pub fn assert_schema_matches<T: Serialize + DeserializeOwned + JsonSchema>(samples: &[T]) {
    let wrong = check_schema(samples).err().map(|mismatch| mismatch.to_string());
    assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
}

fn validator<T: JsonSchema>(
    settings: SchemaSettings,
    name: &'static str,
) -> Result<Validator, SchemaMismatch> {
    let schema = settings.into_generator().into_root_schema_for::<T>();
    jsonschema::validator_for(schema.as_value())
        .map_err(|error| SchemaMismatch::NoSchema { name, reason: error.to_string() })
}

/// Returns the place and the reason of the first mismatch.
fn first_error(validator: &Validator, value: &Value) -> Option<(String, String)> {
    let error = validator.iter_errors(value).next()?;
    Some((error.instance_path().to_string(), error.to_string()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    fn wrong<T: Serialize + DeserializeOwned + JsonSchema>(samples: &[T]) -> String {
        check_schema(samples).unwrap_err().to_string()
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Loose {
        #[serde(serialize_with = "as_text")]
        id: u64,
    }

    fn as_text<S: serde::Serializer>(id: &u64, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(id)
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Strict {
        list: Vec<Even>,
    }

    #[derive(JsonSchema)]
    #[schemars(transparent)]
    struct Even(u8);

    impl Serialize for Even {
        fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
            out.serialize_u8(self.0)
        }
    }

    impl<'de> Deserialize<'de> for Even {
        fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
            match u8::deserialize(input)? {
                2 => Ok(Self(4)),
                even if even % 2 == 0 => Ok(Self(even)),
                _ => Err(serde::de::Error::custom("odd")),
            }
        }
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Lax {
        #[schemars(length(max = 1))]
        name: String,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all(serialize = "camelCase"))]
    struct OneWay {
        first_name: String,
    }

    #[test]
    fn each_difference_between_serde_and_schemars_is_reported() {
        let loose = wrong(&[Loose { id: 7 }]);
        assert!(
            loose.contains("sample 0 of `") && loose.contains("Loose` is written in a form that its schema"),
            "{loose}"
        );
        assert!(loose.ends_with("at `/id`: \"7\" is not of type \"integer\""), "{loose}");
        let even = |of: &[u8]| Strict { list: of.iter().copied().map(Even).collect() };
        let odd = wrong(&[even(&[0, 4]), even(&[8, 3])]);
        assert!(odd.contains("sample 1") && odd.ends_with("at `list[1]`: odd"), "{odd}");
        let changed = wrong(&[even(&[2])]);
        assert!(changed.ends_with("from {\"list\":[2]} to {\"list\":[4]}"), "{changed}");
        let lax = wrong(&[Lax { name: "two".into() }]);
        assert!(lax.contains("at `/name`: \"two\" is longer than 1 character"), "{lax}");
    }

    #[test]
    fn a_type_that_is_only_written_need_not_be_readable() {
        assert_schema_matches(&[OneWay { first_name: "Ada".into() }]);
    }
}
