//! Tables of keys: an attribute's options are rows of name, place and reader.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Meta, Token};

use super::nearest::nearest;
use crate::report::Report;

/// One option: its name, the place where it may be written, and the function that reads its value into `O`.
pub(crate) struct Key<O> {
    pub(crate) name: &'static str,
    /// The place of the option, in the words of the error; `""` where the attribute has one place only.
    pub(crate) place: &'static str,
    pub(crate) read: fn(&mut O, &Ident, ParseStream<'_>) -> syn::Result<()>,
}

/// All options of one attribute.
pub(crate) struct Keys<O: 'static> {
    /// As the user writes it: `#[tool]`.
    pub(crate) attribute: &'static str,
    pub(crate) rows: &'static [Key<O>],
}

impl<O: Default> Keys<O> {
    /// Reads the options of an attribute macro.
    pub(crate) fn read(&self, arguments: TokenStream, report: &Report) -> O {
        let mut options = Reading::default();
        self.read_into(&mut options, "", arguments, report);
        options.options
    }

    /// Reads the options of every attribute called `name` at one place of an item.
    pub(crate) fn read_helper(&self, name: &str, place: &str, attrs: &[Attribute], report: &Report) -> O {
        let mut options = Reading::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
            match &attr.meta {
                Meta::List(list) => self.read_into(&mut options, place, list.tokens.clone(), report),
                Meta::Path(_) | Meta::NameValue(_) => report.error(
                    &attr.meta,
                    format_args!("`{}` takes a list of options: {}", self.attribute, self.listed(place)),
                ),
            }
        }
        options.options
    }

    fn read_into(&self, reading: &mut Reading<O>, place: &str, tokens: TokenStream, report: &Report) {
        let read_all = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Err(error) = self.read_one(reading, place, input) {
                    report.syn(error);
                    skip_to_comma(input)?;
                }
                if !input.is_empty()
                    && let Err(error) = input.parse::<Token![,]>()
                {
                    report.syn(error);
                    skip_to_comma(input)?;
                    input.parse::<Option<Token![,]>>()?;
                }
            }
            Ok(())
        };
        report.ok(read_all.parse2(tokens));
    }

    fn read_one(&self, reading: &mut Reading<O>, place: &str, input: ParseStream<'_>) -> syn::Result<()> {
        let key = input
            .call(Ident::parse_any)
            .map_err(|error| syn::Error::new(error.span(), self.expected(place)))?;
        let written = key.to_string();
        let Some(row) = self.row(&written, place) else {
            return Err(syn::Error::new(key.span(), self.unknown(&written, place)));
        };
        if reading.seen.contains(&row.name) {
            return Err(syn::Error::new(
                key.span(),
                format_args!("`{written}` is given twice: keep one of them"),
            ));
        }
        reading.seen.push(row.name);
        (row.read)(&mut reading.options, &key, input)
    }

    fn row(&self, name: &str, place: &str) -> Option<&'static Key<O>> {
        self.rows.iter().find(|row| row.name == name && row.place == place)
    }

    fn unknown(&self, written: &str, place: &str) -> String {
        if let Some(elsewhere) = self.rows.iter().find(|row| row.name == written) {
            let place = if elsewhere.place.is_empty() { "the item itself" } else { elsewhere.place };
            return format!("`{written}` is not expected here; it belongs on {place}");
        }
        let attribute = self.attribute;
        match nearest(written, self.names(place)) {
            Some(name) => format!("`{attribute}` has no option `{written}`; did you mean `{name}`?"),
            None => format!("`{attribute}` has no option `{written}`; {}", self.expected(place)),
        }
    }

    fn expected(&self, place: &str) -> String {
        format!("expected {}", self.listed(place))
    }

    fn listed(&self, place: &str) -> String {
        let names: Vec<_> = self.names(place).map(|name| format!("`{name}`")).collect();
        match names.as_slice() {
            [one] => one.clone(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
            [] => "nothing".to_owned(),
        }
    }

    fn names(&self, place: &str) -> impl Iterator<Item = &'static str> {
        self.rows.iter().filter(move |row| row.place == place).map(|row| row.name)
    }
}

struct Reading<O> {
    options: O,
    seen: Vec<&'static str>,
}

impl<O: Default> Default for Reading<O> {
    fn default() -> Self {
        Self { options: O::default(), seen: Vec::new() }
    }
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
