//! Doc comments as text, for descriptions.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// An item's doc comment text, and its location.
#[derive(Clone, Default)]
pub(crate) struct DocText {
    pub(crate) text: String,
    pub(crate) span: Option<Span>,
}

/// Returns true for a doc comment, or `#[doc = …]`, which is the same.
pub(crate) fn is_docs(attr: &Attribute) -> bool {
    attr.path().is_ident("doc")
}

impl DocText {
    /// Keeps all that a reader of the comment sees: blank lines, lists, links, indentation. It drops only the syntax:
    /// one space after `///`, the stars at the left of a block comment, blank lines around the text.
    pub(crate) fn from_attributes(attrs: &[Attribute]) -> Self {
        let mut lines = Vec::new();
        let mut span = None;
        for attr in attrs.iter().filter(|attr| is_docs(attr)) {
            let Meta::NameValue(doc) = &attr.meta else { continue };
            let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &doc.value else { continue };
            span.get_or_insert_with(|| attr.span());
            push_lines(&mut lines, &text.value());
        }
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        let text = lines.into_iter().take(last).skip(first).collect::<Vec<_>>().join("\n");
        Self { text, span }
    }
}

fn push_lines(lines: &mut Vec<String>, comment: &str) {
    let mut rows = comment.lines();
    let Some(first) = rows.next() else {
        lines.push(String::new());
        return;
    };
    let rest: Vec<_> = rows.collect();
    let starred = !rest.is_empty()
        && rest.iter().all(|row| row.trim().is_empty() || row.trim_start().starts_with('*'))
        && rest.iter().any(|row| !row.trim().is_empty());
    lines.push(unspaced(first));
    if starred {
        let stars_off = |row: &&str| unspaced(row.trim_start().strip_prefix('*').unwrap_or_default());
        lines.extend(rest.iter().map(stars_off));
    } else {
        let indent = |row: &&&str| row.len() - row.trim_start().len();
        let common = rest.iter().filter(|row| !row.trim().is_empty()).map(|row| indent(&row)).min();
        let dedented =
            |row: &&str| row.get(common.unwrap_or_default()..).unwrap_or_default().trim_end().to_owned();
        lines.extend(rest.iter().map(dedented));
    }
}

fn unspaced(line: &str) -> String {
    line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    use super::*;

    fn text(item: &syn::ItemStruct) -> String {
        DocText::from_attributes(&item.attrs).text
    }

    #[test]
    fn lines_keep_blank_lines_lists_and_links() {
        let item = syn::parse_str(
            "/// Looks up a [price](https://example.org).\n///\n/// - today's\n///   - in euros\n/// Note: no VAT.\nstruct S;",
        )
        .unwrap();
        assert_eq!(
            text(&item),
            "Looks up a [price](https://example.org).\n\n- today's\n  - in euros\nNote: no VAT."
        );
    }

    #[test]
    fn block_comments_lose_their_stars_or_their_indentation() {
        assert_eq!(text(&syn::parse_str("/** one line */ struct S;").unwrap()), "one line");
        assert_eq!(
            text(&syn::parse_str("/**\n * First.\n *\n *  - item\n */ struct S;").unwrap()),
            "First.\n\n - item"
        );
        assert_eq!(
            text(&syn::parse_str("/** First.\n\n    Second,\n      deeper.\n */ struct S;").unwrap()),
            "First.\n\nSecond,\n  deeper."
        );
    }

    #[test]
    fn an_item_without_comment_has_no_text() {
        let item: syn::ItemStruct = parse_quote!(
            #[doc(hidden)]
            #[doc = "  "]
            struct S;
        );
        assert!(item.to_token_stream().to_string().contains("hidden"));
        assert_eq!(text(&item), "");
    }
}
