//! Transparent traits for a tracked value: serde and schemars see the inner value.

/// Implements `Serialize`, `Deserialize` and `JsonSchema` through the inner value, which `$new` wraps.
macro_rules! transparent {
    ($Outer:ident<$Inner:ident: $Bound:ident>, $field:ident) => {
        impl<$Inner: $Bound> ::serde::Serialize for $Outer<$Inner> {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.$field.serialize(serializer)
            }
        }

        impl<'de, $Inner: $Bound> ::serde::Deserialize<'de> for $Outer<$Inner> {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$Inner as ::serde::Deserialize<'de>>::deserialize(deserializer).map(Self::new)
            }
        }

        impl<$Inner: $Bound> ::schemars::JsonSchema for $Outer<$Inner> {
            fn inline_schema() -> bool {
                $Inner::inline_schema()
            }

            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                $Inner::schema_name()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                $Inner::schema_id()
            }

            fn json_schema(generator: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                $Inner::json_schema(generator)
            }
        }

        impl<$Inner: $Bound + PartialEq> PartialEq for $Outer<$Inner> {
            fn eq(&self, other: &Self) -> bool {
                self.$field == other.$field
            }
        }

        impl<$Inner: $Bound + Eq> Eq for $Outer<$Inner> {}

        impl<$Inner: $Bound + Default> Default for $Outer<$Inner> {
            fn default() -> Self {
                Self::new($Inner::default())
            }
        }

        impl<$Inner: $Bound> From<$Inner> for $Outer<$Inner> {
            fn from(inner: $Inner) -> Self {
                Self::new(inner)
            }
        }

        impl<$Inner: $Bound + ::std::fmt::Debug> ::std::fmt::Debug for $Outer<$Inner> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.$field.fmt(f)
            }
        }

        impl<$Inner: $Bound> ::std::ops::Deref for $Outer<$Inner> {
            type Target = $Inner;

            #[inline]
            fn deref(&self) -> &$Inner {
                &self.$field
            }
        }
    };
}

/// The [`StateNode`](super::super::StateNode) methods that the inner value implements.
macro_rules! node_of_inner {
    ($Inner:ident, $field:ident) => {
        const MIN: usize = <$Inner as StateNode>::MIN;
        const EXACT: bool = <$Inner as StateNode>::EXACT;
        const KEYED: bool = <$Inner as StateNode>::KEYED;

        fn is_open(types: &mut $crate::state::engine::VisitedTypes) -> bool {
            <$Inner as StateNode>::is_open(types)
        }

        fn same(&self, now: &Self) -> bool {
            self.$field.same(&now.$field)
        }

        fn write(&self, out: &mut $crate::state::engine::JsonOut) {
            self.$field.write(out);
        }

        fn is_null(&self) -> bool {
            self.$field.is_null()
        }

        fn floor(&self) -> usize {
            self.$field.floor()
        }

        fn least_change(&self, now: &Self, path: usize) -> usize {
            self.$field.least_change(&now.$field, path)
        }

        fn token(&self, token: &mut $crate::state::engine::ValueToken) {
            StateNode::token(&self.$field, token);
        }

        fn key_same(&self, now: &Self) -> bool {
            self.$field.key_same(&now.$field)
        }

        fn key_token(&self, token: &mut $crate::state::engine::ValueToken) {
            self.$field.key_token(token);
        }
    };
}

pub(super) use {node_of_inner, transparent};
