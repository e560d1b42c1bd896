//! The walk over a source file that makes one copy in which each place that can be wrong is wrong when its number is chosen.
//!
//! Every change is written as `if on(N) { changed } else { as it was }`, or the same with less text where both are of type `bool`.

use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Local, Pat, Stmt, parse_quote};

use super::names::{has_test_gate, is_option, is_some_pattern, names_of, returns_nothing_as};
use super::rewrite::REWRITES;
use super::shape::{effect, is_question};
use super::site::Sites;

pub struct Mutator<'a> {
    sites: &'a mut Sites,
    file: &'a str,
    type_name: String,
    function: String,
    /// Parameters of the function that are an `Option`, as long as nothing else has their name.
    pub(super) options: Vec<String>,
    /// True if the next expression returns nothing, so that it can be left out.
    pub(super) is_unit: bool,
}

impl<'a> Mutator<'a> {
    pub fn new(sites: &'a mut Sites, file: &'a str) -> Self {
        Self {
            sites,
            file,
            type_name: String::new(),
            function: String::new(),
            options: Vec::new(),
            is_unit: false,
        }
    }

    /// Returns the expression, of type `bool`, that is true if this change is made.
    pub(super) fn on(&mut self, operator: &str) -> Expr {
        let number = self.sites.add(self.file, &self.function, operator);
        parse_quote!(crate::switch::on(#number))
    }

    pub(super) fn replace(&mut self, expr: &mut Expr, operator: &str, with: &Expr) {
        let on = self.on(operator);
        *expr = parse_quote!((if #on { #with } else { #expr }));
    }

    fn skip(&mut self, expr: &mut Expr, operator: &str) {
        let on = self.on(operator);
        *expr = parse_quote!(if !#on { #expr; });
    }

    fn function(&mut self, name: &str, sig: &syn::Signature, block: &mut Block) {
        if sig.constness.is_some() {
            return;
        }
        let function =
            if self.type_name.is_empty() { name.to_owned() } else { format!("{}::{name}", self.type_name) };
        let outer = std::mem::replace(&mut self.function, function);
        let options = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) if is_option(&typed.ty) => names_of(&typed.pat).pop(),
            _ => None,
        });
        let outer_options = std::mem::replace(&mut self.options, options.collect());
        self.is_unit = matches!(sig.output, syn::ReturnType::Default);
        self.visit_block_mut(block);
        if let Some(nothing) = returns_nothing_as(&sig.output) {
            let on = self.on("return nothing");
            block.stmts.insert(0, parse_quote!(if #on { return #nothing; }));
        }
        block.stmts.insert(0, parse_quote!(let _depth = crate::switch::enter();));
        self.options = outer_options;
        self.function = outer;
    }

    pub(super) fn shadow(&mut self, pat: &Pat) {
        let names = names_of(pat);
        self.options.retain(|option| !names.contains(option));
    }
}

impl VisitMut for Mutator<'_> {
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        match item {
            syn::Item::Fn(function) if !has_test_gate(&function.attrs) => {
                let name = function.sig.ident.to_string();
                self.function(&name, &function.sig, &mut function.block);
            }
            syn::Item::Impl(block) if !has_test_gate(&block.attrs) => {
                let ty = match &*block.self_ty {
                    syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
                    _ => None,
                };
                let outer = std::mem::replace(&mut self.type_name, ty.unwrap_or_default());
                for item in &mut block.items {
                    if let syn::ImplItem::Fn(function) = item
                        && !has_test_gate(&function.attrs)
                    {
                        let name = function.sig.ident.to_string();
                        self.function(&name, &function.sig, &mut function.block);
                    }
                }
                self.type_name = outer;
            }
            _ => {}
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let is_unit = std::mem::take(&mut self.is_unit);
        let last = block.stmts.len().saturating_sub(1);
        for (place, stmt) in block.stmts.iter_mut().enumerate() {
            match stmt {
                Stmt::Expr(expr, semi) => {
                    self.is_unit = semi.is_some() || place != last || is_unit;
                    self.visit_expr_mut(expr);
                    self.is_unit = false;
                }
                Stmt::Local(local) => self.visit_local_mut(local),
                Stmt::Item(item) => self.visit_item_mut(item),
                Stmt::Macro(_) => {}
            }
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, otherwise)) = &mut init.diverge {
                if is_some_pattern(&local.pat) {
                    self.replace(&mut init.expr, "never `let Some`", &parse_quote!(None));
                }
                self.visit_expr_mut(otherwise);
            }
        }
        self.shadow(&local.pat);
    }

    fn visit_pat_mut(&mut self, _: &mut Pat) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let is_unit = std::mem::take(&mut self.is_unit);
        let named: Vec<_> = REWRITES
            .iter()
            .filter_map(|rewrite| Some((rewrite, rewrite.of(&self.function, expr)?)))
            .collect();
        let skipped = if is_unit { effect(expr) } else { None };
        if !is_unit && is_question(expr) {
            self.boolean(expr, true, true);
        } else {
            self.visit_parts(expr, is_unit);
        }
        for (rewrite, other) in named {
            self.replace(expr, rewrite.name, &other);
        }
        if let Some(done) = skipped {
            self.skip(expr, &format!("skip {done}"));
        }
    }
}
