//! The user's choices for additional and alternative output.

use std::collections::{BTreeMap, BTreeSet};

/// The output options; all are off by default.
///
/// ```
/// use agui_codegen::ir::OutputOptions;
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct DishId(String);
/// # let chef = AgentSource { state: Some(TypeSource::of::<DishId>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let mut api = lower(&manifest)?;
/// assert_eq!(api.options, OutputOptions::default());
/// api.options.brand.insert("DishId".to_owned());
/// let files = LANGUAGES[0].emit(&api);
/// let types = files.iter().find(|file| file.path == "chef/types.ts").expect("every agent has types");
/// assert!(types.text.contains("brand"), "{}", types.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputOptions {
    /// React hooks, in TypeScript.
    pub react: Option<ReactPackage>,
    /// Zod schemas, in TypeScript.
    pub zod: Option<ZodVersion>,
    /// One TypeScript module for each agent; only modules that import other packages stay separate.
    pub single_file: bool,
    /// Runs over one WebSocket: `webSocketFetch` in TypeScript, `WebSocketTransport` in Python.
    pub websocket: bool,
    /// The webhook check: `verifyWebhook` in TypeScript, `verify_webhook` in Python.
    pub webhooks: bool,
    /// The string and number types that are branded in TypeScript. Use the names in the generated code, so the names
    /// after [`rename`](crate::rewrite::rename).
    pub brand: BTreeSet<String>,
    /// The TypeScript type name for strings with a given format: `uuid` is the key for `Uuid`.
    pub formats: BTreeMap<String, String>,
    /// The Python form for objects.
    pub python_style: PythonStyle,
    /// The Python form for string enums.
    pub python_enum: PythonEnum,
    /// The Python form for strings with a format.
    pub python_formats: PythonFormats,
}

/// The Zod version.
///
/// ```
/// use agui_codegen::ir::ZodVersion;
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let chef = AgentSource { state: Some(TypeSource::of::<bool>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let mut api = lower(&manifest)?;
/// api.options.zod = Some(ZodVersion::V4);
/// assert!(LANGUAGES[0].emit(&api).iter().any(|file| file.text.contains("zod/v4")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZodVersion {
    /// `zod/v3`.
    V3,
    /// `zod/v4`.
    V4,
}

/// The Python form for objects.
///
/// ```
/// use agui_codegen::ir::PythonStyle;
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish { name: String }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Dish>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let mut api = lower(&manifest)?;
/// let has = |api: &_, text: &str| LANGUAGES[1].emit(api).iter().any(|file| file.text.contains(text));
/// assert!(has(&api, "pydantic"));
/// api.options.python_style = PythonStyle::TypedDict;
/// assert!(has(&api, "TypedDict"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonStyle {
    /// A pydantic model, which validates, and a client that uses the models.
    #[default]
    Pydantic,
    /// A `TypedDict`: for type checkers only, without dependencies.
    TypedDict,
}

/// The Python form for string enums.
///
/// ```
/// use agui_codegen::ir::PythonEnum;
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # enum Status { Open, Done }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Status>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let mut api = lower(&manifest)?;
/// api.options.python_enum = PythonEnum::StrEnum;
/// assert!(LANGUAGES[1].emit(&api).iter().any(|file| file.text.contains("class Status(str, Enum):")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonEnum {
    /// `Literal["open", "done"]`.
    #[default]
    Literal,
    /// A class that is both an `Enum` and a `str`.
    StrEnum,
}

/// The Python form for strings with a format, such as dates and ids.
///
/// ```
/// use agui_codegen::ir::PythonFormats;
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Order { id: uuid::Uuid }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Order>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let mut api = lower(&manifest)?;
/// api.options.python_formats = PythonFormats::Types;
/// assert!(LANGUAGES[1].emit(&api).iter().any(|file| file.text.contains("UUID")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonFormats {
    /// `str`.
    #[default]
    Text,
    /// Types from Python's standard library, for the formats that have such a type:
    ///
    /// | format | type |
    /// |---|---|
    /// | `date-time`, `partial-date-time` | `datetime` |
    /// | `date` | `date` |
    /// | `partial-time` | `time` |
    /// | `uuid` | `UUID` |
    /// | `decimal`: the numbers of crate rust_decimal | `Decimal` |
    /// | `ipv4`, `ipv6`, `ip` | `IPv4Address`, `IPv6Address`, either |
    ///
    /// A `datetime` stores microseconds: further digits are lost.
    Types,
}

/// The package on which the React hooks are built.
///
/// ```
/// use agui_codegen::ir::ReactPackage;
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
///
/// let mut api = lower(&manifest)?;
/// api.options.react = Some(ReactPackage::V1);
/// assert!(LANGUAGES[0].emit(&api).iter().any(|file| file.path == "chef/react.ts"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactPackage {
    /// `@copilotkit/react-core`.
    V1,
    /// `@copilotkit/react-core/v2`.
    V2,
    /// React alone: the hooks read the generated client.
    Plain,
}
