//! Compares two schemas to find a value that one allows and the other refuses.
//!
//! `format`, `not`, `if`, `contains`, `patternProperties` and the like are not compared.

mod bound;
mod flat;

use std::cell::{Cell, RefCell};

use serde_json::{Map, Value};

use self::bound::bound;
use self::flat::{TooMany, flat};
use super::walk::{check_part, list, place};
use crate::quoted::quoted;

/// The step limit for one comparison: nested alternatives multiply, and a client writes one of the schemas.
const MOST_STEPS: usize = 20_000;

/// The depth to which values are compared. A deeper schema contains itself.
const MOST_DEPTH: usize = 64;

/// A path at which a schema refuses a value that the other allows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Narrower {
    /// `items[].name`; `.` for the whole value.
    pub(crate) path: String,
    pub(crate) reason: String,
}

/// Returns the first path at which `offered` refuses a value that `contract` allows.
pub(crate) fn narrower(contract: &Value, offered: &Value) -> Option<Narrower> {
    let comparison = Comparison {
        contract,
        offered,
        left: Cell::new(MOST_STEPS),
        depth: Cell::new(0),
        open: RefCell::default(),
    };
    comparison.covers(contract, offered, "").err()
}

struct Comparison<'s> {
    contract: &'s Value,
    offered: &'s Value,
    /// The number of steps left for the comparison.
    left: Cell<usize>,
    depth: Cell<usize>,
    /// The reference pairs under comparison: a recursive type comes back to the same pair.
    open: RefCell<Vec<(String, String)>>,
}

type Simple = Map<String, Value>;

