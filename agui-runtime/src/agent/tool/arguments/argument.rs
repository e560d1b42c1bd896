//! Arguments: the by-value parameters of a tool.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bundle::bundle;

/// The derives that an argument of a tool needs. Every type that has them implements it.
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
pub trait Argument: Serialize + DeserializeOwned + JsonSchema {}

bundle!(Argument: Serialize + DeserializeOwned + JsonSchema);

/// Declares a type in the arguments of tool `T`. `#[tool]` implements it where the type is written, and the derives of
/// serde and schemars on the struct of the arguments assume it. So a type that is not an [`Argument`] is one error
/// there, and no error in the derived code. The lifetime makes the compiler accept an assumption that does not hold.
#[doc(hidden)]
pub trait ArgumentOf<'a, T, const I: usize>: Argument {}
