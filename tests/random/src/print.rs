//! Prints a program as text that reads like Rust.

use std::fmt::{self, Write};

use graph_runtime::Array;
use graph_runtime::ops::{Attr, Attrs};

use crate::exact::shown_array;
use crate::program::{
    Callee, Code, Expr, Form, Jump, Mode, Name, Program, Statement, Walk, Write as Change,
};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, array) in &self.inputs {
            writeln!(f, "let x{name} = tensor({});", shown_array(array))?;
        }
        for variable in &self.variables {
            let (name, start) = (variable.name, shown_array(&variable.start));
            let how = if variable.is_argument {
                "an argument"
            } else {
                "captured"
            };
            writeln!(f, "let v{name} = Variable::new(tensor({start})); // {how}")?;
        }
        let (inputs, results) = (self.inputs.iter().map(|(name, _)| *name), &self.results);
        writeln!(f, "fn f({}) {{", names(inputs))?;
        let mut text = Text {
            lines: String::new(),
            depth: 1,
        };
        self.body
            .statements()
            .iter()
            .for_each(|s| text.statement(s));
        f.write_str(&text.lines)?;
        writeln!(f, "    ({})\n}}", names(results.iter().copied()))
    }
}

fn names(names: impl IntoIterator<Item = Name>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("x{name}")).collect();
    names.join(", ")
}

/// The parameters of a function, and those that are variables.
type Parameters<'a> = (&'a [(Name, Expr)], &'a [(Name, Name)]);

struct Text {
    lines: String,
    depth: usize,
}

impl Text {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.lines, "{}{line}", "    ".repeat(self.depth));
    }

    /// Prints a block with the text before it and after it.
    fn block(&mut self, head: &str, code: &Code, end: &str) {
        self.line(&format!("{head} {{"));
        self.inside(code);
        self.line(&format!("}}{end}"));
    }

    fn inside(&mut self, code: &Code) {
        self.depth += 1;
        code.statements().iter().for_each(|s| self.statement(s));
        if !code.values().is_empty() {
            self.line(&list(code.values()));
        }
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(name, value) => self.line(&format!("let mut x{name} = {value};")),
            Statement::Assign(name, value) => self.line(&format!("x{name} = {value};")),
            Statement::Print(name) => self.line(&format!("graph_print!(\"{{x{name}}}\");")),
            Statement::Write(write, name, operands) => {
                let write = match write {
                    Change::Assign => "assign",
                    Change::Add => "assign_add",
                    Change::Sub => "assign_sub",
                    Change::Row => "assign_at",
                    Change::AddRows => "scatter_add",
                    Change::Rows => "scatter_update",
                };
                self.line(&format!("v{name}.{write}({});", list(operands)));
            }
            Statement::Assert(condition, shown) => {
                self.line(&format!("graph_assert!({condition}, \"{{x{shown}}}\");"));
            }
            Statement::Jump(jump) => self.line(match jump {
                Jump::Continue => "continue;",
                Jump::Break => "break;",
                Jump::Return => "return;",
            }),
            Statement::If(form, condition, yes, no) => {
                self.line(&format!("if {condition}{} {{", by(*form)));
                self.inside(yes);
                self.block("} else", no, "");
            }
            Statement::Switch(index, branches) => {
                self.line(&format!("switch_case({index})"));
                for (at, branch) in branches.iter().enumerate() {
                    self.block(&format!("    {at} =>"), branch, "");
                }
            }
            Statement::For(form, index, count, body) => {
                self.block(
                    &format!("for x{index} in 0..{count}{}", by(*form)),
                    body,
                    "",
                );
            }
            Statement::While(form, counter, limit, test, body) => {
                let head = format!("x{counter} from 0, below {limit}, while{}", by(*form));
                self.block(&head, test, "");
                self.block("", body, "");
            }
            Statement::Rows(walk, row, rows, body) => {
                let head = match walk {
                    Walk::For => format!("for x{row} in {rows}"),
                    Walk::Fold => format!("fold x{row} of {rows}"),
                    Walk::FoldRight => format!("fold_right x{row} of {rows}"),
                    Walk::Dataset => format!("for x{row} in Dataset::from_slices({rows})"),
                };
                self.block(&head, body, "");
            }
            Statement::Map(name, row, rows, body) => {
                self.block(
                    &format!("let mut x{name} = map_fn(|x{row}|"),
                    body,
                    &format!(", {rows});"),
                );
            }
            Statement::Gather(name, index, count, body) => {
                let head = format!("let mut x{name} = TensorArray of, for x{index} in 0..{count}");
                self.block(&head, body, ";");
            }
            Statement::Call(callee, parameters, passed, body, lets) => {
                let callee = match callee {
                    Callee::Owned => "call",
                    Callee::Borrowed => "call with references",
                    Callee::Recompute => "recompute",
                };
                self.function(callee, (parameters, passed), body, lets);
            }
            Statement::Gradient(mode, parameters, variables, body, lets) => {
                let callee = match mode {
                    Mode::Reverse => "grad",
                    Mode::Forward => "jvp",
                };
                let variables: Vec<_> = variables.iter().map(|name| (*name, *name)).collect();
                self.function(callee, (parameters, &variables), body, lets);
            }
        }
    }

    fn function(
        &mut self,
        callee: &str,
        (parameters, passed): Parameters<'_>,
        body: &Code,
        lets: &[Name],
    ) {
        let lets = names(lets.iter().copied());
        let tensors = parameters
            .iter()
            .map(|(name, e)| (format!("x{name}"), e.to_string()));
        let variables = passed
            .iter()
            .map(|(a, b)| (format!("v{a}"), format!("v{b}")));
        let (inside, given): (Vec<String>, Vec<String>) = tensors.chain(variables).unzip();
        let head = format!("let mut ({lets}) = {callee}(|{}|", inside.join(", "));
        self.block(&head, body, &format!(")({});", given.join(", ")));
    }
}

