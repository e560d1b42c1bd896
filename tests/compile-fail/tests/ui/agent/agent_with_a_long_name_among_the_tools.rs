#![allow(unused)]

use std::sync::Arc;

use agui_runtime::prelude::*;

/// Answers questions about invoices.
#[agent(name = "the_department_that_answers_questions_about_all_invoices")]
async fn billing(run: &mut Run<Billing>, _: Input<Billing>) -> Result<(), Stop> {
    Ok(())
}

/// Greets customers.
#[agent(handoffs = [Billing])]
async fn reception(run: &mut Run<Reception>, _: Input<Reception>, billing: &Arc<Billing>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
