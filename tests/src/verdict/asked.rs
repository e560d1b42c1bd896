//! The command line of the judge.

use std::str::FromStr;

/// The content of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The parts, in order.
    pub parts: Vec<Part>,
    /// The transport to the whole client.
    pub wire: Wire,
    /// True if events are left out, except for their types.
    pub terse: bool,
}

impl Asked {
    /// These parts, with everything in them.
    #[must_use]
    pub fn whole(parts: impl IntoIterator<Item = Part>) -> Self {
        Self { parts: parts.into_iter().collect(), wire: Wire::Sse, terse: false }
    }

    /// Reads the command line of `tests/oracle/verify.mjs`.
    ///
    /// # Errors
    /// Returns the unknown argument.
    ///
    /// ```
    /// use agui_tests::verdict::{Asked, Part, Wire};
    ///
    /// let asked = Asked::parse(["--only", "check,compact", "--wire", "proto"].map(str::to_owned)).unwrap();
    /// assert_eq!((asked.parts, asked.wire), (vec![Part::Check, Part::Compact], Wire::Proto));
    /// assert!(Asked::parse(["--tense".to_owned()]).unwrap_err().starts_with("unknown argument '--tense'"));
    /// ```
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut asked = Self::whole([Part::Verify, Part::Check, Part::Pipeline]);
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--only" => {
                    asked.parts = value()?.split(',').map(Part::from_str).collect::<Result<_, _>>()?;
                }
                "--wire" => asked.wire = value()?.parse()?,
                "--terse" => asked.terse = true,
                other => {
                    return Err(format!("unknown argument '{other}', expected --only, --wire or --terse"));
                }
            }
        }
        Ok(asked)
    }
}

/// A part of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The ordering verifier alone.
    Verify,
    /// Enforcement alone.
    Enforce,
    /// Chunk expansion alone.
    Expand,
    /// Enforcement, expansion, verification.
    Check,
    /// The whole client.
    Pipeline,
    /// Compaction.
    Compact,
}

impl Part {
    /// All there are.
    pub const ALL: [Self; 6] =
        [Self::Verify, Self::Enforce, Self::Expand, Self::Check, Self::Pipeline, Self::Compact];

    /// The name of the part.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Enforce => "enforce",
            Self::Expand => "expand",
            Self::Check => "check",
            Self::Pipeline => "pipeline",
            Self::Compact => "compact",
        }
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|part| part.name() == name).ok_or_else(|| {
            format!("unknown part '{name}', expected one of {}", Self::ALL.map(Self::name).join(", "))
        })
    }
}

/// A transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Server-sent events.
    Sse,
    /// The binary one.
    Proto,
}

impl FromStr for Wire {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "sse" => Ok(Self::Sse),
            "proto" => Ok(Self::Proto),
            other => Err(format!("unknown wire '{other}', expected sse or proto")),
        }
    }
}
