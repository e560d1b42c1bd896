//! JSON Patch in the form of the protocol (RFC 6902): the operations, not their application.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::json::JsonObject;
use super::object::{Fixed, Literal};
use super::pointer::JsonPointer;
use super::print::{self, Print};
use super::scan::{Scan, ScanMembers, Scanner};
use super::shape::{Described, Member, ObjectShape, Shape};
use super::union::union;

/// Declares an operation. Unlike every other object of the protocol it is open: RFC 6902 says that
/// undefined members are ignored, not removed, so they are kept.
macro_rules! operation {
    ($(#[$meta:meta])* pub struct $Name:ident: $op:literal { $($(#[$doc:meta])* $field:ident: $Type:ty,)* }) => {
        $(#[$meta])*
        #[doc = concat!(
            "\n\nIn the schema of AG-UI 1.0: [`", stringify!($Name), "`]",
            "(https://ag-ui.com/spec/1.0/schema.json#", stringify!($Name), ").",
        )]
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $Name {
            $($(#[$doc])* pub $field: $Type,)*
            /// Members that RFC 6902 does not define for this operation, as received.
            pub undefined: Option<Box<JsonObject>>,
        }

        impl $Name {
            /// The only value of `op`.
            ///
            /// ```
            #[doc = concat!("use agui_runtime::protocol::", stringify!($Name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($Name), "::OP, \"", $op, "\");")]
            /// ```
            pub const OP: &'static str = $op;

            /// Creates the operation from its members, in wire order; the example of [the type](Self) shows it.
            #[must_use]
            pub fn new($($field: impl Into<$Type>),*) -> Self {
                Self { $($field: $field.into(),)* undefined: None }
            }
        }

        impl Literal for $Name {
            const TEXT: &'static str = $op;
        }

        impl ScanMembers for $Name {
            fn scan_members(scanner: &mut Scanner<'_>, tag: Option<&'static str>) -> Option<Self> {
                let mut op = <Fixed<$Name>>::from_tag("op", tag);
                $(let mut $field = None;)*
                let mut undefined: Option<Box<JsonObject>> = None;
                let mut first = tag.is_none();
                'plain: {
                    $({
                        const KEY: [u8; print::key_len(stringify!($field))] = print::key(stringify!($field));
                        if scanner.is_key(&mut first, &KEY) {
                            $field = Some(<$Type>::scan(scanner)?);
                            if scanner.is_at_brace() {
                                break 'plain;
                            }
                        }
                    })*
                }
                while let Some(key) = scanner.key(&mut first)? {
                    match key {
                        "op" if op.is_none() => op = Some(<Fixed<$Name>>::scan(scanner)?),
                        $(stringify!($field) if $field.is_none() => $field = Some(<$Type>::scan(scanner)?),)*
                        "op" $(| stringify!($field))* => return None,
                        _ => {
                            let value = Value::scan(scanner)?;
                            undefined.get_or_insert_default().insert(key.to_owned(), value);
                        }
                    }
                }
                op?;
                Some(Self { $($field: $field?,)* undefined })
            }
        }

        impl Described for $Name {
            const SHAPE: Shape = Shape::Object(&ObjectShape {
                open: true,
                members: &[
                    Member::of::<Fixed<$Name>>("op"),
                    $(Member::of::<$Type>(stringify!($field)),)*
                ],
            });
        }

        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut members = serializer.serialize_map(None)?;
                members.serialize_entry("op", $op)?;
                $(members.serialize_entry(stringify!($field), &self.$field)?;)*
                for (key, value) in self.undefined.iter().flat_map(|undefined| undefined.iter()) {
                    // A defined member in the map of undefined ones would be written twice.
                    if !["op", $(stringify!($field)),*].contains(&key.as_str()) {
                        members.serialize_entry(key, value)?;
                    }
                }
                members.end()
            }
        }

        impl Print for $Name {
            fn print(&self, out: &mut Vec<u8>) {
                let start = out.len();
                const OP: [u8; print::whole_len("op", Some($op))] = print::whole("op", Some($op));
                out.extend_from_slice(&OP);
                $({
                    const START: [u8; print::start_len(stringify!($field))] = print::start(stringify!($field));
                    self.$field.member(&START, out);
                })*
                for (key, value) in self.undefined.iter().flat_map(|undefined| undefined.iter()) {
                    if !["op", $(stringify!($field)),*].contains(&key.as_str()) {
                        print::member(key, out);
                        value.print(out);
                    }
                }
                print::close(start, out);
            }
        }

        impl<'de> Deserialize<'de> for $Name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;

                impl<'de> Visitor<'de> for Members {
                    type Value = $Name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("an object (", stringify!($Name), ")"))
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<$Name, A::Error> {
                        let mut op = None;
                        $(let mut $field = None;)*
                        let mut undefined = JsonObject::new();
                        while let Some(key) = members.next_key::<String>()? {
                            match key.as_str() {
                                "op" if op.is_some() => return Err(de::Error::duplicate_field("op")),
                                "op" => op = Some(members.next_value::<Fixed<$Name>>()?),
                                $(
                                    stringify!($field) if $field.is_some() => {
                                        return Err(de::Error::duplicate_field(stringify!($field)));
                                    }
                                    stringify!($field) => $field = Some(members.next_value()?),
                                )*
                                _ => {
                                    undefined.insert(key, members.next_value()?);
                                }
                            }
                        }
                        if op.is_none() {
                            return Err(de::Error::missing_field("op"));
                        }
                        Ok($Name {
                            $($field: $field.ok_or_else(|| de::Error::missing_field(stringify!($field)))?,)*
                            undefined: (!undefined.is_empty()).then(|| Box::new(undefined)),
                        })
                    }
                }

                deserializer.deserialize_map(Members)
            }
        }
    };
}

