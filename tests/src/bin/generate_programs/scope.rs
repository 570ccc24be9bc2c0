//! The state of the writer of a program: the names in scope, the enclosing loops, and how much may still be written.

/// Pseudorandom numbers (splitmix64), the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The kind of value that a name holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An integer that is a tensor in the graph form.
    Int,
    /// A truth value that is a tensor in the graph form.
    Bool,
    /// An `i32` in both forms: the variable of a loop over a literal range.
    Rust,
}

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub kind: Kind,
    pub mutable: bool,
}

/// An enclosing loop or labelled block that a jump may leave.
#[derive(Clone, Debug)]
pub struct JumpTarget {
    pub label: Option<String>,
    /// Whether it is a loop, so that `continue` and a `break` without a label apply to it.
    pub is_loop: bool,
    /// Whether a `break` of it takes a value.
    pub takes_value: bool,
}

/// Writes one program.
pub struct Writer {
    pub random: Random,
    pub text: String,
    pub indent: usize,
    pub names: Vec<Name>,
    pub jump_targets: Vec<JumpTarget>,
    /// Whether jumps are allowed. They aren't in closures and where a jump would change a Rust value under a tensor's condition.
    pub may_jump: bool,
    /// The number of statements that may still be written.
    pub budget: usize,
    /// The number of enclosing loops that a trace unrolls.
    pub unrolled: usize,
    counter: usize,
}

impl Writer {
    pub fn new(random: Random) -> Writer {
        Writer {
            random,
            text: String::new(),
            indent: 1,
            names: Vec::new(),
            jump_targets: Vec::new(),
            may_jump: true,
            budget: 6,
            unrolled: 0,
            counter: 0,
        }
    }

    /// Writes a line, indented.
    pub fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Writes lines with one more level of indentation. Names that they declare are out of scope afterwards.
    pub fn inside<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let names = self.names.clone();
        self.indent += 1;
        let result = write(self);
        self.indent -= 1;
        self.names = names;
        result
    }

    /// A new name that begins with this letter.
    pub fn fresh(&mut self, letter: char) -> String {
        self.counter += 1;
        format!("{letter}{}", self.counter)
    }

    /// The name of a new variable. Sometimes it is a name in scope, which it shadows.
    pub fn variable(&mut self) -> String {
        if self.random.once_in(3)
            && let Some(name) = self.pick(|n| n.kind == Kind::Int && n.text != "fuel")
        {
            return name.text;
        }
        self.fresh('v')
    }

    pub fn declare(&mut self, text: &str, kind: Kind, mutable: bool) {
        self.names.retain(|n| n.text != text);
        self.names.push(Name {
            text: text.to_owned(),
            kind,
            mutable,
        });
    }

    /// A random name in scope for which `fits` is true.
    pub fn pick(&mut self, fits: impl Fn(&Name) -> bool) -> Option<Name> {
        let fitting: Vec<Name> = self.names.iter().filter(|n| fits(n)).cloned().collect();
        if fitting.is_empty() {
            None
        } else {
            Some(fitting[self.random.below(fitting.len())].clone())
        }
    }

    /// The name of an integer in scope. There is always one.
    pub fn int_name(&mut self) -> String {
        self.pick(|n| n.kind == Kind::Int && n.text != "fuel")
            .expect("shadowing keeps the kind")
            .text
    }

    /// The name of an integer that may be assigned to.
    pub fn target(&mut self) -> Option<String> {
        self.pick(|n| n.kind == Kind::Int && n.mutable && n.text != "fuel")
            .map(|n| n.text)
    }

    pub fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len())]
    }
}
