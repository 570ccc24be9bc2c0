//! Values that span several lines: branches, blocks, loops and closures whose value is bound to a variable.

use super::scope::{JumpTarget, Kind, Writer};

impl Writer {
    /// `let v = …;` with control flow on the right.
    pub fn bind_value(&mut self, depth: usize) {
        let name = self.variable();
        let mutable = self.random.once_in(2);
        let head = format!("let {}{name}", if mutable { "mut " } else { "" });
        match self.random.below(8) {
            0 | 1 => self.if_value(&head, depth),
            2 => self.match_value(&head),
            3 => self.block_value(&head, depth),
            4 => self.labelled_value(&head, depth),
            5 => self.loop_value(&head, depth),
            6 => return self.deferred(depth),
            _ => self.closure(&head),
        }
        self.declare(&name, Kind::Int, mutable);
    }

    fn if_value(&mut self, head: &str, depth: usize) {
        let condition = self.condition();
        if self.random.once_in(2) {
            let (value, other) = (self.end(), self.int());
            return self.line(&format!(
                "{head} = if {condition} {{ {value} }} else {{ {other} }};"
            ));
        }
        self.line(&format!("{head} = if {condition} {{"));
        self.valued(depth, false);
        self.line("} else {");
        self.valued(depth, true);
        self.line("};");
    }

    /// Statements that end with a value, or with a jump.
    fn valued(&mut self, depth: usize, may_diverge: bool) {
        self.inside(|w| {
            w.statements(depth - 1, 1);
            let jump = if may_diverge && w.random.once_in(3) {
                w.jump()
            } else {
                None
            };
            let last = match jump {
                Some(jump) => jump,
                None => w.int(),
            };
            w.line(&last);
        });
    }

    fn match_value(&mut self, head: &str) {
        let scrutinee = self.scrutinee();
        self.line(&format!("{head} = match {scrutinee} {{"));
        self.inside(|w| {
            let mut patterns = w.patterns();
            if w.random.once_in(2) {
                let k = w.random.below(9);
                patterns.pop();
                patterns.push(format!("n if n > {k} => n - {k}"));
                patterns.push("n".to_owned());
            }
            let count = patterns.len();
            for (at, pattern) in patterns.into_iter().enumerate() {
                if pattern.contains("=>") {
                    w.line(&format!("{pattern},"));
                    continue;
                }
                let value = match at + 1 == count {
                    true if pattern == "n" => "n + 1".to_owned(),
                    true => w.int(),
                    false => match w.random.below(5) {
                        0 => w.jump().unwrap_or_else(|| "7".to_owned()),
                        _ => w.end(),
                    },
                };
                w.line(&format!("{pattern} => {value},"));
            }
        });
        self.line("};");
    }

    fn block_value(&mut self, head: &str, depth: usize) {
        self.line(&format!("{head} = {{"));
        self.valued(depth, false);
        self.line("};");
    }

    fn labelled_value(&mut self, head: &str, depth: usize) {
        let label = format!("'{}", self.fresh('l'));
        self.line(&format!("{head} = {label}: {{"));
        self.jump_targets.push(JumpTarget {
            label: Some(label.clone()),
            is_loop: false,
            takes_value: true,
        });
        self.inside(|w| {
            let (condition, value) = (w.condition(), w.whole());
            w.line(&format!("if {condition} {{"));
            w.inside(|w| w.line(&format!("break {label} {value};")));
            w.line("}");
            w.statements(depth - 1, 1);
            let value = w.int();
            w.line(&value);
        });
        self.jump_targets.pop();
        self.line("};");
    }

    fn loop_value(&mut self, head: &str, depth: usize) {
        self.line(&format!("{head} = loop {{"));
        let value = self.whole();
        let last = format!("    break {value};");
        let target = JumpTarget {
            label: None,
            is_loop: true,
            takes_value: true,
        };
        self.looped(target, depth, &["fuel -= 1;", "if fuel <= 0 {", &last, "}"]);
        self.line("};");
    }

    /// A variable that is declared without a value and assigned in both branches.
    fn deferred(&mut self, depth: usize) {
        let (name, condition) = (self.fresh('v'), self.condition());
        self.line(&format!("let {name};"));
        self.line(&format!("if {condition} {{"));
        for side in 0..2 {
            if side == 1 {
                self.line("} else {");
            }
            self.inside(|w| {
                w.statements(depth - 1, 1);
                let value = w.whole();
                w.line(&format!("{name} = {value};"));
            });
        }
        self.line("}");
        self.declare(&name, Kind::Int, false);
    }

    fn closure(&mut self, head: &str) {
        let (g, v) = (self.fresh('h'), self.fresh('v'));
        let (k, argument) = (self.random.below(9), self.int());
        let other = self.int();
        if self.random.once_in(2) {
            self.line(&format!(
                "let {g} = |{v}: Int| if {v} > {k} {{ {v} - {k} }} else {{ {other} }};"
            ));
        } else {
            self.line(&format!("let {g} = |{v}: Int| -> Int {{"));
            self.inside(|w| {
                w.line(&format!("if {v} < {k} {{"));
                w.inside(|w| w.line(&format!("return {v} * 2;")));
                w.line("}");
                w.line(&other);
            });
            self.line("};");
        }
        self.line(&format!("{head} = {g}({argument});"));
    }
}