operation! {
    /// Inserts `value` at `path`, or sets the member there.
    ///
    /// ```
    /// use agui_runtime::protocol::{AddOperation, JsonPointer, PatchOperation};
    ///
    /// let place: JsonPointer = "/list/-".parse().unwrap();
    /// assert_eq!(PatchOperation::from(AddOperation::new(place.clone(), "rice")), PatchOperation::add(place, "rice"));
    /// ```
    pub struct AddOperation: "add" {
        /// The place.
        path: JsonPointer,
        /// The value; `null` is a value.
        value: Value,
    }
}

operation! {
    /// Removes the value at `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::RemoveOperation;
    ///
    /// // Members that RFC 6902 does not define are kept.
    /// let text = r#"{"op":"remove","path":"/list/0","by":"Ada"}"#;
    /// let operation: RemoveOperation = serde_json::from_str(text).unwrap();
    /// assert_eq!(operation.undefined.as_ref().unwrap()["by"], "Ada");
    /// assert_eq!(serde_json::to_string(&operation).unwrap(), text);
    ///
    /// let place = operation.path.clone();
    /// assert_eq!(RemoveOperation::new(place).undefined, None);
    /// ```
    pub struct RemoveOperation: "remove" {
        /// The place.
        path: JsonPointer,
    }
}

operation! {
    /// Replaces the value at `path` with `value`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, ReplaceOperation};
    ///
    /// let operation = ReplaceOperation::new(JsonPointer::root().child("servings"), 4);
    /// assert_eq!(
    ///     serde_json::to_string(&operation).unwrap(),
    ///     r#"{"op":"replace","path":"/servings","value":4}"#,
    /// );
    /// ```
    pub struct ReplaceOperation: "replace" {
        /// The place.
        path: JsonPointer,
        /// The value; `null` is a value.
        value: Value,
    }
}

operation! {
    /// Moves the value at `from` to `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, MoveOperation};
    ///
    /// let list = JsonPointer::root().child("list");
    /// let operation = MoveOperation::new(list.child("2"), list.child("0"));
    /// assert_eq!(
    ///     serde_json::to_string(&operation).unwrap(),
    ///     r#"{"op":"move","from":"/list/2","path":"/list/0"}"#,
    /// );
    /// ```
    pub struct MoveOperation: "move" {
        /// The old place.
        from: JsonPointer,
        /// The new place.
        path: JsonPointer,
    }
}

operation! {
    /// Copies the value at `from` to `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{CopyOperation, JsonPointer};
    ///
    /// let root = JsonPointer::root();
    /// let operation = CopyOperation::new(root.child("draft"), root.child("title"));
    /// assert_eq!(serde_json::to_string(&operation).unwrap(), r#"{"op":"copy","from":"/draft","path":"/title"}"#);
    /// ```
    pub struct CopyOperation: "copy" {
        /// The place of the original.
        from: JsonPointer,
        /// The place of the copy.
        path: JsonPointer,
    }
}

operation! {
    /// Fails the patch unless the value at `path` equals `value`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, TestOperation};
    ///
    /// let operation = TestOperation::new(JsonPointer::root().child("revision"), 7);
    /// assert_eq!(serde_json::to_string(&operation).unwrap(), r#"{"op":"test","path":"/revision","value":7}"#);
    /// ```
    pub struct TestOperation: "test" {
        /// The place.
        path: JsonPointer,
        /// The expected value; `null` is a value.
        value: Value,
    }
}

