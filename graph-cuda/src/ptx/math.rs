//! The functions of `kernels/math.cu`, which were compiled to PTX ahead: they are cut out of that text, and pasted into kernels or called.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::code::{Reg, Width};

const TEXT: &str = include_str!("../../kernels/math.ptx");

/// The functions by name.
static FUNCTIONS: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
    let starts = TEXT.match_indices(".func ").map(|(at, _)| line_start(at));
    let functions = starts.filter_map(Function::at);
    functions
        .map(|function| (function.name, function))
        .collect()
});

/// A function of the text.
struct Function {
    name: &'static str,
    /// The definition, without `.visible`.
    text: &'static str,
    /// What is between the braces.
    body: &'static str,
}

impl Function {
    fn at(start: usize) -> Option<Function> {
        let rest = &TEXT[start..];
        let end = rest.find("\n}\n")? + 3;
        let text = rest[..end].trim_start_matches(".visible ");
        let (head, body) = text.split_once("\n{\n")?;
        let (_, after) = head.split_once(')')?;
        let name = after.trim().split('(').next()?.trim();
        let body = body.strip_suffix("}\n")?;
        Some(Function { name, text, body })
    }

    /// A body can be pasted if it has one way out, at its end, and no arrays or calls.
    fn can_be_pasted(&self) -> bool {
        let no = [".local", "call", "%SP"];
        self.body.matches("ret;").count() == 1
            && self.body.trim_end().ends_with("ret;")
            && !no.iter().any(|word| self.body.contains(word))
    }

    /// The functions and tables whose names occur in the body.
    fn mentions(&self, name: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.body.match_indices(name).any(|(at, _)| {
            let before = self.body[..at].chars().next_back();
            let after = self.body[at + name.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
    }
}

fn line_start(at: usize) -> usize {
    TEXT[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn function(name: &str) -> &'static Function {
    match FUNCTIONS.get(name) {
        Some(function) => function,
        None => unreachable!("math.ptx has no `{name}`; a test asks for each name"),
    }
}

/// The function of a name for a type, such as `exp_f32`.
pub fn named(name: &str, ty: &str) -> &'static str {
    function(&format!("{name}_{ty}")).name
}

/// The body of a function as a block that reads the operands and writes the result; `None` if it can only be called.
pub fn pasted(name: &str, operands: &[Reg], to: Reg, number: u32) -> Option<String> {
    let function = function(name);
    if !function.can_be_pasted() {
        return None;
    }
    let mut block = "  {\n".to_owned();
    let lines = function.body.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && *line != "ret;") {
        let line = line.replace("$L_", &format!("$L{number}_"));
        let _ = match parameter(&line, name) {
            Some((before, register, position)) => {
                let operand = operands.get(position)?;
                writeln!(block, "    {before}{register}, {operand};")
            }
            None => match line.split_once("st.param") {
                Some((before, stored)) => {
                    let (_, value) = stored.split_once(',')?;
                    writeln!(block, "    {before}{} {to},{value}", moved(to.width))
                }
                None => writeln!(block, "    {line}"),
            },
        };
    }
    block.push_str("  }\n");
    Some(block)
}

/// A line that loads a parameter, as a move: what is before the register, the register, and the parameter's position.
fn parameter<'a>(line: &'a str, function: &str) -> Option<(String, &'a str, usize)> {
    let (before, load) = line.split_once("ld.param.")?;
    let (kind, rest) = load.split_once(char::is_whitespace)?;
    let (register, place) = rest.trim().split_once(',')?;
    let place = place.trim().strip_prefix('[')?.strip_suffix("];")?;
    let position = place.strip_prefix(function)?.strip_prefix("_param_")?;
    Some((
        format!("{before}mov.{kind} "),
        register,
        position.parse().ok()?,
    ))
}

fn moved(width: Width) -> &'static str {
    match width {
        Width::Double => "mov.b64",
        _ => "mov.b32",
    }
}

/// A call of a function.
pub fn call(name: &str, operands: &[Reg], to: Reg) -> String {
    let bits = |width| if width == Width::Double { 64 } else { 32 };
    let mut text = "  {\n".to_owned();
    for (i, operand) in operands.iter().enumerate() {
        let bits = bits(operand.width);
        let _ = writeln!(text, "    .param .b{bits} x{i};");
        let _ = writeln!(text, "    st.param.b{bits} [x{i}+0], {operand};");
    }
    let names: Vec<String> = (0..operands.len()).map(|i| format!("x{i}")).collect();
    let bits = bits(to.width);
    let _ = writeln!(text, "    .param .b{bits} y;");
    let _ = writeln!(text, "    call.uni (y), {name}, ({});", names.join(", "));
    let _ = writeln!(text, "    ld.param.b{bits} {to}, [y+0];\n  }}");
    text
}

/// The tables and functions that these functions need, in the order in which they must be written.
pub fn definitions(called: &BTreeSet<&'static str>) -> String {
    let mut needed: BTreeSet<&str> = called.iter().copied().collect();
    let mut pending: Vec<&str> = needed.iter().copied().collect();
    while let Some(name) = pending.pop() {
        let body = function(name);
        let inner = FUNCTIONS.keys().filter(|other| body.mentions(other));
        pending.extend(inner.filter(|inner| needed.insert(inner)));
    }
    let mut text = String::new();
    for line in TEXT.lines().filter(|line| line.starts_with(".global")) {
        let name = line.split_whitespace().nth(4);
        let name = name.and_then(|name| name.split('[').next());
        let used = |table: &str| needed.iter().any(|name| function(name).mentions(table));
        if name.is_some_and(used) {
            let _ = writeln!(text, "{line}");
        }
    }
    // Those that others call come first. They call none.
    let mut functions: Vec<&Function> = needed.iter().map(|name| function(name)).collect();
    functions.sort_by_key(|function| called.contains(function.name));
    text.extend(functions.iter().map(|function| function.text));
    text
}
