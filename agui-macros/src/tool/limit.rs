//! Tool limits: call time and result size.

use std::time::Duration;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::parse::ParseStream;
use syn::{Ident, Lit};

use super::model::{ToolModel, ToolSide};
use crate::attr::literal;
use crate::krate::PrivatePath;
use crate::report::Report;

#[derive(Clone, Default)]
pub(crate) struct ToolLimits {
    pub(crate) timeout: Option<ToolLimit<Duration>>,
    pub(crate) max_result: Option<ToolLimit<usize>>,
}

/// A limit, and the key that sets the limit.
#[derive(Clone)]
pub(crate) struct ToolLimit<T> {
    key: Ident,
    value: T,
}

const TIME: &str = "`timeout` takes a time above 0, a whole number and its unit, `ms`, `s`, `m` or `h`: write `timeout = \
                    \"10s\"`";

const SIZE: &str = "`max_result` takes a size above 0, a whole number of bytes or one with its unit, `B`, `KB`, `KiB`, `MB` \
                    or `MiB`: write `max_result = \"64KB\"`";

const TIMES: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("m", 60 * 1000), ("h", 60 * 60 * 1000)];

const SIZES: [(&str, u64); 5] =
    [("B", 1), ("KB", 1000), ("KiB", 1024), ("MB", 1000 * 1000), ("MiB", 1024 * 1024)];

impl ToolLimits {
    pub(crate) fn read_timeout(&mut self, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        // The key counts as written even if its value is wrong: it decides the type of the result.
        let mut timeout = |value| self.timeout = Some(ToolLimit { key: key.clone(), value });
        timeout(Duration::MAX);
        let lit = literal(key, input, TIME)?;
        let millis = match &lit {
            Lit::Str(text) => measure(&text.value(), &TIMES),
            _ => None,
        };
        timeout(Duration::from_millis(millis.ok_or_else(|| syn::Error::new(lit.span(), TIME))?));
        Ok(())
    }

    pub(crate) fn read_max_result(&mut self, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let lit = literal(key, input, SIZE)?;
        let bytes = match &lit {
            Lit::Str(text) => measure(&text.value(), &SIZES),
            Lit::Int(bytes) if bytes.suffix().is_empty() => {
                bytes.base10_parse().ok().filter(|bytes| *bytes > 0)
            }
            _ => None,
        };
        let bytes = bytes.and_then(|bytes: u64| usize::try_from(bytes).ok());
        let value = bytes.ok_or_else(|| syn::Error::new(lit.span(), SIZE))?;
        self.max_result = Some(ToolLimit { key: key.clone(), value });
        Ok(())
    }

    /// Trait constants; empty for a tool without own limits.
    pub(super) fn expand(&self, private: &PrivatePath) -> TokenStream {
        let timeout = self.timeout.as_ref().map(|timeout| {
            // Not more than `u64::MAX`: it was read as that.
            let millis = Literal::u64_suffixed(u64::try_from(timeout.value.as_millis()).unwrap_or(u64::MAX));
            quote! {
                const TIMEOUT: ::core::option::Option<#private::Duration> =
                    ::core::option::Option::Some(#private::Duration::from_millis(#millis));
            }
        });
        let max_result = self.max_result.as_ref().map(|max| {
            let bytes = max.value;
            quote!(const MAX_RESULT: ::core::primitive::usize = #bytes;)
        });
        quote!(#timeout #max_result)
    }
}

/// Reads a whole number above 0 with a unit.
fn measure(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, unit) = text.split_at_checked(digits)?;
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim_start_matches(' '))?;
    number.parse::<u64>().ok()?.checked_mul(*factor).filter(|product| *product > 0)
}

pub(super) fn check(tool: &ToolModel, report: &Report) {
    let ToolLimits { timeout, max_result } = &tool.limits;
    if tool.side == ToolSide::Frontend {
        let keys = [timeout.as_ref().map(|limit| &limit.key), max_result.as_ref().map(|limit| &limit.key)];
        for key in keys.into_iter().flatten() {
            report.error(
                key,
                format_args!(
                    "`{key}` and `frontend` exclude each other: the user interface runs the tool, in its own time; leave one \
                     of them out"
                ),
            );
        }
    } else if let Some(timeout) = timeout.as_ref().filter(|_| !tool.is_async() && tool.streams.is_none()) {
        report.error(
            &timeout.key,
            "a function that is not `async` cannot be stopped: make it `async`, or leave `timeout` out",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_a_number_and_a_unit() {
        assert_eq!(measure("10s", &TIMES), Some(10_000));
        assert_eq!(measure("250ms", &TIMES), Some(250));
        assert_eq!(measure("2 m", &TIMES), Some(120_000));
        assert_eq!(measure("1h", &TIMES), Some(3_600_000));
        assert_eq!(measure("64KB", &SIZES), Some(64_000));
        assert_eq!(measure("64KiB", &SIZES), Some(65_536));
        for wrong in
            ["", "10", "s", "0s", "-1s", "1.5s", "10 sec", "10s ", "\u{b2}s", "18446744073709551615h"]
        {
            assert_eq!(measure(wrong, &TIMES), None, "{wrong}");
        }
    }
}
