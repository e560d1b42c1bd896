//! Arguments: a tool's by-value parameters.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bundle::bundle;

/// Derives that a tool argument needs. Every type with these derives implements this trait.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "the model cannot write it: it has no JSON form, or no schema of it",
    note = "write `#[derive(Serialize, Deserialize, JsonSchema)]` on it; or borrow it, `&{Self}`, if the agent has it",
    note = "for a type of another crate, turn on the feature of `agui-runtime` that has its name (`uuid`, `chrono`, `jiff`, `url`, `bytes`, \
            `rust_decimal`), or its feature for serde and the feature of schemars that has its name; or wrap it in a type of your own that \
            has these derives",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait ArgumentData: Serialize + DeserializeOwned + JsonSchema {}

bundle!(ArgumentData: Serialize + DeserializeOwned + JsonSchema);

/// Declares an argument type for tool `T`. `#[tool]` implements the trait where the type is written, and the serde and schemars
/// derives on the arguments struct assume the impl. So a type that is not an [`ArgumentData`] is one error there, and no error in the
/// derived code. The lifetime makes the compiler accept an assumption that does not hold.
#[doc(hidden)]
pub trait ArgumentOf<'a, T, const I: usize>: ArgumentData {}
