//! Chat budgets in a run, shared with subagents.

use std::sync::{Arc, Mutex, PoisonError};

use super::Emit;

/// Limits for a chat and its subagents together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BudgetLimits {
    pub(crate) turns: u32,
    pub(crate) calls: u32,
    pub(crate) tokens: Option<u64>,
    /// Subagent levels below the chat.
    pub(crate) levels: u32,
}

/// An exhausted amount, with its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BudgetExcess {
    Turns(u32),
    Calls(u32),
    Tokens(u64),
    Levels(u32),
}

/// One chat's budget.
#[derive(Debug)]
pub(crate) struct ChatBudget {
    limits: BudgetLimits,
    spent: Mutex<BudgetUsage>,
    /// The enclosing chat's budget, and the number of agent levels between.
    above: Option<(Arc<ChatBudget>, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct BudgetUsage {
    turns: u32,
    calls: u32,
    tokens: u64,
}

impl ChatBudget {
    /// Opens a chat's budget below the nearest enclosing chat's budget.
    pub(crate) fn open(emit: &Emit, limits: BudgetLimits) -> Arc<Self> {
        let agents = emit.act(|kernel, author| kernel.agents_around(author));
        emit.shared().budgets(|budgets| {
            let mut around = (0_u32..).zip(&agents).skip(1);
            let above = around.find_map(|(levels, agent)| Some((budgets.get(agent)?.upgrade()?, levels)));
            let budget = Arc::new(Self { limits, spent: Mutex::default(), above });
            if let Some(own) = agents.first() {
                budgets.insert(*own, Arc::downgrade(&budget));
            }
            budget
        })
    }

    /// Counts a turn, or returns the limit if no turn is left.
    pub(crate) fn add_turn(&self) -> Result<(), BudgetExcess> {
        self.each(|limits, spent| {
            if spent.turns >= limits.turns {
                return Err(BudgetExcess::Turns(limits.turns));
            }
            spent.turns += 1;
            Ok(())
        })
    }

    /// True if this budget and all enclosing ones have a turn, and tokens for a turn.
    pub(crate) fn has_turn_left(&self) -> bool {
        let is_left = self.each(|limits, spent| {
            if spent.turns >= limits.turns {
                return Err(BudgetExcess::Turns(limits.turns));
            }
            match limits.tokens {
                Some(limit) if spent.tokens >= limit => Err(BudgetExcess::Tokens(limit)),
                _ => Ok(()),
            }
        });
        is_left.is_ok()
    }

    /// Counts calls.
    pub(crate) fn add_calls(&self, calls: u32) -> Result<(), BudgetExcess> {
        self.each(|limits, spent| {
            spent.calls = spent.calls.saturating_add(calls);
            if spent.calls > limits.calls { Err(BudgetExcess::Calls(limits.calls)) } else { Ok(()) }
        })
    }

    /// Counts tokens.
    pub(crate) fn add_tokens(&self, tokens: u64) -> Result<(), BudgetExcess> {
        self.each(|limits, spent| {
            spent.tokens = spent.tokens.saturating_add(tokens);
            match limits.tokens {
                Some(limit) if spent.tokens > limit => Err(BudgetExcess::Tokens(limit)),
                _ => Ok(()),
            }
        })
    }

    /// Checks that the agent may call a subagent.
    pub(crate) fn check_level(&self) -> Result<(), BudgetExcess> {
        let (mut budget, mut level) = (self, 1);
        loop {
            if level > budget.limits.levels {
                return Err(BudgetExcess::Levels(budget.limits.levels));
            }
            match &budget.above {
                Some((above, levels)) => (budget, level) = (above, level + levels),
                None => return Ok(()),
            }
        }
    }

    /// Counts in this budget and all enclosing ones, even after one is exhausted.
    fn each(
        &self,
        add: impl Fn(&BudgetLimits, &mut BudgetUsage) -> Result<(), BudgetExcess>,
    ) -> Result<(), BudgetExcess> {
        let mut counted = Ok(());
        let mut next = Some(self);
        while let Some(budget) = next {
            let mut spent = budget.spent.lock().unwrap_or_else(PoisonError::into_inner);
            counted = counted.and(add(&budget.limits, &mut spent));
            next = budget.above.as_ref().map(|(above, _)| &**above);
        }
        counted
    }
}
