//! Comparisons, logic, and the choice by a condition.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::choose;
use super::{Use, Write, Written, direct};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::LESS, direct),
    (&ops::LESS_EQUAL, direct),
    (&ops::GREATER, direct),
    (&ops::GREATER_EQUAL, direct),
    (&ops::EQUAL, equal),
    (&ops::NOT_EQUAL, not_equal),
    (&ops::LOGICAL_AND, direct),
    (&ops::LOGICAL_OR, direct),
    (&ops::LOGICAL_XOR, direct),
    (&ops::LOGICAL_NOT, direct),
    (&ops::SELECT, select),
];

fn equal(u: &mut Use<'_>) -> Written {
    if u.dtype() == DType::Str {
        u.since(19, "to compare strings")?;
    }
    Ok(u.result("Equal", &[&u.x[0], &u.x[1]]))
}

fn not_equal(u: &mut Use<'_>) -> Written {
    let equal = equal(u)?;
    Ok(u.result("Not", &[&equal]))
}

fn select(u: &mut Use<'_>) -> Written {
    Ok(choose(u.w, &u.x[0], &u.x[1], &u.x[2]))
}
