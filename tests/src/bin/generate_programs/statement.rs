//! Statements: loops, branches, jumps, assignments, prints.

use super::scope::{JumpTarget, Kind, Writer};

impl Writer {
    pub fn function_body(&mut self) {
        self.inside(|w| {
            for name in ["a", "b", "c"] {
                w.declare(name, Kind::Int, false);
            }
            w.line("let mut fuel = tensor(24);");
            w.declare("fuel", Kind::Int, false);
            for name in ["x", "y"] {
                let value = w.whole();
                w.line(&format!("let mut {name} = {value};"));
                w.declare(name, Kind::Int, true);
            }
            // Either few statements that are deeply nested, or more statements with little nesting.
            let count = 2 + w.random.below(3);
            w.statements(2 + count % 2, count);
            w.tail();
        });
    }

    fn tail(&mut self) {
        match self.random.below(5) {
            0 => {
                let (c, value) = (self.condition(), self.end());
                let other = self.int();
                self.line(&format!("if {c} {{ {value} }} else {{ {other} }}"));
            }
            1 => {
                let value = self.int();
                self.line(&format!("return {value};"));
            }
            2 => {
                let name = self.int_name();
                self.line(&name);
            }
            _ => self.line("x + y % 1000"),
        }
    }

    pub fn statements(&mut self, depth: usize, count: usize) {
        for _ in 0..count {
            if self.budget == 0 {
                return self.assignment();
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        if depth == 0 {
            return self.simple();
        }
        match self.random.below(26) {
            0..=3 => self.if_statement(depth),
            4..=6 => self.while_loop(depth),
            7..=9 => self.for_loop(depth),
            10 | 11 => self.forever(depth),
            12 | 13 => self.match_statement(depth),
            14..=18 => self.bind_value(depth),
            19 => self.rust_while(depth),
            20 => self.array_loop(depth),
            21 => self.conditional_return(),
            _ => self.simple(),
        }
    }

    fn simple(&mut self) {
        match self.random.below(9) {
            0 => {
                let (value, name) = (self.whole(), self.variable());
                let mutable = self.random.once_in(2);
                self.line(&format!(
                    "let {}{name} = {value};",
                    if mutable { "mut " } else { "" }
                ));
                self.declare(&name, Kind::Int, mutable);
            }
            1 => {
                let (name, mut condition) = (self.fresh('p'), self.condition());
                // A variable on its own would be moved.
                if condition.chars().all(char::is_alphanumeric) {
                    condition.push_str(".clone()");
                }
                self.line(&format!("let {name} = {condition};"));
                self.declare(&name, Kind::Bool, false);
            }
            2 => self.print(),
            3 => self.destructuring(),
            _ => self.assignment(),
        }
    }

    fn print(&mut self) {
        let (number, x, y) = (self.fresh('g'), self.int_name(), self.int());
        if self.random.once_in(2) {
            self.line(&format!("graph_print!(\"{number} {{}} {{}}\", {x}, {y});"));
        } else {
            self.line(&format!("graph_print!(\"{number} {{{x}}}\");"));
        }
    }

    pub fn assignment(&mut self) {
        let Some(x) = self.target() else {
            return self.print();
        };
        match self.random.below(6) {
            0 | 1 => {
                let operator = self.one_of(&["+=", "-="]);
                let value = self.small();
                self.line(&format!("{x} {operator} {value};"));
            }
            2 => {
                let (operator, k) = (self.one_of(&["/=", "%="]), 2 + self.random.below(30));
                self.line(&format!("{x} {operator} {k};"));
            }
            3 if self.random.once_in(2) => self.line(&format!("{x} = 0;")),
            _ => {
                let value = self.whole();
                self.line(&format!("{x} = {value};"));
            }
        }
    }

    fn destructuring(&mut self) {
        let (first, second) = (self.whole(), self.whole());
        match (self.target(), self.target()) {
            (Some(x), Some(y)) if x != y => {
                self.line(&format!("({x}, {y}) = ({first}, {second});"))
            }
            _ => {
                let (x, y) = (self.fresh('v'), self.fresh('v'));
                self.line(&format!("let ({x}, mut {y}) = ({first}, {second});"));
                self.declare(&x, Kind::Int, false);
                self.declare(&y, Kind::Int, true);
            }
        }
    }

    fn conditional_return(&mut self) {
        if !self.may_jump {
            return self.assignment();
        }
        let (condition, value) = (self.condition(), self.returned());
        self.line(&format!("if {condition} {{"));
        self.inside(|w| w.line(&format!("return {value};")));
        self.line("}");
    }

    fn returned(&mut self) -> String {
        if self.random.once_in(4) {
            self.random.below(9).to_string()
        } else {
            self.whole()
        }
    }

    /// A block of statements, which may end with a jump.
    fn branch(&mut self, depth: usize) {
        self.inside(|w| {
            let count = 1 + w.random.below(2);
            w.statements(depth - 1, count);
            if w.random.once_in(4)
                && let Some(jump) = w.jump()
            {
                w.line(&format!("{jump};"));
            }
        });
    }

    /// A `break`, `continue` or `return` that is allowed here.
    pub fn jump(&mut self) -> Option<String> {
        if !self.may_jump {
            return None;
        }
        if self.jump_targets.is_empty() || self.random.once_in(6) {
            return Some(format!("return {}", self.returned()));
        }
        let innermost = self.jump_targets.iter().rposition(|f| f.is_loop);
        let at = self.random.below(self.jump_targets.len());
        let target = self.jump_targets[at].clone();
        let label = match &target.label {
            Some(label) => format!(" {label}"),
            None if innermost == Some(at) => String::new(),
            None => return None,
        };
        if target.is_loop && self.random.once_in(2) {
            return Some(format!("continue{label}"));
        }
        let value = if target.takes_value {
            format!(" {}", self.whole())
        } else {
            String::new()
        };
        Some(format!("break{label}{value}"))
    }

    fn if_statement(&mut self, depth: usize) {
        let condition = self.condition();
        self.line(&format!("if {condition} {{"));
        self.branch(depth);
        for _ in 0..self.random.below(3) / 2 {
            let condition = self.condition();
            self.line(&format!("}} else if {condition} {{"));
            self.branch(depth);
        }
        if self.random.once_in(2) {
            self.line("} else {");
            self.branch(depth);
        }
        self.line("}");
    }

    /// A label for a loop, sometimes.
    fn label(&mut self) -> (Option<String>, String) {
        if self.random.once_in(3) {
            let label = format!("'{}", self.fresh('l'));
            (Some(label.clone()), format!("{label}: "))
        } else {
            (None, String::new())
        }
    }

    /// The body of a loop: the lines `first`, then statements, some of which jump.
    pub fn looped(&mut self, target: JumpTarget, depth: usize, first: &[&str]) {
        self.jump_targets.push(target);
        self.inside(|w| {
            first.iter().for_each(|line| w.line(line));
            let count = 1 + w.random.below(3);
            w.statements(depth - 1, count);
            if w.random.once_in(2)
                && let Some(jump) = w.jump()
            {
                let condition = w.condition();
                w.line(&format!("if {condition} {{"));
                w.inside(|w| w.line(&format!("{jump};")));
                w.line("}");
                w.assignment();
            }
        });
        self.jump_targets.pop();
    }

    fn while_loop(&mut self, depth: usize) {
        let ((label, prefix), condition) = (self.label(), self.condition());
        let condition = if condition.contains("||") {
            format!("({condition})")
        } else {
            condition
        };
        self.line(&format!("{prefix}while fuel > 0 && {condition} {{"));
        let target = JumpTarget {
            label,
            is_loop: true,
            takes_value: false,
        };
        self.looped(target, depth, &["fuel -= 1;"]);
        self.line("}");
    }

    fn for_loop(&mut self, depth: usize) {
        let ((label, prefix), (range, kind)) = (self.label(), self.range());
        let name = self.fresh('i');
        self.line(&format!("{prefix}for {name} in {range} {{"));
        let names = self.names.clone();
        self.declare(&name, kind, false);
        self.unrolled += usize::from(kind == Kind::Rust);
        self.looped(
            JumpTarget {
                label,
                is_loop: true,
                takes_value: false,
            },
            depth,
            &[],
        );
        self.unrolled -= usize::from(kind == Kind::Rust);
        self.names = names;
        self.line("}");
    }

    /// A loop over an array: it is unrolled, and its items are tensors in the graph form.
    fn array_loop(&mut self, depth: usize) {
        if self.unrolled > 1 {
            return self.for_loop(depth);
        }
        let (first, second, name) = (self.whole(), self.whole(), self.fresh('e'));
        self.line(&format!("for {name} in [{first}, {second}] {{"));
        let names = self.names.clone();
        self.declare(&name, Kind::Int, false);
        self.unrolled += 1;
        self.looped(
            JumpTarget {
                label: None,
                is_loop: true,
                takes_value: false,
            },
            depth,
            &[],
        );
        self.unrolled -= 1;
        self.names = names;
        self.line("}");
    }

    fn forever(&mut self, depth: usize) {
        let (label, prefix) = self.label();
        let keyword = if self.random.once_in(3) {
            "while true"
        } else {
            "loop"
        };
        self.line(&format!("{prefix}{keyword} {{"));
        let target = JumpTarget {
            label,
            is_loop: true,
            takes_value: false,
        };
        self.looped(
            target,
            depth,
            &["fuel -= 1;", "if fuel <= 0 {", "    break;", "}"],
        );
        self.line("}");
    }

    /// A loop that counts with a Rust value. No jump under a tensor's condition may leave it, because the count would depend on the tensor.
    fn rust_while(&mut self, depth: usize) {
        if self.unrolled > 1 {
            return self.for_loop(depth);
        }
        let (name, count) = (self.fresh('k'), 1 + self.random.below(3));
        self.line(&format!("let mut {name} = 0;"));
        self.line(&format!("while {name} < {count} {{"));
        let (names, may_jump) = (self.names.clone(), self.may_jump);
        self.declare(&name, Kind::Rust, false);
        self.may_jump = false;
        self.unrolled += 1;
        let step = format!("{name} += 1;");
        let jump_targets = std::mem::take(&mut self.jump_targets);
        self.looped(
            JumpTarget {
                label: None,
                is_loop: true,
                takes_value: false,
            },
            depth,
            &[&step],
        );
        self.jump_targets = jump_targets;
        self.unrolled -= 1;
        (self.names, self.may_jump) = (names, may_jump);
        self.line("}");
    }

    fn match_statement(&mut self, depth: usize) {
        let scrutinee = self.scrutinee();
        self.line(&format!("match {scrutinee} {{"));
        self.inside(|w| {
            for pattern in w.patterns() {
                w.line(&format!("{pattern} => {{"));
                w.branch(depth);
                w.line("}");
            }
        });
        self.line("}");
    }

    pub fn scrutinee(&mut self) -> String {
        let name = self.int_name();
        if self.random.once_in(3) {
            name
        } else {
            format!("{name} % {}", 3 + self.random.below(5))
        }
    }

    /// The patterns of a `match`; the last one covers everything.
    pub fn patterns(&mut self) -> Vec<String> {
        let mut patterns = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let (k, guard) = (self.random.below(5), self.random.once_in(3));
            let pattern = match self.random.below(5) {
                0 => format!("{k} | {}", k + 2),
                1 => format!("{k}..={}", k + 2),
                2 => format!("-{}..{k}", k + 1),
                3 => format!("-{}", k + 1),
                _ => k.to_string(),
            };
            patterns.push(if guard {
                format!("{pattern} if {}", self.condition())
            } else {
                pattern
            });
        }
        patterns.push("_".to_owned());
        patterns
    }
}
