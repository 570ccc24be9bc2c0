//! The text of random programs: nested loops, branches, switches and prints over `int32` scalars and rows. Every loop
//! counts to a small constant, so all programs terminate; no op fails.

use std::fmt::Write;

use super::testing::Random;

/// How many values a row has.
pub(super) const ROW_LEN: usize = 3;
/// How many rows a list has.
pub(super) const LIST_LEN: usize = 6;

/// The types of the values.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Int,
    Row,
    List,
}

impl Kind {
    fn text(self) -> String {
        match self {
            Kind::Int => "int32[]".to_owned(),
            Kind::Row => format!("int32[{ROW_LEN}]"),
            Kind::List => format!("int32[{LIST_LEN},{ROW_LEN}]"),
        }
    }
}

/// A value in scope.
#[derive(Clone)]
struct Value {
    name: String,
    kind: Kind,
}

struct Writer {
    random: Random,
    text: String,
    /// How many names have been used.
    names: usize,
    /// Whether lists are read and written, in place of prints and of rows that are changed.
    lists: bool,
}

/// The program of a seed: its inputs and its outputs are two scalars and a row, and perhaps a list.
pub(super) fn program(seed: u64, lists: bool) -> String {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        names: 0,
        lists,
    };
    let value = |name: &str, kind| Value {
        name: name.to_owned(),
        kind,
    };
    let mut scope = vec![
        value("x", Kind::Int),
        value("y", Kind::Int),
        value("row", Kind::Row),
    ];
    let mut kinds = vec![Kind::Int, Kind::Int, Kind::Row];
    if lists {
        scope.push(value("list", Kind::List));
        kinds.push(Kind::List);
    }
    let head = format!("graph ({}) -> ({}) {{", typed(&scope), types(&kinds));
    writer.line(&head);
    writer.statements(&mut scope, 3);
    writer.statements(&mut scope, 3);
    let results = kinds.iter().map(|kind| writer.pick(&scope, *kind));
    let results = names(&results.collect::<Vec<_>>());
    writer.line(&format!("return {results} }}"));
    writer.text
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn fresh(&mut self, kind: Kind) -> Value {
        self.names += 1;
        Value {
            name: format!("v{}", self.names),
            kind,
        }
    }

    /// A random value of a kind. Every scope has values of each kind.
    fn pick(&mut self, scope: &[Value], kind: Kind) -> Value {
        let of_kind: Vec<&Value> = scope.iter().filter(|v| v.kind == kind).collect();
        of_kind[self.below(of_kind.len())].clone()
    }

    /// Values of any kind, with one of each at least.
    fn picks(&mut self, scope: &[Value], n: usize) -> Vec<Value> {
        let mut picked = vec![self.pick(scope, Kind::Int), self.pick(scope, Kind::Row)];
        if self.lists {
            picked.push(self.pick(scope, Kind::List));
        }
        picked.extend((0..n).map(|_| scope[self.below(scope.len())].clone()));
        picked
    }

    fn constant(&mut self, value: usize) -> Value {
        let constant = self.fresh(Kind::Int);
        self.line(&format!("{} = constant {value} : int32[]", constant.name));
        constant
    }

    /// Writes statements, whose results are added to the scope.
    fn statements(&mut self, scope: &mut Vec<Value>, depth: usize) {
        for _ in 0..2 + self.below(4) {
            match self.below(if depth > 0 { 12 } else { 7 }) {
                0..=2 => self.arithmetic(scope),
                3 => self.read_row(scope),
                4 if self.lists => self.write_list(scope),
                5 if self.lists => self.read_list(scope),
                4 => self.write_row(scope),
                5 => {
                    let (a, b) = (self.pick(scope, Kind::Int), self.pick(scope, Kind::Row));
                    self.line(&format!("print(\"line \", {}, \" \", {})", a.name, b.name));
                }
                6 => {
                    let value = self.below(4);
                    let constant = self.constant(value);
                    scope.push(constant);
                }
                7 | 8 => self.cond(scope, depth),
                9 => self.switch(scope, depth),
                _ => self.while_loop(scope, depth),
            }
        }
    }

    fn define(&mut self, scope: &mut Vec<Value>, kind: Kind, value: &str) {
        let result = self.fresh(kind);
        self.line(&format!("{} = {value} : {}", result.name, kind.text()));
        scope.push(result);
    }

    fn arithmetic(&mut self, scope: &mut Vec<Value>) {
        let op = ["add", "sub", "mul", "maximum"][self.below(4)];
        let kind = [Kind::Int, Kind::Row][self.below(2)];
        let (a, b) = (self.pick(scope, kind), self.pick(scope, kind));
        self.define(scope, kind, &format!("{op}({}, {})", a.name, b.name));
    }

    fn read_row(&mut self, scope: &mut Vec<Value>) {
        let at = self.below(ROW_LEN);
        let (row, at) = (self.pick(scope, Kind::Row), self.constant(at));
        self.define(
            scope,
            Kind::Int,
            &format!("index({}, {})", row.name, at.name),
        );
    }

    fn write_row(&mut self, scope: &mut Vec<Value>) {
        let at = self.below(ROW_LEN);
        let (row, value) = (self.pick(scope, Kind::Row), self.pick(scope, Kind::Int));
        let at = self.constant(at);
        let call = format!("set_row({}, {}, {})", row.name, at.name, value.name);
        self.define(scope, Kind::Row, &call);
    }

    /// A position in lists.
    fn position(&mut self, scope: &[Value]) -> Value {
        let (x, rows) = (self.pick(scope, Kind::Int), self.constant(LIST_LEN));
        let at = self.fresh(Kind::Int);
        self.line(&format!(
            "{} = floor_mod({}, {}) : int32[]",
            at.name, x.name, rows.name
        ));
        at
    }

    fn write_list(&mut self, scope: &mut Vec<Value>) {
        let at = self.position(scope);
        let row = self.pick(scope, Kind::Row);
        // Mostly the last one: earlier ones are copied.
        let last = scope
            .iter()
            .rev()
            .find(|value| value.kind == Kind::List)
            .cloned();
        let list = match (last, self.below(5)) {
            (Some(last), 1..) => last,
            _ => self.pick(scope, Kind::List),
        };
        let write = format!(
            "list_write({}, {}, {}) {{grows = false}}",
            list.name, at.name, row.name
        );
        self.define(scope, Kind::List, &write);
    }

    fn read_list(&mut self, scope: &mut Vec<Value>) {
        let (at, list) = (self.position(scope), self.pick(scope, Kind::List));
        let shape = format!("shape = dims[{LIST_LEN},{ROW_LEN}]");
        let read = format!("list_read({}, {}) {{{shape}}}", list.name, at.name);
        self.define(scope, Kind::Row, &read);
    }

    /// Writes a subgraph with these operands that returns values of these kinds.
    fn subgraph(&mut self, keyword: &str, operands: &[Value], results: &[Kind], depth: usize) {
        let mut scope: Vec<Value> = operands.iter().map(|o| self.fresh(o.kind)).collect();
        self.line(&format!("{keyword} ({}) {{", typed(&scope)));
        self.statements(&mut scope, depth - 1);
        self.end(&scope, results);
    }

    fn end(&mut self, scope: &[Value], results: &[Kind]) {
        let results: Vec<Value> = results.iter().map(|kind| self.pick(scope, *kind)).collect();
        self.line(&format!("return {} }}", names(&results)));
    }

    /// Writes the head of a node with subgraphs; returns the node's outputs.
    fn head(&mut self, head: &str, kinds: &[Kind]) -> Vec<Value> {
        let outputs: Vec<Value> = kinds.iter().map(|kind| self.fresh(*kind)).collect();
        self.line(&format!(
            "{} = {head} : {} {{",
            names(&outputs),
            types(kinds)
        ));
        outputs
    }

    fn kinds(&mut self, n: usize) -> Vec<Kind> {
        (0..n)
            .map(|_| [Kind::Int, Kind::Int, Kind::Row][self.below(3)])
            .collect()
    }

    fn cond(&mut self, scope: &mut Vec<Value>, depth: usize) {
        let (a, b) = (self.pick(scope, Kind::Int), self.pick(scope, Kind::Int));
        let p = self.fresh(Kind::Int).name;
        self.line(&format!("{p} = less({}, {}) : bool[]", a.name, b.name));
        let (n, results) = (self.below(3), 1 + self.below(3));
        let (operands, results) = (self.picks(scope, n), self.kinds(results));
        let outputs = self.head(&format!("cond {p} ({})", names(&operands)), &results);
        self.subgraph("then", &operands, &results, depth);
        self.subgraph("else", &operands, &results, depth);
        self.line("}");
        scope.extend(outputs);
    }

    fn switch(&mut self, scope: &mut Vec<Value>, depth: usize) {
        let index = self.pick(scope, Kind::Int).name;
        let (n, results) = (self.below(3), 1 + self.below(2));
        let (operands, results) = (self.picks(scope, n), self.kinds(results));
        let outputs = self.head(
            &format!("switch_case {index} ({})", names(&operands)),
            &results,
        );
        for _ in 0..1 + self.below(3) {
            self.subgraph("branch", &operands, &results, depth);
        }
        self.line("}");
        scope.extend(outputs);
    }

    fn while_loop(&mut self, scope: &mut Vec<Value>, depth: usize) {
        let count = self.below(4);
        let (zero, limit) = (self.constant(0), self.constant(count));
        let (state, fixed) = (self.below(3), self.below(3));
        let state = [vec![zero], self.picks(scope, state)].concat();
        let fixed = [vec![limit], self.picks(scope, fixed)].concat();
        let kinds: Vec<Kind> = state.iter().map(|v| v.kind).collect();
        let head = format!("while_loop ({}; {})", names(&state), names(&fixed));
        let outputs = self.head(&head, &kinds);
        let operands = state.iter().chain(&fixed);
        let inputs: Vec<Value> = operands.map(|v| self.fresh(v.kind)).collect();
        let (counter, limit) = (&inputs[0].name, &inputs[state.len()].name);
        self.line(&format!("cond ({}) {{", typed(&inputs)));
        self.line(&format!(
            "p = less({counter}, {limit}) : bool[] return p }}"
        ));
        self.line(&format!("body ({}) {{", typed(&inputs)));
        let mut inside = inputs.clone();
        self.statements(&mut inside, depth - 1);
        let (one, next) = (self.constant(1), self.fresh(Kind::Int));
        self.line(&format!(
            "{} = add({counter}, {}) : int32[]",
            next.name, one.name
        ));
        let rest: Vec<Value> = kinds[1..]
            .iter()
            .map(|kind| self.pick(&inside, *kind))
            .collect();
        self.line(&format!(
            "return {} }} }}",
            names(&[vec![next], rest].concat())
        ));
        scope.extend(outputs);
    }
}

fn names(values: &[Value]) -> String {
    let names: Vec<&str> = values.iter().map(|v| v.name.as_str()).collect();
    names.join(", ")
}

fn typed(values: &[Value]) -> String {
    let typed: Vec<String> = values
        .iter()
        .map(|v| format!("{}: {}", v.name, v.kind.text()))
        .collect();
    typed.join(", ")
}

fn types(kinds: &[Kind]) -> String {
    kinds
        .iter()
        .map(|k| k.text())
        .collect::<Vec<_>>()
        .join(", ")
}
