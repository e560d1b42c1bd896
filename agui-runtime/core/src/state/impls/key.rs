//! Map keys.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{self, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::super::engine::KeyText;

/// A type that can be a map key in shared state: JSON can write it as a member name.
///
/// Without this bound, a map with other keys would compile, but writing the state would fail. Strings, integers, bools, chars and
/// network addresses are keys, and with their features the ids of `uuid`, dates of `chrono` and `jiff`, numbers of `rust_decimal`
/// and addresses of `url`.
///
/// For a custom type that serde writes as one of these, add an empty `impl`:
///
/// ```
/// use std::collections::HashMap;
///
/// use agui_runtime::prelude::*;
/// use agui_runtime::state::MapKey;
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Hash)]
/// struct CardId(u64);
///
/// impl MapKey for CardId {}
///
/// #[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
/// struct Board {
///     notes: HashMap<CardId, String>,
/// }
///
/// let old = Board { notes: HashMap::new() };
/// let now = Board { notes: HashMap::from([(CardId(7), "late".to_owned())]) };
/// let operations = agui_runtime::state::diff(&old, &now)?;
/// assert_eq!(serde_json::to_string(&operations)?, r#"[{"op":"add","path":"/notes/7","value":"late"}]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `#[derive(State)]` implements it for enums with unit variants only and for newtype structs around a key. A key that serde
/// writes in another way is an error when the state is written, and nothing is sent. Equal keys of a custom type must have the
/// same name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map in shared state",
    label = "not known to be written as the name of a member",
    note = "if serde writes it as a string or an integer, say so: `impl MapKey for {Self} {{}}`, or, for a type of another crate, \
            in a newtype with `#[derive(State)]`; otherwise use a string, an integer, a bool, a char or an enum of unit variants",
    note = "for types of uuid, chrono, jiff, rust_decimal and url, turn on the feature of agui-runtime with the name of the crate"
)]
pub trait MapKey: Serialize + DeserializeOwned + JsonSchema + Clone + 'static {
    /// True if equal keys can have different names, as `1.0` and `1.00` with rust_decimal.
    #[doc(hidden)]
    const EQUAL_WITH_OTHER_NAME: bool = false;

    /// Returns the key as a member name, as serde_json writes it.
    #[doc(hidden)]
    fn name(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        let text = serde_json::to_string(&SingleMember(self))?;
        Ok(Cow::Owned(serde_json::from_str::<MemberName<String>>(&text)?.0))
    }

    /// Returns the key with this name.
    #[doc(hidden)]
    fn from_name(name: &str) -> Result<Self, serde_json::Error> {
        let text = serde_json::to_string(&SingleMember(name))?;
        Ok(serde_json::from_str::<MemberName<Self>>(&text)?.0)
    }
}

macro_rules! plain {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl MapKey for $ty {}
    )*};
}

plain!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! texts {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl MapKey for $ty {
            fn name(&self) -> Result<Cow<'_, str>, serde_json::Error> {
                Ok(Cow::Borrowed(self))
            }

            fn from_name(name: &str) -> Result<Self, serde_json::Error> {
                Ok(name.to_owned().into())
            }
        }
    )*};
}

texts!(String Cow<'static, str> Box<str> Rc<str> Arc<str>);

/// Returns true if the two keys, which are equal, have one name.
pub(super) fn is_same_name<K: MapKey>(old: &K, now: &K) -> bool {
    !K::EQUAL_WITH_OTHER_NAME || matches!((old.name(), now.name()), (Ok(old), Ok(now)) if old == now)
}

impl<K: MapKey> KeyText for K {
    fn text(&self, take: &mut dyn FnMut(&str)) -> Result<(), serde_json::Error> {
        take(&self.name()?);
        Ok(())
    }
}

/// An object with one member, through which serde_json converts keys to names and back.
struct SingleMember<'a, K: ?Sized>(&'a K);

impl<K: Serialize + ?Sized> Serialize for SingleMember<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, ())])
    }
}

struct MemberName<K>(K);

impl<'de, K: Deserialize<'de>> Deserialize<'de> for MemberName<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First<K>(PhantomData<K>);

        impl<'de, K: Deserialize<'de>> Visitor<'de> for First<K> {
            type Value = MemberName<K>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of one member")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<MemberName<K>, A::Error> {
                match members.next_entry::<K, IgnoredAny>()? {
                    Some((key, _)) => Ok(MemberName(key)),
                    None => Err(de::Error::invalid_length(0, &self)),
                }
            }
        }

        deserializer.deserialize_map(First(PhantomData))
    }
}
