//! `docs = "deny"`: a parameter that the model has to fill in without a description is a mistake.

use syn::parse::ParseStream;
use syn::{Ident, Lit};

use super::model::ToolModel;
use crate::attr::{AttributeFlag, is_docs, literal};
use crate::report::Report;

/// Reads the one value of the key.
pub(crate) fn read(deny: &mut Option<AttributeFlag>, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    let wanted = "`docs` takes `\"deny\"`, which makes a parameter without a doc comment an error: write `docs = \"deny\"`";
    match literal(key, input, wanted)? {
        Lit::Str(text) if text.value() == "deny" => {
            *deny = Some(AttributeFlag(key.span()));
            Ok(())
        }
        other => Err(syn::Error::new(other.span(), wanted)),
    }
}

pub(super) fn check(tool: &ToolModel, report: &Report) {
    if tool.denies_undocumented.is_none() {
        return;
    }
    for argument in tool.arguments() {
        let is_documented =
            argument.attrs.iter().any(is_docs) || argument.serde.schemars(&["description"]).is_some();
        if !is_documented {
            report.error(
                &argument.ident,
                format_args!(
                    "the model reads no description of `{}`: write a doc comment before it, or leave `docs = \"deny\"` out",
                    argument.ident
                ),
            );
        }
    }
}
