//! Fields that serde writes in a way of their own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::Node;
use super::super::apply::Target;
use super::super::engine::{Out, Patch, Path, Token, opaque};

/// Not a state, without `==`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct Foreign {
    pub(super) x: f32,
}

mod hex {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{value:x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        u32::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(super) struct ByHand {
    // #[state(opaque)]
    #[serde(with = "hex")]
    #[schemars(with = "String")]
    pub(super) color: u32,
    // #[state(opaque)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) foreign: Option<Foreign>,
}

const _: () = {
    // One function for each opaque field: by its `with` module (or `serialize_with`) …
    fn write0(value: &u32, out: &mut Out) {
        out.serialize(|serializer| hex::serialize(value, serializer));
    }

    // … or by `Serialize`.
    fn write1(value: &Option<Foreign>, out: &mut Out) {
        out.serde(value);
    }

    use opaque::{ViaEq as _, ViaText as _};

    #[allow(clippy::needless_borrow, reason = "the reference chooses between `==` and the texts")]
    impl Node for ByHand {
        const MIN: usize = 2 + "\"color\":".len() + 1;

        #[inline]
        fn same(&self, now: &Self) -> bool {
            opaque::same(&self.color, &now.color, (&opaque::Equal(&self.color, &now.color)).equal(), write0)
                && match (Option::is_none(&self.foreign), Option::is_none(&now.foreign)) {
                    (false, false) => opaque::same(
                        &self.foreign,
                        &now.foreign,
                        (&opaque::Equal(&self.foreign, &now.foreign)).equal(),
                        write1,
                    ),
                    (old, now) => old == now,
                }
        }

        fn write(&self, out: &mut Out) {
            out.raw("{\"color\":");
            write0(&self.color, out);
            if !Option::is_none(&self.foreign) {
                out.raw(",\"foreign\":");
                write1(&self.foreign, out);
            }
            out.byte(b'}');
        }

        fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
            let mark = out.mark();
            let equal = (&opaque::Equal(&self.color, &now.color)).equal();
            opaque::sync(&mut self.color, &now.color, equal, write0, &at.lit("/color"), out);
            match (Option::is_none(&self.foreign), Option::is_none(&now.foreign)) {
                (true, true) => {}
                (false, false) => {
                    let equal = (&opaque::Equal(&self.foreign, &now.foreign)).equal();
                    opaque::sync(&mut self.foreign, &now.foreign, equal, write1, &at.lit("/foreign"), out);
                }
                (true, false) => {
                    opaque::gained(&mut self.foreign, &now.foreign, write1, &at.lit("/foreign"), out);
                }
                (false, true) => opaque::lost(&mut self.foreign, &now.foreign, &at.lit("/foreign"), out),
            }
            out.settle(mark, at, now);
        }

        fn token(&self, token: &mut Token) {
            opaque::token(&self.color, write0, token);
            if Option::is_none(&self.foreign) {
                token.null()
            } else {
                opaque::token(&self.foreign, write1, token)
            }
        }

        fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
            // Opaque fields are read anew with their owner.
            let _ = segment;
            None
        }
    }
};
