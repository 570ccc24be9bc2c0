//! Makes a failing program small: removes parts as long as it still fails in the same way.

use std::collections::BTreeSet;

use crate::program::{Code, Expr, Name, Program, Statement};

/// The maximum number of programs tried.
const TRIES: usize = 2000;

/// The smallest program found for which `fails` is true, as it is for the given one.
pub fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    let mut tries = 0;
    loop {
        let mut found = None;
        for candidate in candidates(&smallest) {
            if !is_whole(&candidate) {
                continue;
            }
            tries += 1;
            if tries > TRIES {
                return smallest;
            }
            if fails(&candidate) {
                found = Some(candidate);
                break;
            }
        }
        match found {
            Some(candidate) => smallest = candidate,
            None => return smallest,
        }
    }
}

/// Programs that are a little smaller, the smallest first.
fn candidates(program: &Program) -> Vec<Program> {
    let bodies = smaller(&program.body).into_iter();
    let with_body = bodies.map(|body| Program {
        body,
        ..program.clone()
    });
    let without_result = without_each(&program.results).map(|results| Program {
        results,
        ..program.clone()
    });
    let without_input = without_each(&program.inputs).map(|inputs| Program {
        inputs,
        ..program.clone()
    });
    with_body
        .chain(without_result)
        .chain(without_input)
        .collect()
}

/// Copies of a list, each without one of its items.
fn without_each<T: Clone>(items: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..items.len()).map(|at| [&items[..at], &items[at + 1..]].concat())
}

/// Copies of a block, each smaller by one part.
fn smaller(code: &Code) -> Vec<Code> {
    let statements = code.statements();
    let values = || code.values().to_vec();
    let mut all = Vec::new();
    for rest in without_each(statements) {
        all.push(Code::new(rest, values()));
    }
    for (at, statement) in statements.iter().enumerate() {
        let replaced = |by: &[Statement]| {
            let all = [&statements[..at], by, &statements[at + 1..]].concat();
            Code::new(all, values())
        };
        // Replaces a statement by one of its blocks. If the block uses names that the statement declares, the program isn't whole and is
        // skipped.
        for block in statement.blocks() {
            all.push(replaced(block.statements()));
        }
        for statement in smaller_statements(statement) {
            all.push(replaced(&[statement]));
        }
    }
    for (at, value) in code.values().iter().enumerate() {
        for simpler in simpler(value) {
            let mut values = values();
            values[at] = simpler;
            all.push(Code::new(statements.to_vec(), values));
        }
    }
    all
}

/// Copies of a statement with smaller blocks or a simpler value.
fn smaller_statements(statement: &Statement) -> Vec<Statement> {
    let blocks = statement.blocks();
    let mut all = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        for smaller in smaller(block) {
            let mut blocks: Vec<Code> = blocks.iter().copied().cloned().collect();
            blocks[at] = smaller;
            all.push(statement.with_blocks(blocks));
        }
    }
    for (at, expr) in statement.exprs().into_iter().enumerate() {
        for simpler in simpler(expr) {
            all.push(statement.with_expr(at, simpler));
        }
    }
    all
}

/// Parts of an expression that could replace it. (If the types don't match, trying the program shows it.)
fn simpler(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Name(_) | Expr::Constant(_) => Vec::new(),
        Expr::Custom(_, operand) => vec![Expr::clone(operand)],
        Expr::Apply(op, attrs, operands) => {
            let mut all = operands.clone();
            for (at, operand) in operands.iter().enumerate() {
                for simpler in simpler(operand) {
                    let mut operands = operands.clone();
                    operands[at] = simpler;
                    all.push(Expr::Apply(op, attrs.clone(), operands));
                }
            }
            all
        }
    }
}

/// Whether each name is declared where it is used.
fn is_whole(program: &Program) -> bool {
    let mut names: BTreeSet<Name> = program.inputs.iter().map(|(name, _)| *name).collect();
    let inside = is_whole_code(&program.body, &mut names);
    inside && program.results.iter().all(|name| names.contains(name))
}

/// Adds the names of a block; false if a name isn't declared.
fn is_whole_code(code: &Code, names: &mut BTreeSet<Name>) -> bool {
    let statements = code.statements().iter();
    let mut statements = statements.map(|statement| is_whole_statement(statement, names));
    statements.by_ref().all(|whole| whole) && code.values().iter().all(|v| has_names(v, names))
}

fn has_names(expr: &Expr, names: &BTreeSet<Name>) -> bool {
    let mut all = true;
    expr.names(&mut |name| all &= names.contains(&name));
    all
}

fn is_whole_statement(statement: &Statement, names: &mut BTreeSet<Name>) -> bool {
    let exprs = statement.exprs();
    let used = match statement {
        Statement::Assign(name, _) | Statement::Print(name) => names.contains(name),
        _ => true,
    };
    if !used || !exprs.iter().all(|expr| has_names(expr, names)) {
        return false;
    }
    let blocks = statement.blocks();
    let is_call = matches!(statement, Statement::Call(..));
    let whole = blocks.iter().all(|block| {
        let mut inside = if is_call {
            BTreeSet::new()
        } else {
            names.clone()
        };
        inside.extend(statement.inner());
        is_whole_code(block, &mut inside)
    });
    names.extend(statement.declared());
    whole
}
