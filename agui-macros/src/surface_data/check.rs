//! Rules for a surface's data, one function each.

use super::model::DataModel;
use crate::report::Report;

pub(super) fn check(data: &DataModel<'_>, report: &Report) {
    if let Some(parameter) = data.generics.params.first() {
        report.error(parameter, "the data of a surface cannot be generic: write one type for each surface");
    }
    check_form(data, report);
}

fn check_form(data: &DataModel<'_>, report: &Report) {
    if let Some(key) = &data.other_form {
        report.error(
            key,
            format_args!(
                "`{}` writes other JSON than the fields, so no field has a path: leave it out",
                key.name
            ),
        );
    }
    let Some(fields) = &data.fields else {
        report.error(
            data.ident,
            format_args!(
                "the data of a surface is a JSON object, whose members have paths: write `struct {} {{ name: String }}`",
                data.ident
            ),
        );
        return;
    };
    for key in fields.iter().filter_map(|field| field.other_form.as_ref()) {
        report.error(
            key,
            format_args!(
                "`{}` writes other JSON than the field's type, so the field has no path: leave it out, or skip the field",
                key.name
            ),
        );
    }
}
