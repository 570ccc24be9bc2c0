//! Writes random programs as graph text, over a few variables. Loops count to small constants, so all of them end; integer divisors are
//! nonzero constants; strings only grow by constants.

use std::fmt::Write;

use graph_runtime::Array;

use super::choices::Choices;

mod nested;

/// A dtype and a shape, as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Type {
    dtype: &'static str,
    shape: &'static str,
}

const INT: Type = Type {
    dtype: "int32",
    shape: "",
};

const DTYPES: &[&str] = &[
    "int32", "float32", "bool", "int64", "uint8", "float64", "string",
];

/// Shapes as text, each with its number of values.
const SHAPES: &[(&str, usize)] = &[
    ("", 1),
    ("3", 3),
    ("0", 0),
    ("2,3", 6),
    ("0,3", 0),
    ("1", 1),
];

/// The variables of all programs.
const VARIABLES: &[(&str, Type)] = &[
    ("count", INT),
    (
        "row",
        Type {
            dtype: "float32",
            shape: "3",
        },
    ),
    (
        "text",
        Type {
            dtype: "string",
            shape: "",
        },
    ),
    (
        "grid",
        Type {
            dtype: "int32",
            shape: "2,3",
        },
    ),
];

/// The initial values of the variables.
pub fn starts() -> [Array; 4] {
    [
        Array::scalar(5i32),
        Array::new(&[3], vec![1.5f32, -0.0, f32::NAN]),
        Array::scalar(String::from("a")),
        Array::new(&[2, 3], vec![1i32, -2, 3, -4, 5, i32::MAX]),
    ]
}

#[derive(Clone, Debug)]
struct Value {
    name: String,
    ty: Type,
}

struct Writer<'a> {
    choices: Choices<'a>,
    text: String,
    names: usize,
    /// The number of nodes that may still be written; without a limit, deep programs would have too many.
    budget: usize,
}

/// A program over an `int32[]`, a `float32[]` and a `float32[3]`.
pub fn program(choices: Choices<'_>) -> String {
    let mut writer = Writer {
        choices,
        text: String::new(),
        names: 0,
        budget: 60,
    };
    let float = Type {
        dtype: "float32",
        shape: "",
    };
    let inputs = [
        ("x", INT),
        ("y", float),
        (
            "z",
            Type {
                shape: "3",
                ..float
            },
        ),
    ];
    let mut scope: Vec<Value> = inputs
        .iter()
        .map(|(name, ty)| Value {
            name: (*name).to_owned(),
            ty: *ty,
        })
        .collect();
    writer.statements(&mut scope, 3);
    writer.statements(&mut scope, 3);
    let results = writer.picks(&scope, 4);
    let types: Vec<String> = results.iter().map(|v| shown(v.ty)).collect();
    let (head, types) = (typed(&scope[..3]), types.join(", "));
    let variables = VARIABLES.iter();
    let variables = variables.map(|(name, ty)| format!("{name}: {}", shown(*ty)));
    let table = variables.collect::<Vec<_>>().join(", ");
    format!(
        "graph ({head}) with ({table}) -> ({types}) {{\n{}return {}\n}}\n",
        writer.text,
        listed(&results)
    )
}

fn shown(ty: Type) -> String {
    format!("{}[{}]", ty.dtype, ty.shape)
}

fn typed(values: &[Value]) -> String {
    let values: Vec<String> = values
        .iter()
        .map(|v| format!("{}: {}", v.name, shown(v.ty)))
        .collect();
    values.join(", ")
}

fn listed(values: &[Value]) -> String {
    let names: Vec<&str> = values.iter().map(|v| v.name.as_str()).collect();
    names.join(", ")
}

fn types(values: &[Value]) -> String {
    let types: Vec<String> = values.iter().map(|v| shown(v.ty)).collect();
    types.join(", ")
}

