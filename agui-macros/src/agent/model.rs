//! An agent as data, whichever of the two forms it was written in.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Ident, Path, ReturnType, Type, Visibility, parse_quote};

use super::attr::AgentAttr;
use super::block::{AgentBlock, BlockItem};
use super::function::{Signature, read_function, read_method};
use super::general_error;
use crate::attr::{AttributeFlag, DocText, is_docs};
use crate::case::snake;
use crate::function::{Function, is_cfg};
use crate::report::Report;
use crate::spelling::{make_static, peeled, replace_self};
use crate::tool::{ToolHost, ToolModel, attr as tool_attr};
use crate::{misread, spawned};

pub(crate) struct AgentModel {
    /// The agent's type: made from the function, or the block's own.
    pub(crate) ty: Type,
    pub(crate) name: AgentName,
    pub(crate) description: String,
    /// The state, if the agent shares any.
    pub(crate) state: Option<Type>,
    /// Tools from elsewhere, then the block's own.
    pub(crate) tools: Vec<Path>,
    /// The agents that may take the conversation over.
    pub(crate) handoffs: Vec<Path>,
    pub(crate) events: Vec<Path>,
    pub(crate) interrupts: Vec<Path>,
    pub(crate) activities: Vec<Path>,
    /// The component catalogs of the agent's surfaces.
    pub(crate) catalogs: Vec<Path>,
    pub(crate) forwarded: Option<Type>,
    pub(crate) strict: Option<AttributeFlag>,
    /// Another server may run the agent again, if its own is lost.
    pub(crate) restart: Option<AttributeFlag>,
    pub(crate) served: Option<AttributeFlag>,
    /// The parameters after `input`, in order.
    pub(crate) parameters: Vec<AgentParameter>,
    /// The function's return type, with every lifetime `'static`; `()` where none is written.
    pub(crate) returns: Type,
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) form: AgentForm,
}

pub(crate) struct AgentName {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[expect(clippy::large_enum_variant, reason = "there is one of them for each expansion")]
pub(crate) enum AgentForm {
    /// The function, and the type to put beside it.
    Function { function: Function, strukt: AgentStruct },
    /// The block without our attributes, and its tools.
    Block { block: TokenStream, tools: Vec<ToolModel> },
}

pub(crate) struct AgentStruct {
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    /// The function's name.
    pub(crate) name: Ident,
    pub(crate) docs: Vec<Attribute>,
}

/// A parameter after `input`, and the place of its value.
pub(crate) struct AgentParameter {
    pub(crate) ty: Type,
    pub(crate) origin: ParameterSource,
}

pub(crate) enum ParameterSource {
    /// A field of the agent, which all runs share.
    Agent(Ident),
    /// A value that comes with each run's request.
    Request,
    /// A value that may come with a run's request.
    RequestIfAny,
}

impl AgentModel {
    pub(super) fn from_function(attr: AgentAttr, mut function: Function, report: &Report) -> Self {
        let Signature { agent: ident, parameters } =
            read_function(&mut function, attr.strict.is_some(), report);
        spawned::check(&mut function, 0, report);
        misread::check(&mut function, 0, report);
        general_error::check(&mut function, report);
        if !attr.tools.is_empty() || !attr.handoffs.is_empty() {
            allow_unused(&mut function, 2);
        }
        let strukt = AgentStruct {
            vis: function.vis.clone(),
            ident: ident.clone(),
            name: function.sig.ident.clone(),
            docs: function.attrs.iter().filter(|attr| is_docs(attr)).cloned().collect(),
        };
        let named = AgentName { text: function.sig.ident.unraw().to_string(), span: function.name_span() };
        Self {
            ty: parse_quote!(#ident),
            parameters,
            returns: returns(&function, None),
            cfgs: function.cfgs().cloned().collect(),
            ..Self::from_attr(attr, named, &function.attrs.clone(), AgentForm::Function { function, strukt })
        }
    }

    pub(super) fn from_block(attr: AgentAttr, mut block: AgentBlock, report: &Report) -> Self {
        super::check::check_block(&block, report);
        let self_ty = block.self_ty.clone();
        let last = match &self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| snake(&last.ident.unraw().to_string())),
            _ => None,
        };
        let named = AgentName { text: last.unwrap_or_default(), span: self_ty.span() };
        let is_tool = |item: &BlockItem| matches!(item, BlockItem::Function(function) if tool_attribute(function).is_some());
        let has_tools =
            !attr.tools.is_empty() || !attr.handoffs.is_empty() || block.items.iter().any(is_tool);
        let mut own = Vec::new();
        let mut run = None;
        let mut parameters = Vec::new();
        for item in std::mem::take(&mut block.items) {
            match item {
                BlockItem::Function(function) if tool_attribute(&function).is_some() => {
                    let tool = read_tool(function, &self_ty, report);
                    if tool.has_body() {
                        block.items.push(BlockItem::Function(tool.function.clone()));
                    }
                    own.push(tool);
                }
                BlockItem::Function(mut function) => {
                    if function.sig.ident == "run" {
                        parameters = read_method(&mut function, &self_ty, attr.strict.is_some(), report);
                        run = Some(returns(&function, Some(&self_ty)));
                        spawned::check(&mut function, 1, report);
                        misread::check(&mut function, 1, report);
                        general_error::check(&mut function, report);
                        if has_tools {
                            allow_unused(&mut function, 3);
                        }
                    }
                    block.items.push(BlockItem::Function(function));
                }
                BlockItem::Other(item) => block.items.push(BlockItem::Other(item)),
            }
        }
        if run.is_none() && block.for_token.is_none() {
            report.error(
                &self_ty,
                format_args!("an agent needs a method `run`\n{}", super::function::METHOD_HELP),
            );
        }
        let returns = run.unwrap_or_else(|| parse_quote!(()));
        let mut agent = Self {
            ty: self_ty,
            parameters,
            returns,
            cfgs: block.attrs.iter().filter(|attr| is_cfg(attr)).cloned().collect(),
            ..Self::from_attr(
                attr,
                named,
                &block.attrs,
                AgentForm::Block { block: quote!(#block), tools: Vec::new() },
            )
        };
        agent.tools.extend(own.iter().map(|tool| Path::from(tool.function.sig.ident.clone())));
        if let AgentForm::Block { tools, .. } = &mut agent.form {
            *tools = own;
        }
        agent
    }

    /// The state type.
    pub(crate) fn state_type(&self) -> Type {
        self.state.clone().unwrap_or_else(|| parse_quote!(()))
    }

    /// The agent type's fields.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = (&Ident, &Type)> {
        self.parameters.iter().filter_map(|parameter| match &parameter.origin {
            ParameterSource::Agent(ident) => Some((ident, &parameter.ty)),
            ParameterSource::Request | ParameterSource::RequestIfAny => None,
        })
    }

