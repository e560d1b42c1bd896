//! The operators: what can be wrong with an expression of each kind.
//!
//! There are no types here: an operator is used only where the change has the type of the original, whatever that is.

use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Block, Expr, Pat, UnOp, parse_quote};

use super::mutator::Mutator;
use super::names::{callee, is_some_pattern, last_ident};
use super::shape::{Matches, describe, leave_out, split_alternatives};

/// Methods that take a closure which returns `bool`.
const ASKING: &[&str] =
    &["all", "any", "filter", "find", "is_none_or", "is_some_and", "retain", "take_if", "take_while"];
/// Methods of an `Option`, an iterator or a number that return the type of their receiver.
const KEEPING: &[&str] = &["max", "min", "or", "or_else", "saturating_sub"];
/// Methods that return an `Option`, whatever their receiver is.
const OPTIONAL: &[&str] =
    &["back_mut", "err", "first", "get", "get_mut", "last", "last_key_value", "pop_back", "pop_front"];
/// Methods at the end of a chain, before which a method can be left out without a change of the type.
const ENDING: &[&str] = &["collect", "count", "extend", "for_each", "sum"];
/// Methods in such a chain that can be left out.
const LINKS: &[&str] = &["chain", "rev"];

impl Mutator<'_> {
    /// A condition, or another expression of type `bool`: made true and made false, as a whole and in its parts.
    pub(super) fn boolean(&mut self, expr: &mut Expr, can_be_true: bool, can_be_false: bool) {
        match expr {
            Expr::Paren(inner) => self.boolean(&mut inner.expr, can_be_true, can_be_false),
            Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => {
                self.boolean(&mut not.expr, can_be_false, can_be_true);
            }
            Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
                self.boolean(&mut both.left, true, can_be_false);
                self.boolean(&mut both.right, true, false);
            }
            Expr::Binary(either) if matches!(either.op, BinOp::Or(_)) => {
                self.boolean(&mut either.left, can_be_true, true);
                self.boolean(&mut either.right, false, true);
            }
            Expr::Let(bound) => {
                let name = format!("never `let {}`", last_ident(&bound.pat));
                self.visit_expr_mut(&mut bound.expr);
                self.shadow(&bound.pat);
                if can_be_false {
                    let on = self.on(&name);
                    *expr = parse_quote!(!#on && #expr);
                }
            }
            _ => {
                let name = describe(expr);
                let bound = self.bound(expr);
                self.visit_parts(expr, false);
                if let Some(bound) = bound {
                    *expr = bound(expr.clone());
                }
                if can_be_true {
                    let on = self.on(&format!("always {name}"));
                    *expr = parse_quote!((#expr || #on));
                }
                if can_be_false {
                    let on = self.on(&format!("never {name}"));
                    *expr = parse_quote!((#expr && !#on));
                }
            }
        }
    }

    /// `<` with `<=` in its place, and the like.
    fn bound(&mut self, expr: &Expr) -> Option<impl FnOnce(Expr) -> Expr + use<>> {
        let Expr::Binary(compared) = expr else { return None };
        let (name, other): (&str, BinOp) = match compared.op {
            BinOp::Lt(_) => ("`<` is `<=`", parse_quote!(<=)),
            BinOp::Le(_) => ("`<=` is `<`", parse_quote!(<)),
            BinOp::Gt(_) => ("`>` is `>=`", parse_quote!(>=)),
            BinOp::Ge(_) => ("`>=` is `>`", parse_quote!(>)),
            _ => return None,
        };
        let on = self.on(name);
        Some(move |expr: Expr| {
            let Expr::Binary(mut changed) = expr.clone() else { return expr };
            changed.op = other;
            parse_quote!((if #on { #changed } else { #expr }))
        })
    }

    /// An argument or a field, which may be a parameter that can be absent.
    fn value(&mut self, expr: &mut Expr) {
        let name = match &*expr {
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            Expr::MethodCall(call) if call.method == "clone" => match &*call.receiver {
                Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
                _ => None,
            },
            _ => None,
        };
        match name.filter(|name| self.options.contains(name)) {
            Some(name) => self.replace(expr, &format!("no `{name}`"), &parse_quote!(None)),
            None => self.visit_expr_mut(expr),
        }
    }

    fn body(&mut self, block: &mut Block, can_be_skipped: bool) {
        self.is_unit = true;
        self.visit_block_mut(block);
        if can_be_skipped {
            let on = self.on("skip `for`");
            block.stmts.insert(0, parse_quote!(if #on { break; }));
        }
        block.stmts.insert(0, parse_quote!(crate::switch::step();));
    }

    fn arms(&mut self, arms: &mut Vec<Arm>, is_unit: bool) {
        split_alternatives(arms);
        let is_caught = arms.last().is_some_and(|arm| match &arm.pat {
            Pat::Wild(_) => true,
            Pat::Ident(name) => {
                name.subpat.is_none() && name.ident.to_string().starts_with(char::is_lowercase)
            }
            _ => false,
        });
        let last = arms.len().saturating_sub(1);
        for (place, arm) in arms.iter_mut().enumerate() {
            self.shadow(&arm.pat);
            let name = last_ident(&arm.pat);
            match &mut arm.pat {
                Pat::Guard(guarded) => self.boolean(&mut guarded.guard, true, true),
                pat if is_caught && place != last => {
                    let on = self.on(&format!("without arm `{name}`"));
                    let guarded = syn::PatGuard {
                        attrs: Vec::new(),
                        pat: Box::new(pat.clone()),
                        if_token: Default::default(),
                        guard: Box::new(parse_quote!(!#on)),
                    };
                    *pat = Pat::Guard(guarded);
                }
                _ => {}
            }
            self.is_unit = is_unit;
            self.visit_expr_mut(&mut arm.body);
            self.is_unit = false;
        }
    }

    /// The parts of an expression, and the changes of its value.
    pub(super) fn visit_parts(&mut self, expr: &mut Expr, is_unit: bool) {
        match expr {
            Expr::If(branch) => {
                self.boolean(&mut branch.cond, true, true);
                self.is_unit = is_unit;
                self.visit_block_mut(&mut branch.then_branch);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.is_unit = is_unit;
                    self.visit_expr_mut(otherwise);
                }
                self.is_unit = false;
            }
            Expr::While(again) => {
                self.boolean(&mut again.cond, false, true);
                self.body(&mut again.body, false);
            }
            Expr::Loop(again) => self.body(&mut again.body, false),
            Expr::ForLoop(each) => {
                self.visit_expr_mut(&mut each.expr);
                self.shadow(&each.pat);
                self.body(&mut each.body, true);
            }
            Expr::Match(choice) => {
                let can_be_none = choice.arms.iter().any(|arm| last_ident(&arm.pat) == "None")
                    && choice.arms.iter().any(|arm| is_some_pattern(&arm.pat));
                self.visit_expr_mut(&mut choice.expr);
                if can_be_none {
                    let none = if matches!(&*choice.expr, Expr::Reference(_)) {
                        parse_quote!(&None)
                    } else {
                        parse_quote!(None)
                    };
                    self.replace(&mut choice.expr, "`match` is of `None`", &none);
                }
                self.arms(&mut choice.arms, is_unit);
            }
            Expr::Block(inner) => {
                self.is_unit = is_unit;
                self.visit_block_mut(&mut inner.block);
                self.is_unit = false;
            }
            Expr::Closure(closure) => {
                closure.inputs.iter().for_each(|pat| self.shadow(pat));
                self.visit_expr_mut(&mut closure.body);
            }
            Expr::Call(call) => {
                call.args.iter_mut().for_each(|value| self.value(value));
                self.call(expr);
            }
            Expr::MethodCall(call) => {
                self.visit_expr_mut(&mut call.receiver);
                let asks = ASKING.iter().any(|name| call.method == name);
                for value in &mut call.args {
                    match value {
                        Expr::Closure(closure) if asks => {
                            closure.inputs.iter().for_each(|pat| self.shadow(pat));
                            self.boolean(&mut closure.body, true, true);
                        }
                        _ => self.value(value),
                    }
                }
                self.method(expr, is_unit);
            }
            Expr::Struct(literal) => {
                for field in &mut literal.fields {
                    self.value(&mut field.expr);
                    field.colon_token = Some(Default::default());
                }
                literal.rest.iter_mut().for_each(|rest| self.visit_expr_mut(rest));
            }
            Expr::Macro(written) if written.mac.path.is_ident("matches") => {
                let asked: Matches = written.mac.parse_body().expect("`matches!` has a value and a pattern");
                let (value, pat) = (asked.value, asked.pat);
                let mut choice: syn::ExprMatch = parse_quote!(match #value { _ => false });
                choice.arms.insert(
                    0,
                    Arm {
                        attrs: Vec::new(),
                        pat,
                        fat_arrow_token: Default::default(),
                        body: Box::new(parse_quote!(true)),
                        comma: Some(Default::default()),
                    },
                );
                // The change of the whole expression covers a single pattern.
                if matches!(&choice.arms[0].pat, Pat::Or(_)) {
                    split_alternatives(&mut choice.arms);
                    for arm in choice.arms.iter_mut().filter(|arm| !matches!(arm.pat, Pat::Wild(_))) {
                        let on = self.on(&format!("without `{}`", last_ident(&arm.pat)));
                        *arm.body = parse_quote!(!#on);
                    }
                }
                *expr = parse_quote!((#choice));
            }
            Expr::Macro(_) => {}
            Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Bool(value) => {
                    let was = value.value;
                    let on = self.on(if was { "`true` is `false`" } else { "`false` is `true`" });
                    *expr = if was { parse_quote!(!#on) } else { on };
                }
                syn::Lit::Int(number) => {
                    let next = syn::LitInt::new(
                        &format!("{}", number.base10_parse::<u64>().expect("a small number") + 1),
                        number.span(),
                    );
                    let name = format!("`{number}` is `{next}`");
                    self.replace(expr, &name, &parse_quote!(#next));
                }
                _ => {}
            },
            Expr::Binary(both) if matches!(both.op, BinOp::Add(_)) => {
                self.visit_expr_mut(&mut both.left);
                self.visit_expr_mut(&mut both.right);
                let (left, right) = (&both.left, &both.right);
                let less = parse_quote!(#left - #right);
                let alone = parse_quote!(#left);
                self.replace(expr, "without `+`", &alone);
                self.replace(expr, "`+` is `-`", &less);
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn call(&mut self, expr: &mut Expr) {
        let Expr::Call(call) = &*expr else { return };
        match callee(&call.func).as_str() {
            "Some" => self.replace(expr, "`Some` is `None`", &parse_quote!(None)),
            "mem::take" => {
                let place = call.args[0].clone();
                self.replace(expr, "`take` leaves it", &parse_quote!(Clone::clone(#place)));
            }
            _ => {}
        }
    }

    fn method(&mut self, expr: &mut Expr, is_unit: bool) {
        let Expr::MethodCall(call) = &*expr else { return };
        let name = call.method.to_string();
        let receiver = (*call.receiver).clone();
        if KEEPING.contains(&name.as_str()) {
            self.replace(expr, &format!("without `{name}`"), &receiver);
        } else if !is_unit && (OPTIONAL.contains(&name.as_str()) || (name == "take" && call.args.is_empty()))
        {
            self.replace(expr, &format!("`{name}` is `None`"), &parse_quote!(None));
        } else if ENDING.contains(&name.as_str()) {
            let whole = expr.clone();
            for link in LINKS {
                let mut shorter = whole.clone();
                if leave_out(&mut shorter, link) {
                    self.replace(expr, &format!("without `{link}`"), &shorter);
                }
            }
        }
    }
}