impl Writer<'_> {
    fn fresh(&mut self, ty: Type) -> Value {
        self.names += 1;
        Value {
            name: format!("v{}", self.names),
            ty,
        }
    }

    /// Writes a node with one output.
    fn node(&mut self, ty: Type, text: std::fmt::Arguments<'_>) -> Value {
        let value = self.fresh(ty);
        let _ = writeln!(self.text, "{} = {text} : {}", value.name, shown(ty));
        value
    }

    fn pick(&mut self, scope: &[Value]) -> Value {
        // Late values depend on more nodes, so programs become deeper.
        let back = self.choices.below(scope.len());
        scope[scope.len() - 1 - back].clone()
    }

    fn picks(&mut self, scope: &[Value], n: usize) -> Vec<Value> {
        (0..n).map(|_| self.pick(scope)).collect()
    }

    fn pick_where(&mut self, scope: &[Value], fits: impl Fn(&Value) -> bool) -> Option<Value> {
        let fitting: Vec<Value> = scope.iter().filter(|v| fits(v)).cloned().collect();
        if fitting.is_empty() {
            None
        } else {
            Some(self.pick(&fitting))
        }
    }

    /// A value of a type: one in scope, or a new constant.
    fn of_type(&mut self, scope: &[Value], ty: Type) -> Value {
        match self.pick_where(scope, |v| v.ty == ty) {
            Some(value) => value,
            None => self.constant(ty),
        }
    }

    fn constant(&mut self, ty: Type) -> Value {
        let count = SHAPES
            .iter()
            .find(|(shape, _)| *shape == ty.shape)
            .map_or(1, |(_, n)| *n);
        let values: Vec<&str> = (0..count)
            .map(|_| match ty.dtype {
                "bool" => self.choices.one_of(&["true", "false"]),
                "string" => self.choices.one_of(&["\"a\"", "\"\"", "\"é b\""]),
                "float32" | "float64" => self
                    .choices
                    .one_of(&["0.5", "-0.0", "3.0", "inf", "nan", "-1e30"]),
                "uint8" => self.choices.one_of(&["1", "0", "255", "7"]),
                _ => self.choices.one_of(&["1", "0", "-7", "2147483647", "5"]),
            })
            .collect();
        let values = if ty.shape.is_empty() {
            values[0].to_owned()
        } else {
            format!("[{}]", values.join(", "))
        };
        self.node(ty, format_args!("constant {values}"))
    }

    /// Writes statements that add values to the scope.
    fn statements(&mut self, scope: &mut Vec<Value>, depth: usize) {
        for _ in 0..2 + self.choices.below(4) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.choices.below(if depth > 0 { 15 } else { 9 }) {
                0 => {
                    let ty = Type {
                        dtype: self.choices.one_of(DTYPES),
                        shape: self.choices.one_of(SHAPES).0,
                    };
                    let value = self.constant(ty);
                    scope.push(value);
                }
                1 if self.choices.below(3) == 0 => {
                    let value = self.seed();
                    scope.push(value);
                }
                1 if self.choices.below(3) == 0 => self.assertion(scope),
                1 => self.print(scope),
                2..=6 => {
                    let value = self.primitive(scope);
                    scope.push(value);
                }
                7 | 8 => self.variable(scope),
                9..=11 => self.cond(scope, depth),
                12 => self.switch(scope, depth),
                _ => self.while_loop(scope, depth),
            }
        }
    }

    /// Reads, assigns or updates a variable.
    fn variable(&mut self, scope: &mut Vec<Value>) {
        let (name, ty) = self.choices.one_of(VARIABLES);
        match self.choices.below(4) {
            0 | 1 => {
                let value = self.node(ty, format_args!("read_variable {name}"));
                scope.push(value);
            }
            2 if ty.dtype != "string" => {
                let fits = |v: &Value| {
                    v.ty.dtype == ty.dtype && (v.ty.shape == ty.shape || v.ty.shape.is_empty())
                };
                let found = self.pick_where(scope, fits);
                let delta = found.unwrap_or_else(|| self.constant(ty));
                let op = self.choices.one_of(&["add", "sub", "mul", "maximum"]);
                let (own, other) = (shown(ty), shown(delta.ty));
                let _ = writeln!(
                    self.text,
                    "update_variable {name} ({}) {{ body (a: {own}, d: {other}) {{ s = {op}(a, d) : {own} return s }} }}",
                    delta.name
                );
            }
            _ => {
                let value = self.of_type(scope, ty);
                let _ = writeln!(self.text, "assign_variable {name} ({})", value.name);
            }
        }
    }

    /// Draws a seed from one of three streams. Its second number, which is the value here, tells which draw it was.
    fn seed(&mut self) -> Value {
        let stream = self.choices.one_of(&["", "7", "-1"]);
        self.names += 1;
        let name = format!("seed{}", self.names);
        let _ = writeln!(self.text, "{name} = next_seed({stream}) : int64[2]");
        let scalar = |dtype| Type { dtype, shape: "" };
        let one = self.node(scalar("int32"), format_args!("constant 1"));
        self.node(scalar("int64"), format_args!("index({name}, {})", one.name))
    }

    /// A print or a summary.
    fn print(&mut self, scope: &[Value]) {
        let printable = |v: &Value| {
            v.ty.shape.is_empty() && ["int32", "int64", "uint8", "string"].contains(&v.ty.dtype)
        };
        if let Some(value) = self.pick_where(scope, printable) {
            self.names += 1;
            if value.ty.dtype != "string" && self.choices.below(3) == 0 {
                let scalar = Type {
                    dtype: "int64",
                    shape: "",
                };
                let (tag, step) = (self.names, self.of_type(scope, scalar));
                let _ = writeln!(
                    self.text,
                    "summary_scalar(\"tag {tag}\", {}, {})",
                    value.name, step.name
                );
                return;
            }
            let _ = writeln!(self.text, "print(\"line {} \", {})", self.names, value.name);
        }
    }

    /// An assertion that holds, with a value in its message.
    fn assertion(&mut self, scope: &[Value]) {
        let value = self.pick(scope);
        let scalar = Type {
            dtype: "bool",
            shape: "",
        };
        let holds = self.node(scalar, format_args!("constant true"));
        let _ = writeln!(
            self.text,
            "assert({}, \"with \", {})",
            holds.name, value.name
        );
    }

    /// An op on values in scope.
    fn primitive(&mut self, scope: &[Value]) -> Value {
        let x = self.pick(scope);
        let is_float = x.ty.dtype.starts_with("float");
        match (self.choices.below(6), x.ty.dtype) {
            (0, "bool") => self.node(x.ty, format_args!("logical_not({})", x.name)),
            (0 | 1, "string") => {
                let suffix = self.constant(Type { shape: "", ..x.ty });
                self.node(x.ty, format_args!("add({}, {})", x.name, suffix.name))
            }
            (0 | 1, _) if is_float => {
                let op = self
                    .choices
                    .one_of(&["neg", "abs", "square", "floor", "tanh", "relu", "exp"]);
                self.node(x.ty, format_args!("{op}({})", x.name))
            }
            (0, _) => {
                let op = self
                    .choices
                    .one_of(&["abs", "square", "sign", "bit_not", "relu"]);
                self.node(x.ty, format_args!("{op}({})", x.name))
            }
            (1, "int32" | "int64" | "uint8") => {
                let op = self
                    .choices
                    .one_of(&["div", "rem", "floor_div", "floor_mod"]);
                let divisor = self.choices.one_of(&["3", "1", "7"]);
                let divisor = self.node(
                    Type { shape: "", ..x.ty },
                    format_args!("constant {divisor}"),
                );
                self.node(x.ty, format_args!("{op}({}, {})", x.name, divisor.name))
            }
            (2, dtype) if dtype != "string" => {
                let dtype = self.choices.one_of(&DTYPES[..6]);
                self.node(
                    Type { dtype, ..x.ty },
                    format_args!("cast({}) {{dtype = {dtype}}}", x.name),
                )
            }
            (3, dtype) if dtype != "bool" && dtype != "string" => {
                let (op, ty) = (
                    self.choices.one_of(&["reduce_sum", "reduce_prod"]),
                    Type { shape: "", ..x.ty },
                );
                self.node(
                    ty,
                    format_args!("{op}({}) {{axes = [], keep_dims = false}}", x.name),
                )
            }
            (4, _) => {
                let condition = self.of_type(
                    scope,
                    Type {
                        dtype: "bool",
                        shape: "",
                    },
                );
                let other = self.of_type(scope, x.ty);
                self.node(
                    x.ty,
                    format_args!("select({}, {}, {})", condition.name, x.name, other.name),
                )
            }
            (5, dtype)
                if !matches!(
                    (dtype, x.ty.shape),
                    ("bool" | "string", _) | (_, "0" | "0,3")
                ) =>
            {
                self.of_rows(scope, &x)
            }
            _ => self.binary(scope, &x),
        }
    }

    /// A value for each row, which is broadcast over the rows again.
    fn of_rows(&mut self, scope: &[Value], x: &Value) -> Value {
        let rows = self.of_type(
            scope,
            Type {
                shape: "2,3",
                ..x.ty
            },
        );
        let rows = self.node(rows.ty, format_args!("add({}, {})", rows.name, x.name));
        let reduction = self.choices.one_of(&["sum", "mean", "max"]);
        let column = Type {
            shape: "2,1",
            ..x.ty
        };
        let column = self.node(
            column,
            format_args!(
                "reduce_{reduction}({}) {{axes = [-1], keep_dims = true}}",
                rows.name
            ),
        );
        self.node(rows.ty, format_args!("sub({}, {})", rows.name, column.name))
    }

    fn binary(&mut self, scope: &[Value], x: &Value) -> Value {
        // The same shape, or a scalar that is broadcast.
        let fits = |v: &Value| {
            v.ty.dtype == x.ty.dtype && (v.ty.shape == x.ty.shape || v.ty.shape.is_empty())
        };
        let y = self.pick_where(scope, fits).unwrap_or_else(|| x.clone());
        let truth = Type {
            dtype: "bool",
            ..x.ty
        };
        match x.ty.dtype {
            "bool" => {
                let op = self
                    .choices
                    .one_of(&["logical_and", "logical_or", "equal", "bit_xor"]);
                self.node(x.ty, format_args!("{op}({}, {})", x.name, y.name))
            }
            "string" => {
                let op = self.choices.one_of(&["equal", "not_equal"]);
                self.node(truth, format_args!("{op}({}, {})", x.name, y.name))
            }
            _ if self.choices.below(3) == 0 => {
                let op = self
                    .choices
                    .one_of(&["less", "greater_equal", "equal", "not_equal"]);
                self.node(truth, format_args!("{op}({}, {})", x.name, y.name))
            }
            dtype => {
                let floats: &[&str] = if dtype.starts_with("float") {
                    &["div", "true_div"]
                } else {
                    &[]
                };
                let ops = [&["add", "sub", "mul", "maximum", "minimum"], floats].concat();
                let op = self.choices.one_of(&ops);
                self.node(x.ty, format_args!("{op}({}, {})", x.name, y.name))
            }
        }
    }
}