    /// The types that come with the request; true where a run can do without.
    pub(crate) fn requested(&self) -> impl DoubleEndedIterator<Item = (&Type, bool)> {
        self.parameters.iter().filter_map(|parameter| match parameter.origin {
            ParameterSource::Agent(_) => None,
            ParameterSource::Request => Some((&parameter.ty, false)),
            ParameterSource::RequestIfAny => Some((&parameter.ty, true)),
        })
    }

    fn from_attr(attr: AgentAttr, named: AgentName, attrs: &[Attribute], form: AgentForm) -> Self {
        let name = match attr.name {
            Some(given) => AgentName { text: given.value(), span: given.span() },
            None => named,
        };
        let description = match attr.description {
            Some(given) => given.value(),
            None => DocText::from_attributes(attrs).text,
        };
        Self {
            ty: parse_quote!(()),
            parameters: Vec::new(),
            returns: parse_quote!(()),
            cfgs: Vec::new(),
            name,
            description,
            state: attr.state,
            tools: attr.tools,
            handoffs: attr.handoffs,
            events: attr.events,
            interrupts: attr.interrupts,
            activities: attr.activities,
            catalogs: attr.catalogs,
            forwarded: attr.forwarded,
            strict: attr.strict,
            restart: attr.restart,
            served: attr.served,
            form,
        }
    }
}

/// Allows parameters that the function itself does not use: its tools may.
fn allow_unused(function: &mut Function, before: usize) {
    for input in function.sig.inputs.iter_mut().skip(before) {
        if let FnArg::Typed(typed) = input {
            typed.attrs.push(parse_quote!(#[allow(unused_variables)]));
        }
    }
}

fn returns(function: &Function, self_is: Option<&Type>) -> Type {
    let mut returns = match &function.sig.output {
        ReturnType::Default => return parse_quote!(()),
        ReturnType::Type(_, ty) => peeled(ty).clone(),
    };
    if let Some(ty) = self_is {
        replace_self(&mut returns, ty);
    }
    make_static(&mut returns);
    returns
}

fn tool_attribute(function: &Function) -> Option<usize> {
    let is_tool = |attr: &Attribute| attr.path().segments.last().is_some_and(|last| last.ident == "tool");
    function.attrs.iter().position(is_tool)
}

fn read_tool(mut function: Function, agent: &Type, report: &Report) -> ToolModel {
    let arguments = tool_attribute(&function).map(|at| function.attrs.remove(at));
    let arguments = arguments.and_then(|attr| match attr.meta {
        syn::Meta::List(list) => Some(list.tokens.into_token_stream()),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => None,
    });
    let attr = tool_attr::KEYS.read(arguments.unwrap_or_default(), report);
    spawned::check_tool(&mut function, report);
    if let Some(cfg) = function.cfgs().next() {
        report.error(
            cfg,
            "a tool in an `#[agent]` block cannot stand under a condition of its own: put it on the whole block, or write \
             the tool as a function",
        );
    }
    if let Some(path) = &attr.krate {
        report.error(path, "inside an `#[agent]` block the agent's own `crate` counts: leave it out here");
    }
    let tool = ToolModel::from_function(&attr, function, ToolHost::Agent(Box::new(agent.clone())), report);
    crate::tool::check(&tool, report);
    tool
}
