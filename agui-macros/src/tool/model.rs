//! A tool as data: each parameter with its source, and every default decided.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, Ident, Pat, PatType, Receiver, ReturnType, Type, TypeReference, parse_quote};

use super::attr::{ApprovalAttr, ToolAttr};
use super::default::{self, DefaultValue};
use super::facts::ToolFacts;
use super::limit::ToolLimits;
use super::predict::Prediction;
use super::stream;
use crate::attr::{AttributeFlag, DocText, SerdeAttrs, is_docs};
use crate::case::pascal;
use crate::function::{Body, Function, is_cfg};
use crate::report::Report;
use crate::request;
use crate::spelling::{peeled, replace_self};

pub(crate) struct ToolModel {
    /// The user's function, without the attributes that moved from its parameters to the struct.
    pub(crate) function: Function,
    pub(crate) host: ToolHost,
    pub(crate) side: ToolSide,
    pub(crate) name: ToolName,
    /// The struct's name in the schema.
    pub(crate) arguments_name: String,
    pub(crate) description: ToolDescription,
    pub(crate) parameters: Vec<ToolParameter>,
    /// The call's value type: for a stream, the type that holds the gathered items.
    pub(crate) returns: Type,
    /// The item type, if the function returns a stream.
    pub(crate) streams: Option<Type>,
    pub(crate) approval: Option<ApprovalAttr>,
    /// Set if the calls are the model's alone.
    pub(crate) private: Option<AttributeFlag>,
    pub(crate) facts: ToolFacts,
    pub(crate) limits: ToolLimits,
    pub(crate) denies_undocumented: Option<AttributeFlag>,
    pub(crate) predictions: Vec<Prediction>,
    /// Parameter defaults, in parameter order.
    pub(crate) defaults: Vec<Option<DefaultValue>>,
    /// `#[request]` attributes, which belong to an agent's parameters only.
    pub(crate) requests: Vec<Attribute>,
}

/// Agents that may call a tool.
#[derive(Clone)]
pub(crate) enum ToolHost {
    /// A free function: any agent that can provide the borrowed values.
    Any,
    /// A method: the agent that owns the method.
    Agent(Box<Type>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolSide {
    Backend,
    Frontend,
}

pub(crate) struct ToolName {
    pub(crate) text: String,
    pub(crate) span: Span,
}

pub(crate) struct ToolDescription {
    pub(crate) text: String,
    /// Where it is written; `None` when it is missing.
    pub(crate) span: Option<Span>,
}

#[expect(clippy::large_enum_variant, reason = "there are a handful of them, and they live for one expansion")]
pub(crate) enum ToolParameter {
    /// By value: an argument from the model, and a field of the struct.
    Argument(Argument),
    /// By reference, or an optional reference: an agent value.
    Dependency(Dependency),
    Receiver(Receiver),
    /// By value, but not a name that could be a field's.
    Pattern(PatType),
}

pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Doc comments and serde and schemars attributes, which describe the field.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) serde: SerdeAttrs,
    /// `#[cfg]`, which a field and a call cannot have.
    pub(crate) cfg: Option<Attribute>,
    pub(crate) default: Option<DefaultValue>,
}

pub(crate) struct Dependency {
    /// The parameter's name, if any.
    pub(crate) name: Option<Ident>,
    pub(crate) reference: TypeReference,
    /// `Option<&T>`: the agent may lack it.
    pub(crate) is_optional: bool,
    /// serde and schemars attributes, which have no meaning here.
    pub(crate) misplaced: Vec<Attribute>,
}

