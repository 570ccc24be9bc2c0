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
    let without_variable = without_each(&program.variables).map(|variables| Program {
        variables,
        ..program.clone()
    });
    with_body
        .chain(without_result)
        .chain(without_variable)
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
    let operands = expr.operands();
    let mut all = operands.to_vec();
    for (at, operand) in operands.iter().enumerate() {
        for simpler in simpler(operand) {
            let mut operands = operands.to_vec();
            operands[at] = simpler;
            all.push(expr.with_operands(operands));
        }
    }
    all
}

/// The names that are declared.
#[derive(Clone, Default)]
struct Names {
    tensors: BTreeSet<Name>,
    variables: BTreeSet<Name>,
}

/// Whether each name is declared where it is used.
fn is_whole(program: &Program) -> bool {
    let mut names = Names {
        tensors: program.inputs.iter().map(|(name, _)| *name).collect(),
        variables: program.variables.iter().map(|v| v.name).collect(),
    };
    let inside = is_whole_code(&program.body, &mut names);
    let mut results = program.results.iter();
    inside && results.all(|name| names.tensors.contains(name))
}

/// Adds the names of a block; false if a name isn't declared.
fn is_whole_code(code: &Code, names: &mut Names) -> bool {
    let statements = code.statements().iter();
    let mut statements = statements.map(|statement| is_whole_statement(statement, names));
    statements.by_ref().all(|whole| whole) && code.values().iter().all(|v| names.has_all_of(v))
}

impl Names {
    fn has_all_of(&self, expr: &Expr) -> bool {
        !expr.any(&|expr| match expr {
            Expr::Name(name) => !self.tensors.contains(name),
            Expr::Read(name) => !self.variables.contains(name),
            _ => false,
        })
    }

    /// Whether the names are declared that a statement uses outside of expressions and blocks.
    fn has_those_of(&self, statement: &Statement) -> bool {
        let mut passed = statement.passed().iter();
        passed.all(|(_, outside)| self.variables.contains(outside))
            && match statement {
                Statement::Write(_, name, _) => self.variables.contains(name),
                Statement::Assign(name, _) | Statement::Print(name) => self.tensors.contains(name),
                Statement::Assert(_, name) => self.tensors.contains(name),
                Statement::Gradient(_, _, names, ..) => {
                    names.iter().all(|name| self.variables.contains(name))
                }
                _ => true,
            }
    }
}

fn is_whole_statement(statement: &Statement, names: &mut Names) -> bool {
    let exprs = statement.exprs();
    if !names.has_those_of(statement) || !exprs.iter().all(|expr| names.has_all_of(expr)) {
        return false;
    }
    let blocks = statement.blocks();
    let is_call = matches!(statement, Statement::Call(..));
    let whole = blocks.iter().all(|block| {
        let mut inside = names.clone();
        if is_call {
            inside.tensors.clear();
        }
        inside.tensors.extend(statement.inner());
        let passed = statement.passed().iter();
        inside.variables.extend(passed.map(|(inside, _)| *inside));
        is_whole_code(block, &mut inside)
    });
    names.tensors.extend(statement.declared());
    whole
}
