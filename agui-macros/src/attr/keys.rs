//! Key tables: an attribute's options are rows with name, place and reader.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Meta, Token};

use super::nearest::nearest;
use crate::report::Report;

/// One option: its name, the place where it may be written, and the function that reads its value into `O`.
pub(crate) struct KeyRow<O> {
    pub(crate) name: &'static str,
    /// The option's place, in the error's words; `""` where the attribute has one place only.
    pub(crate) place: &'static str,
    pub(crate) read: fn(&mut O, &Ident, ParseStream<'_>) -> syn::Result<()>,
}

/// All options for one attribute.
pub(crate) struct KeyTable<O: 'static> {
    /// As the user writes it: `#[tool]`.
    pub(crate) attribute: &'static str,
    pub(crate) rows: &'static [KeyRow<O>],
}

impl<O: Default> KeyTable<O> {
    /// Reads an attribute macro's options.
    pub(crate) fn read(&self, arguments: TokenStream, report: &Report) -> O {
        self.read_with("", |reading| reading.tokens(arguments, report))
    }

    /// Reads the options in every attribute called `name` at one place in an item.
    pub(crate) fn read_helper(&self, name: &str, place: &str, attrs: &[Attribute], report: &Report) -> O {
        self.read_with(place, |reading| reading.attributes(name, attrs, report))
    }

    fn read_with(&self, place: &str, read: impl FnOnce(&mut AttributeReader<'_>)) -> O {
        let mut options = O::default();
        read(&mut AttributeReader {
            attribute: self.attribute,
            place,
            rows: self.rows.iter().map(|row| (row.name, row.place)).collect(),
            seen: Vec::new(),
            value: &mut |number, key, input| match self.rows.get(number) {
                Some(row) => (row.read)(&mut options, key, input),
                None => Ok(()),
            },
        });
        options
    }
}

/// Reader for one attribute, compiled once for all option types.
struct AttributeReader<'a> {
    attribute: &'static str,
    place: &'a str,
    /// Name and place for each row.
    rows: Vec<(&'static str, &'static str)>,
    /// Indices for the rows that were read.
    seen: Vec<usize>,
    /// Reads the value for the row with this number.
    value: &'a mut dyn FnMut(usize, &Ident, ParseStream<'_>) -> syn::Result<()>,
}

impl AttributeReader<'_> {
    fn attributes(&mut self, name: &str, attrs: &[Attribute], report: &Report) {
        for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
            match &attr.meta {
                Meta::List(list) => self.tokens(list.tokens.clone(), report),
                Meta::Path(_) | Meta::NameValue(_) => report.error(
                    &attr.meta,
                    format_args!("`{}` takes a list of options: {}", self.attribute, self.listed()),
                ),
            }
        }
    }

    fn tokens(&mut self, tokens: TokenStream, report: &Report) {
        let read_all = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Err(error) = self.option(input) {
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

    fn option(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let key =
            input.call(Ident::parse_any).map_err(|error| syn::Error::new(error.span(), self.expected()))?;
        let written = key.to_string();
        let Some(number) = self.rows.iter().position(|row| *row == (&*written, self.place)) else {
            return Err(syn::Error::new(key.span(), self.unknown(&written)));
        };
        if self.seen.contains(&number) {
            return Err(syn::Error::new(
                key.span(),
                format_args!("`{written}` is given twice: keep one of them"),
            ));
        }
        self.seen.push(number);
        (self.value)(number, &key, input)
    }

    fn unknown(&self, written: &str) -> String {
        if let Some((_, place)) = self.rows.iter().find(|(name, _)| *name == written) {
            let place = if place.is_empty() { "the item itself" } else { place };
            return format!("`{written}` is not expected here; it belongs on {place}");
        }
        let attribute = self.attribute;
        match nearest(written, self.names()) {
            Some(name) => format!("`{attribute}` has no option `{written}`; did you mean `{name}`?"),
            None => format!("`{attribute}` has no option `{written}`; {}", self.expected()),
        }
    }

    fn expected(&self) -> String {
        format!("expected {}", self.listed())
    }

    fn listed(&self) -> String {
        let names: Vec<_> = self.names().map(|name| format!("`{name}`")).collect();
        match names.as_slice() {
            [one] => one.clone(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
            [] => "nothing".to_owned(),
        }
    }

    /// Option names at this place.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().filter(|(_, place)| *place == self.place).map(|(name, _)| *name)
    }
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
