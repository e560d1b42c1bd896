//! `#[tool(predict(..))]`: arguments that the state shows while a model writes them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Member, Token, parenthesized};

use super::expand::respanned;
use super::model::{Argument, Dependency, ToolModel};
use crate::attr::{nearest, text};
use crate::krate::PrivatePath;
use crate::report::Report;
use crate::spelling::at;

/// serde options that give the argument a JSON form other than text, or no own member.
const OTHER_JSON: [&str; 5] = ["flatten", "skip", "skip_deserializing", "with", "deserialize_with"];

/// `document = "doc.body"`: an argument, and the state path that shows the argument's text.
#[derive(Clone)]
pub(crate) struct Prediction {
    argument: Ident,
    place: LitStr,
}

impl Parse for Prediction {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let argument = input.call(Ident::parse_any)?;
        let place = text(&argument, input)?;
        Ok(Self { argument, place })
    }
}

impl Prediction {
    pub(super) fn read(key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<Self>> {
        let wanted = "`predict` names an argument and the field of the state that shows it: write `predict(argument = \"state.field\")`";
        if !input.peek(syn::token::Paren) {
            return Err(syn::Error::new(key.span(), wanted));
        }
        let content;
        parenthesized!(content in input);
        let predictions = Punctuated::<Self, Token![,]>::parse_terminated(&content)?;
        if predictions.is_empty() {
            return Err(syn::Error::new(key.span(), wanted));
        }
        Ok(predictions.into_iter().collect())
    }

    fn argument<'t>(&self, tool: &'t ToolModel) -> Option<&'t Argument> {
        tool.arguments().find(|argument| argument.ident.unraw() == self.argument.unraw())
    }

    /// The parameter and the fields behind, all with the literal's span.
    fn place(&self) -> Option<(Ident, Vec<Member>)> {
        let text = self.place.value();
        let mut parts = text.split('.').map(|part| {
            let mut member: Member = syn::parse_str(part).ok()?;
            match &mut member {
                Member::Named(name) => name.set_span(self.place.span()),
                Member::Unnamed(index) => index.span = self.place.span(),
            }
            Some(member)
        });
        let Member::Named(root) = parts.next()?? else { return None };
        Some((root, parts.collect::<Option<_>>()?))
    }

    fn root<'t>(&self, tool: &'t ToolModel) -> Option<&'t Dependency> {
        let (root, _) = self.place()?;
        tool.dependencies()
            .filter(|dependency| !dependency.is_optional)
            .find(|dependency| dependency.name.as_ref().is_some_and(|name| *name == root))
    }
}

/// Returns true if the parameter names a prediction's state.
pub(super) fn is_written_to(tool: &ToolModel, dependency: &Dependency) -> bool {
    tool.predictions
        .iter()
        .filter_map(|prediction| prediction.root(tool))
        .any(|root| std::ptr::eq(root, dependency))
}

pub(super) fn check(tool: &ToolModel, report: &Report) {
    for (number, prediction) in tool.predictions.iter().enumerate() {
        check_argument(tool, prediction, report);
        check_place(tool, prediction, report);
        let before = tool.predictions.iter().take(number);
        if before.clone().any(|other| other.argument == prediction.argument) {
            report.error(
                &prediction.argument,
                format_args!("`{}` is shown twice: keep one of the places", prediction.argument),
            );
        } else if before.clone().any(|other| other.place.value() == prediction.place.value()) {
            report.error(
                &prediction.place,
                "another argument is shown here already: give each a place of its own",
            );
        }
    }
}

fn check_argument(tool: &ToolModel, prediction: &Prediction, report: &Report) {
    let name = &prediction.argument;
    let Some(argument) = prediction.argument(tool) else {
        let names: Vec<_> = tool.arguments().map(|argument| argument.ident.unraw().to_string()).collect();
        let help = match nearest(&name.to_string(), names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "it takes none".to_owned(),
            None => format!("there is: `{}`", names.join("`, `")),
        };
        report.error(name, format_args!("the tool has no argument `{name}`; {help}"));
        return;
    };
    if let Some(key) = argument.serde.serde(&OTHER_JSON) {
        report.error(
            key,
            format_args!(
                "`predict` reads the string `{name}`, but `{}` changes its name or form: leave out one of them",
                key.name
            ),
        );
    }
}