impl Comparison<'_> {
    fn covers(&self, contract: &Value, offered: &Value, path: &str) -> Result<(), Narrower> {
        let takes_all = offered.as_bool() == Some(true) || offered.as_object().is_some_and(Map::is_empty);
        if takes_all || self.depth.get() >= MOST_DEPTH {
            return Ok(());
        }
        self.depth.set(self.depth.get() + 1);
        let covered = self.covers_reference(contract, offered, path);
        self.depth.set(self.depth.get() - 1);
        covered
    }

    fn covers_reference(&self, contract: &Value, offered: &Value, path: &str) -> Result<(), Narrower> {
        let pair = reference(contract).zip(reference(offered));
        let Some((from, to)) = pair else { return self.covers_each(contract, offered, path) };
        let pair = (from.to_owned(), to.to_owned());
        if self.open.borrow().contains(&pair) {
            return Ok(());
        }
        self.open.borrow_mut().push(pair);
        let covered = self.covers_each(contract, offered, path);
        self.open.borrow_mut().pop();
        covered
    }

    /// Checks that the offer allows each alternative in the contract.
    fn covers_each(&self, contract: &Value, offered: &Value, path: &str) -> Result<(), Narrower> {
        let too_many = |TooMany| at(path, "it has too many alternatives to be compared");
        let wanted = flat(self.contract, contract, &self.left).map_err(too_many)?;
        let allowed = flat(self.offered, offered, &self.left).map_err(too_many)?;
        'wanted: for want in &wanted {
            // The error of the alternative that is nearest to the wanted values.
            let mut found = (None, at(path, "no value is allowed here"));
            for allow in &allowed {
                let left = self.left.get().checked_sub(1).ok_or(TooMany).map_err(too_many)?;
                self.left.set(left);
                match self.covers_one(want, allow, path) {
                    Ok(()) => continue 'wanted,
                    Err(error) => {
                        let nearness = Some((error.path.len(), type_of(want) == type_of(allow)));
                        if nearness > found.0 {
                            found = (nearness, error);
                        }
                    }
                }
            }
            return Err(found.1);
        }
        Ok(())
    }

    fn covers_one(&self, want: &Simple, allow: &Simple, path: &str) -> Result<(), Narrower> {
        let narrower = |reason: String| Err(at(path, reason));
        if let Some(values) = values(want) {
            let allow = Value::Object(allow.clone());
            let refused = values
                .iter()
                .find_map(|value| check_part(self.offered, &allow, value).err().map(|error| (value, error)));
            return match refused {
                Some((value, _)) => narrower(format!("it does not take {}", quoted(value))),
                None => Ok(()),
            };
        }
        if let Some(values) = values(allow) {
            let names: Vec<_> = values.iter().map(|value| quoted(value).to_string()).collect();
            return narrower(format!("it takes only {}", names.join(", ")));
        }
        match (type_of(want), type_of(allow)) {
            (_, None) => {}
            (Some("integer"), Some("number")) => {}
            (Some(want), Some(allow)) if want == allow => {}
            (Some(want), Some(allow)) => return narrower(format!("it takes {allow}, not {want}")),
            (None, Some(allow)) => return narrower(format!("it takes only {allow}")),
        }
        if let Some(reason) = bound(want, allow) {
            return narrower(reason);
        }
        self.covers_members(want, allow, path)?;
        self.covers_items(want, allow, path)
    }

    fn covers_members(&self, want: &Simple, allow: &Simple, path: &str) -> Result<(), Narrower> {
        if type_of(want).is_some_and(|name| name != "object") {
            return Ok(());
        }
        let required: Vec<_> = texts(want, "required").collect();
        if let Some(missing) = texts(allow, "required").find(|name| !required.contains(name)) {
            return Err(at(path, format!("it requires the member `{}`", quoted(missing))));
        }
        let others = allow.get("additionalProperties").filter(|_| !allow.contains_key("patternProperties"));
        let allowed = allow.get("properties").and_then(Value::as_object);
        for (name, contract) in want.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let Some(offered) = allowed.and_then(|members| members.get(name)).or(others) else { continue };
            if *contract == false {
                continue;
            }
            if *offered == false {
                return Err(at(path, format!("it has no member `{}`", quoted(name))));
            }
            let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            self.covers(contract, offered, &inner)?;
        }
        // Without the keyword, a model writes the listed members alone.
        match (want.get("additionalProperties"), others) {
            (Some(contract), Some(offered)) if *contract != false => {
                self.covers(contract, offered, &format!("{path}.*"))
            }
            _ => Ok(()),
        }
    }

    fn covers_items(&self, want: &Simple, allow: &Simple, path: &str) -> Result<(), Narrower> {
        if type_of(want).is_some_and(|name| name != "array") {
            return Ok(());
        }
        let any = Value::Bool(true);
        let (firsts, allowed) = (list(want, "prefixItems"), list(allow, "prefixItems"));
        let (rest, allowed_rest) = (want.get("items").unwrap_or(&any), allow.get("items").unwrap_or(&any));
        for number in 0..firsts.len().max(allowed.len()) {
            let contract = firsts.get(number).unwrap_or(rest);
            let offered = allowed.get(number).unwrap_or(allowed_rest);
            if *contract != false {
                self.covers(contract, offered, &format!("{path}[{number}]"))?;
            }
        }
        match *rest == false || is_full(want, firsts.len()) {
            true => Ok(()),
            false => self.covers(rest, allowed_rest, &format!("{path}[]")),
        }
    }
}

fn at(path: &str, reason: impl Into<String>) -> Narrower {
    Narrower { path: place(path.trim_start_matches('.')), reason: reason.into() }
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}

fn type_of(schema: &Simple) -> Option<&str> {
    schema.get("type")?.as_str()
}

fn texts<'v>(schema: &'v Simple, name: &str) -> impl Iterator<Item = &'v str> {
    list(schema, name).iter().filter_map(Value::as_str)
}

/// True if the list cannot be longer than the first items, which have their own schemas.
fn is_full(schema: &Simple, firsts: usize) -> bool {
    let most = schema.get("maxItems").and_then(Value::as_u64);
    most.is_some_and(|most| usize::try_from(most).is_ok_and(|most| most <= firsts))
}

/// A schema's values, if listed.
fn values(schema: &Simple) -> Option<Vec<Value>> {
    let values = schema.get("const").map(|value| vec![value.clone()]);
    let values = values.or_else(|| Some(schema.get("enum")?.as_array()?.clone()));
    values.or_else(|| match type_of(schema)? {
        "boolean" => Some(vec![Value::Bool(false), Value::Bool(true)]),
        "null" => Some(vec![Value::Null]),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
