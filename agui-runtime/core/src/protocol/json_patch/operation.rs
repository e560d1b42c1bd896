//! `operation!`: declares a JSON Patch operation.

/// Declares an operation. Unlike every other protocol object, operations are open: RFC 6902 says that undefined members are
/// ignored, not removed, so they are kept.
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

            /// Creates [the operation](Self) from its members, in wire order.
            #[must_use]
            pub fn new($($field: impl Into<$Type>),*) -> Self {
                Self { $($field: $field.into(),)* undefined: None }
            }
        }

        impl LiteralMember for $Name {
            const TEXT: &'static str = $op;
        }

        #[cfg(feature = "receive")]
        impl ScanMembers for $Name {
            fn scan_members(scanner: &mut JsonScanner<'_>, tag: Option<&'static str>) -> Option<Self> {
                let mut op = <FixedMember<$Name>>::from_tag("op", tag);
                $(let mut $field = None;)*
                let mut undefined: Option<Box<JsonObject>> = None;
                let mut first = tag.is_none();
                'plain: {
                    $(
                        if scanner.is_key(&mut first, concat!(",\"", stringify!($field), "\":")) {
                            $field = Some(<$Type>::scan(scanner)?);
                            if scanner.is_at_brace() {
                                break 'plain;
                            }
                        }
                    )*
                }
                while let Some(key) = scanner.key(&mut first)? {
                    match key {
                        "op" if op.is_none() => op = Some(<FixedMember<$Name>>::scan(scanner)?),
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

        impl ShapedType for $Name {
            const SHAPE: JsonShape = JsonShape::Object(&ObjectShape {
                open: true,
                members: &[
                    MemberShape::new::<FixedMember<$Name>>("op"),
                    $(MemberShape::new::<$Type>(stringify!($field)),)*
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

        impl JsonPrint for $Name {
            fn print(&self, out: &mut Vec<u8>) {
                let start = out.len();
                out.extend_from_slice(concat!(",\"op\":\"", $op, "\"").as_bytes());
                $(self.$field.member(concat!(",\"", stringify!($field), "\":\""), out);)*
                for (key, value) in self.undefined.iter().flat_map(|undefined| undefined.iter()) {
                    if !["op", $(stringify!($field)),*].contains(&key.as_str()) {
                        print::member(key, out);
                        value.print(out);
                    }
                }
                print::close(start, out);
            }
        }

        impl ReadMembers for $Name {
            const EXPECTING: &'static str = concat!("an object (", stringify!($Name), ")");

            fn read_members<'de, A: MapAccess<'de>>(mut members: A) -> Result<Self, A::Error> {
                let mut op = None;
                $(let mut $field = None;)*
                let mut undefined = JsonObject::new();
                while let Some(key) = members.next_key::<String>()? {
                    match key.as_str() {
                        "op" => read_new::<FixedMember<$Name>, A>(&mut op, &mut members, "op")?,
                        $(stringify!($field) => read_new(&mut $field, &mut members, stringify!($field))?,)*
                        _ => {
                            undefined.insert(key, members.next_value()?);
                        }
                    }
                }
                found(op, "op")?;
                Ok(Self {
                    $($field: found($field, stringify!($field))?,)*
                    undefined: (!undefined.is_empty()).then(|| Box::new(undefined)),
                })
            }
        }

        impl<'de> Deserialize<'de> for $Name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                members::read_object(deserializer)
            }
        }
    };
}

pub(in crate::protocol) use operation;