fn by(form: Form) -> &'static str {
    match form {
        Form::Rust => "",
        Form::ByHand => " /* by hand */",
    }
}

fn list(values: &[Expr]) -> String {
    let values: Vec<String> = values.iter().map(Expr::to_string).collect();
    values.join(", ")
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Name(name) => write!(f, "x{name}"),
            Expr::Constant(array) => f.write_str(&constant(array)),
            Expr::Read(name) => write!(f, "v{name}.read()"),
            Expr::Seed(None) => f.write_str("next_seed()"),
            Expr::Seed(Some(stream)) => write!(f, "next_seed_of({stream})"),
            Expr::Failing(op, _) => write!(f, "/* may fail */ {op}"),
            Expr::Custom(custom, operand) => write!(f, "custom_{custom:?}({operand})"),
            Expr::Apply(op, attrs, operands) => {
                write!(f, "{}{}({})", op.name, attributes(attrs), list(operands))
            }
        }
    }
}

fn constant(array: &Array) -> String {
    match array.rank() {
        0 => shown_array(array).replace("[] ", " "),
        _ => format!("tensor({})", shown_array(array)),
    }
}

fn attributes(attrs: &Attrs) -> String {
    let shown = |(name, value): &(&str, Attr)| match value {
        Attr::Int(n) => format!("{name}: {n}"),
        Attr::Ints(list) => format!("{name}: {list:?}"),
        Attr::Bool(holds) => format!("{name}: {holds}"),
        Attr::Text(text) => format!("{name}: {text:?}"),
        Attr::DType(dtype) => format!("{name}: {dtype}"),
        Attr::Shape(shape) => format!("{name}: {shape}"),
    };
    match attrs.is_empty() {
        true => String::new(),
        false => format!(
            "<{}>",
            attrs.iter().map(shown).collect::<Vec<_>>().join(", ")
        ),
    }
}