impl ToolModel {
    pub(crate) fn from_function(
        attr: &ToolAttr,
        mut function: Function,
        host: ToolHost,
        report: &Report,
    ) -> Self {
        let self_is = match &host {
            ToolHost::Any => None,
            ToolHost::Agent(agent) => Some(&**agent),
        };
        let requests = function.sig.inputs.iter_mut().flat_map(request::take).collect();
        let defaults = default::take(&function.sig.ident, &mut function.sig.inputs, report);
        let parameter = |(input, default): (&mut FnArg, &Option<DefaultValue>)| {
            ToolParameter::from_syn(input, self_is, default.clone())
        };
        let parameters = function.sig.inputs.iter_mut().zip(&defaults).map(parameter).collect();
        let mut returns = match &function.sig.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, ty) => peeled(ty).clone(),
        };
        if let Some(self_is) = self_is {
            replace_self(&mut returns, self_is);
        }
        let streams = stream::item_of(&returns).cloned();
        if let Some(item) = &streams {
            returns = stream::gathered(item);
        }
        let name = match &attr.name {
            Some(name) => ToolName { text: name.value(), span: name.span() },
            None => ToolName { text: function.sig.ident.unraw().to_string(), span: function.name_span() },
        };
        let docs = DocText::from_attributes(&function.attrs);
        let description = match &attr.description {
            Some(given) => ToolDescription { text: given.value(), span: Some(given.span()) },
            None => ToolDescription { text: docs.text, span: docs.span },
        };
        let side = if attr.frontend.is_some() { ToolSide::Frontend } else { ToolSide::Backend };
        // Tools of different agents may have one name on the wire; the name of the function tells them apart.
        let rust_name = function.sig.ident.unraw().to_string();
        Self {
            arguments_name: format!("{}Arguments", pascal(&rust_name)),
            function,
            host,
            side,
            name,
            description,
            parameters,
            returns,
            streams,
            approval: attr.approval.clone(),
            private: attr.private,
            facts: attr.facts.clone(),
            limits: attr.limits.clone(),
            denies_undocumented: attr.denies_undocumented,
            predictions: attr.predict.clone(),
            defaults,
            requests,
        }
    }

    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            ToolParameter::Argument(argument) => Some(argument),
            _ => None,
        })
    }

    pub(crate) fn dependencies(&self) -> impl Iterator<Item = &Dependency> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            ToolParameter::Dependency(dependency) => Some(dependency),
            _ => None,
        })
    }

    pub(crate) fn is_async(&self) -> bool {
        self.function.sig.asyncness.is_some()
    }

    /// Returns true if the function itself stays in the program.
    pub(crate) fn has_body(&self) -> bool {
        matches!(self.function.body, Body::Block(_))
    }
}

impl ToolParameter {
    fn from_syn(input: &mut FnArg, self_is: Option<&Type>, default: Option<DefaultValue>) -> Self {
        let typed = match input {
            FnArg::Receiver(receiver) => return Self::Receiver(receiver.clone()),
            FnArg::Typed(typed) => typed,
        };
        let (moved, stay): (Vec<_>, Vec<_>) = typed.attrs.drain(..).partition(describes_a_field);
        typed.attrs = stay;
        let mut ty = peeled(&typed.ty).clone();
        if let Some(self_is) = self_is {
            replace_self(&mut ty, self_is);
        }
        let (borrowed, is_optional) = match (&ty, request::optional(&ty)) {
            (_, Some(reference)) => (Some(reference.clone()), true),
            (Type::Reference(reference), None) => (Some(reference.clone()), false),
            _ => (None, false),
        };
        match (borrowed, &*typed.pat) {
            (Some(reference), _) => {
                let misplaced = moved.into_iter().filter(|attr| !is_docs(attr)).collect();
                let name = match &*typed.pat {
                    Pat::Ident(pat) => Some(pat.ident.clone()),
                    _ => None,
                };
                Self::Dependency(Dependency { name, reference, is_optional, misplaced })
            }
            (None, Pat::Ident(pat)) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                Self::Argument(Argument {
                    ident: pat.ident.clone(),
                    ty,
                    serde: SerdeAttrs::from_attributes(&moved),
                    attrs: moved,
                    cfg: typed.attrs.iter().find(|attr| is_cfg(attr)).cloned(),
                    default,
                })
            }
            _ => Self::Pattern(typed.clone()),
        }
    }
}

fn describes_a_field(attr: &Attribute) -> bool {
    is_docs(attr) || attr.path().is_ident("serde") || attr.path().is_ident("schemars")
}
