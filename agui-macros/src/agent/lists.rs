//! An agent's lists: tools, events, interrupts and activities.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Path;

use super::listed::ListedTool;
use super::lookup::ToolLookup;
use super::model::AgentModel;
use crate::krate::PrivatePath;
use crate::spelling::{at, framed, spelled};

/// A kind of item that an agent lists.
pub(super) struct ListKind {
    /// Prefix for item names in the expansion.
    pub(super) alias: &'static str,
    /// Function that returns an item's name.
    name: &'static str,
    /// The trait that ties an item to the agent.
    of: &'static str,
    /// The word for one item.
    what: &'static str,
    /// The option that gives an item another name.
    key: &'static str,
}

pub(super) const TOOLS: ListKind =
    ListKind { alias: "__AguiTool", name: "tool_name", of: "ToolOf", what: "tool", key: "name" };
pub(super) const EVENTS: ListKind =
    ListKind { alias: "__AguiEvent", name: "event_name", of: "EventOf", what: "event", key: "name" };
pub(super) const INTERRUPTS: ListKind = ListKind {
    alias: "__AguiInterrupt",
    name: "interrupt_reason",
    of: "InterruptOf",
    what: "interrupt",
    key: "reason",
};

pub(super) const ACTIVITIES: ListKind = ListKind {
    alias: "__AguiActivity",
    name: "activity_type",
    of: "ActivityOf",
    what: "activity",
    key: "type",
};

/// The list from which a model chooses calls, and checks for listed agents: a tool is checked where the tool is declared.
pub(super) fn expand_tools(
    agent: &AgentModel,
    listed: &[ListedTool<'_>],
    lookups: &[Option<ToolLookup<'_>>],
    private: &PrivatePath,
) -> TokenStream {
    let paths: Vec<_> = listed.iter().map(|tool| tool.path).collect();
    // The others are declared by their lookup.
    let types = listed.iter().zip(lookups);
    let types = types.map(|(tool, lookup)| lookup.is_none().then(|| tool.expand(private))).collect();
    let list = expand_list_of(&paths, types, &TOOLS, agent, private);
    let ty = &agent.ty;
    let agents = listed.iter().zip(aliases(paths.len(), TOOLS.alias)).filter(|(tool, _)| tool.runs_agent());
    let checks = agents.map(|(tool, alias)| {
        let path = tool.path;
        let shown = spelled(path);
        let described = format!(
            "a model learns from the description of `{shown}` when to call it: write a doc comment of 1 to 1024 characters on the agent"
        );
        let page = format!(
            "`{shown}` has frontend tools, which would be answered while this call waits: hand the conversation over with \
             `handoffs = [{shown}]`, or list those tools here"
        );
        let named = format!(
            "the tool of `{shown}` needs a name of at most 64 characters that is not `final_result` and does not begin with \
             `agui_`: give the agent another, `#[agent(name = \"…\")]`"
        );
        let rules = [
            quote!((#private::require)(#private::has_name::<#ty, #alias>(), #named)),
            quote!((#private::require)(#private::has_description::<#ty, #alias>(), #described)),
            quote!((#private::require)(!#private::needs_page::<#ty, #alias>(), #page)),
        ];
        // The function is in brackets, with which the place of the call begins.
        let rules = rules.map(|rule| framed(rule, at(path)));
        quote!(#(const _: () = #rules;)*)
    });
    quote!(#list #(#checks)*)
}

/// Names each path once, so that a path without a target is one error.
pub(super) fn expand_list(
    paths: &[Path],
    kind: &ListKind,
    agent: &AgentModel,
    private: &PrivatePath,
) -> TokenStream {
    let paths: Vec<_> = paths.iter().collect();
    let types = paths.iter().map(|path| Some(path.to_token_stream())).collect();
    expand_list_of(&paths, types, kind, agent, private)
}

fn expand_list_of(
    paths: &[&Path],
    types: Vec<Option<TokenStream>>,
    kind: &ListKind,
    agent: &AgentModel,
    private: &PrivatePath,
) -> TokenStream {
    let ListKind { what, key, .. } = kind;
    let (name, of) = (format_ident!("{}", kind.name), format_ident!("{}", kind.of));
    let ty = &agent.ty;
    let aliases = aliases(paths.len(), kind.alias);
    let list = format_ident!("{}_NAMES", kind.alias.to_uppercase());
    let is_of_tools = kind.of == TOOLS.of;
    let names = if is_of_tools { quote!(<#ty as #private::ToolSet>::NAMES) } else { list.to_token_stream() };
    let items = paths.iter().zip(types).zip(&aliases).enumerate().map(|(i, ((path, item), alias))| {
        let taken = format!(
            "another {what} of this agent has the {key} of `{}`: give one of them its own with `{key} = \"…\"`",
            spelled(path)
        );
        let unique = (i > 0).then(|| {
            let rule = quote!((#private::require)(#private::is_new(#names, #i), #taken));
            let rule = framed(rule, at(path));
            quote!(const _: () = #rule;)
        });
        // Reported at the item in the list. An editor that is asked about the item is led to it alone, and not to an alias.
        let (declared, listed) = match item {
            Some(item) => (quote!(type #alias = #item;), item),
            None => {
                let mut imported = alias.clone();
                imported.set_span(at(path));
                (TokenStream::new(), imported.to_token_stream())
            }
        };
        quote! {
            #declared
            #[automatically_derived]
            impl #private::#of<#ty> for #listed {}
            #unique
        }
    });
    // Once for all of them, because each path to a name costs the compiler time: a list for each item would have half
    // as many paths as the square of their number.
    let list = (paths.len() > 1 && !is_of_tools).then(|| {
        quote! {
            const #list: &[&::core::primitive::str] = &[#(#private::#name::<#ty, #aliases>()),*];
        }
    });
    quote!(#(#items)* #list)
}

/// Item names in the expansion. An editor that looks up a listed item is not led to the aliases.
pub(super) fn aliases(count: usize, prefix: &str) -> Vec<Ident> {
    (0..count).map(|i| format_ident!("{prefix}{i}")).collect()
}
