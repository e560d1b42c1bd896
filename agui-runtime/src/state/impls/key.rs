//! The keys of maps.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{self, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::super::engine::KeyText;

/// A type that can be the key of a map in shared state: one that JSON can write as a member's name.
///
/// Without it, a map with other keys would compile and fail when the state is written. `#[derive(State)]` implements it
/// for enums of unit variants and for structs around a key.
///
/// ```
/// fn key<K: agui_runtime::MapKey>() {}
///
/// key::<String>();
/// key::<u64>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map in shared state",
    label = "JSON cannot write this as the name of a member",
    note = "use a string, an integer, a bool, a char or an enum of unit variants as the key"
)]
pub trait MapKey: Serialize + DeserializeOwned + JsonSchema + Clone + 'static {
    /// The key as the name of a member, as serde_json writes it.
    #[doc(hidden)]
    fn name(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        let text = serde_json::to_string(&Member(self))?;
        Ok(Cow::Owned(serde_json::from_str::<Name<String>>(&text)?.0))
    }

    /// The key that has this name.
    #[doc(hidden)]
    fn from_name(name: &str) -> Result<Self, serde_json::Error> {
        let text = serde_json::to_string(&Member(name))?;
        Ok(serde_json::from_str::<Name<Self>>(&text)?.0)
    }
}

macro_rules! plain {
    ($($ty:ty)*) => {$(
        impl MapKey for $ty {}
    )*};
}

plain!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! texts {
    ($($ty:ty)*) => {$(
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

texts!(String Cow<'static, str> Arc<str>);

impl<K: MapKey> KeyText for K {
    fn text(&self, take: &mut dyn FnMut(&str)) -> Result<(), serde_json::Error> {
        take(&self.name()?);
        Ok(())
    }
}

/// An object of one member, by which serde_json turns keys into names and back.
struct Member<'a, K: ?Sized>(&'a K);

impl<K: Serialize + ?Sized> Serialize for Member<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, ())])
    }
}

struct Name<K>(K);

impl<'de, K: Deserialize<'de>> Deserialize<'de> for Name<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First<K>(PhantomData<K>);

        impl<'de, K: Deserialize<'de>> Visitor<'de> for First<K> {
            type Value = Name<K>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of one member")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Name<K>, A::Error> {
                match members.next_entry::<K, IgnoredAny>()? {
                    Some((key, _)) => Ok(Name(key)),
                    None => Err(de::Error::invalid_length(0, &self)),
                }
            }
        }

        deserializer.deserialize_map(First(PhantomData))
    }
}