fn check_place(tool: &ToolModel, prediction: &Prediction, report: &Report) {
    let place = &prediction.place;
    let Some((root, fields)) = prediction.place() else {
        report.error(
            place,
            "not a place in the state: write the parameter that is the state, and the fields that lead to the text: \
             `\"doc.body\"`",
        );
        return;
    };
    if prediction.root(tool).is_none() {
        let names = tool.dependencies().filter_map(|dependency| Some(dependency.name.as_ref()?.to_string()));
        let names: Vec<_> = names.collect();
        let help = match nearest(&root.to_string(), names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "add the state of the agent, `{root}: &StateHandle<…>`, or begin with the name of that parameter{}",
                if fields.is_empty() { format!(": `\"state.{root}\"`") } else { String::new() }
            ),
        };
        report.error(place, format_args!("no parameter by reference is called `{root}`; {help}"));
        return;
    }
    let first = tool.predictions.first().and_then(Prediction::place);
    if first.is_some_and(|(first, _)| first != root) {
        report.error(place, "a run has one state: begin all places with the same parameter");
    }
}

/// The code that writes the texts into the state; empty for a tool without predictions.
pub(super) fn expand_predictions(
    tool: &ToolModel,
    agent: &TokenStream,
    private: &PrivatePath,
) -> TokenStream {
    let Some(state) = tool.predictions.iter().find_map(|prediction| prediction.root(tool)) else {
        return TokenStream::new();
    };
    let ty = &state.reference.elem;
    let arguments =
        tool.predictions.iter().filter_map(|prediction| prediction.argument(tool)).map(|argument| {
            let (name, ty) = (argument.wire_name(), &argument.ty);
            quote_spanned!(at(ty)=> #private::text_argument::<#ty>(#name))
        });
    let writes = tool.predictions.iter().enumerate().filter_map(|(number, prediction)| {
        let (_, fields) = prediction.place()?;
        let place = at(&prediction.place);
        let target =
            if fields.is_empty() { quote!(*state) } else { quote_spanned!(place=> state #(.#fields)*) };
        Some(quote_spanned!(place=> texts.write(#number, &mut #target);))
    });
    let show = quote_spanned!(at(ty)=> <#ty as #private::StateParameter>::show);
    let source = respanned(agent.clone(), at(ty));
    quote! {
        const PREDICTIONS: ::core::option::Option<fn() -> ::std::boxed::Box<#private::StatePredictions<#agent>>> =
            ::core::option::Option::Some(|| #private::StatePredictions::new(&[#(#arguments),*], |scope, texts| {
                #show(<#source as #private::InjectValue<#ty>>::inject(scope), texts, |state| {
                    #(#writes)*
                });
            }));
    }
}

impl Argument {
    /// The member name that a model writes.
    fn wire_name(&self) -> String {
        let renamed = self.serde.serde(&["rename"]).and_then(|key| match key.both_sides() {
            Some((read, _)) => read,
            None => key.text(),
        });
        renamed.map_or_else(|| self.ident.unraw().to_string(), |name| name.value())
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    #[test]
    fn a_place_is_a_parameter_and_fields() {
        let read = |place: &str| {
            let prediction: Prediction = syn::parse_str(&format!("text = {place:?}")).unwrap();
            let (root, fields) = prediction.place()?;
            let fields: Vec<_> = fields.iter().map(|field| field.to_token_stream().to_string()).collect();
            Some(format!("{root} {}", fields.join(" ")))
        };
        assert_eq!(read("doc.body").as_deref(), Some("doc body"));
        assert_eq!(read("doc").as_deref(), Some("doc "));
        assert_eq!(read("doc.0.1.r#type").as_deref(), Some("doc 0 1 r#type"));
        for place in ["", ".", "doc.", ".doc", "doc..body", "doc/body", "0.body", "doc[0]", "doc.body()"] {
            assert_eq!(read(place), None, "{place}");
        }
    }
}