union! {
    /// One step of a patch (RFC 6902, section 4).
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    /// use serde_json::{Value, json};
    ///
    /// let operation = PatchOperation::replace(JsonPointer::root().child("umbrella"), Value::Null);
    /// assert_eq!(
    ///     serde_json::to_value(operation).unwrap(),
    ///     json!({ "op": "replace", "path": "/umbrella", "value": null }),
    /// );
    /// ```
    pub enum PatchOperation: "op" = OP, "a JSON Patch operation" {
        /// `add`
        Add(AddOperation),
        /// `remove`
        Remove(RemoveOperation),
        /// `replace`
        Replace(ReplaceOperation),
        /// `move`
        Move(MoveOperation),
        /// `copy`
        Copy(CopyOperation),
        /// `test`
        Test(TestOperation),
    }
}

impl PatchOperation {
    /// Creates an operation that inserts `value` at `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    ///
    /// let at = |path: &str| path.parse::<JsonPointer>().unwrap();
    /// let operation = PatchOperation::add(at("/list/-"), "rice");
    /// assert_eq!(serde_json::to_value(&operation).unwrap(), serde_json::json!({"op":"add","path":"/list/-","value":"rice"}));
    /// ```
    #[must_use]
    pub fn add(path: JsonPointer, value: impl Into<Value>) -> Self {
        AddOperation::new(path, value).into()
    }

    /// Creates an operation that removes the value at `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    ///
    /// let at = |path: &str| path.parse::<JsonPointer>().unwrap();
    /// let operation = PatchOperation::remove(at("/list/0"));
    /// assert_eq!(serde_json::to_value(&operation).unwrap(), serde_json::json!({"op":"remove","path":"/list/0"}));
    /// ```
    #[must_use]
    pub fn remove(path: JsonPointer) -> Self {
        RemoveOperation::new(path).into()
    }

    /// Creates an operation that replaces the value at `path` with `value`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    ///
    /// let at = |path: &str| path.parse::<JsonPointer>().unwrap();
    /// let operation = PatchOperation::replace(at("/n"), 2);
    /// assert_eq!(serde_json::to_value(&operation).unwrap(), serde_json::json!({"op":"replace","path":"/n","value":2}));
    /// ```
    #[must_use]
    pub fn replace(path: JsonPointer, value: impl Into<Value>) -> Self {
        ReplaceOperation::new(path, value).into()
    }

    /// Creates an operation that moves the value at `from` to `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    ///
    /// let at = |path: &str| path.parse::<JsonPointer>().unwrap();
    /// let operation = PatchOperation::move_(at("/old"), at("/new"));
    /// assert_eq!(serde_json::to_value(&operation).unwrap(), serde_json::json!({"op":"move","from":"/old","path":"/new"}));
    /// ```
    #[must_use]
    pub fn move_(from: JsonPointer, path: JsonPointer) -> Self {
        MoveOperation::new(from, path).into()
    }

    /// Creates an operation that copies the value at `from` to `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    ///
    /// let at = |path: &str| path.parse::<JsonPointer>().unwrap();
    /// let operation = PatchOperation::copy(at("/a"), at("/b"));
    /// assert_eq!(serde_json::to_value(&operation).unwrap(), serde_json::json!({"op":"copy","from":"/a","path":"/b"}));
    /// ```
    #[must_use]
    pub fn copy(from: JsonPointer, path: JsonPointer) -> Self {
        CopyOperation::new(from, path).into()
    }

    /// Creates an operation that fails the patch unless the value at `path` equals `value`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    ///
    /// let at = |path: &str| path.parse::<JsonPointer>().unwrap();
    /// let operation = PatchOperation::test(at("/n"), 1);
    /// assert_eq!(serde_json::to_value(&operation).unwrap(), serde_json::json!({"op":"test","path":"/n","value":1}));
    /// ```
    #[must_use]
    pub fn test(path: JsonPointer, value: impl Into<Value>) -> Self {
        TestOperation::new(path, value).into()
    }

    /// Returns the place that the operation writes or tests.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    ///
    /// let operation = PatchOperation::remove(JsonPointer::root().child("rain"));
    /// assert_eq!(operation.path().as_str(), "/rain");
    /// ```
    #[must_use]
    pub fn path(&self) -> &JsonPointer {
        match self {
            Self::Add(operation) => &operation.path,
            Self::Remove(operation) => &operation.path,
            Self::Replace(operation) => &operation.path,
            Self::Move(operation) => &operation.path,
            Self::Copy(operation) => &operation.path,
            Self::Test(operation) => &operation.path,
        }
    }

    /// The place that a `move` or a `copy` takes a value from.
    pub(crate) fn source(&self) -> Option<&JsonPointer> {
        match self {
            Self::Move(operation) => Some(&operation.from),
            Self::Copy(operation) => Some(&operation.from),
            Self::Add(_) | Self::Remove(_) | Self::Replace(_) | Self::Test(_) => None,
        }
    }
}
