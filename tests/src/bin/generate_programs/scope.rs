//! What the writer of a program knows: the names in scope, the loops around, and how much it may still write.

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

/// What a name stands for.
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

/// A loop or labelled block that may be left from here.
#[derive(Clone, Debug)]
pub struct Frame {
    pub label: Option<String>,
    /// True if `continue` and a `break` without a label mean it.
    pub is_loop: bool,
    /// True if its `break`s take a value.
    pub takes_value: bool,
}

/// Writes one program.
pub struct Writer {
    pub random: Random,
    pub text: String,
    pub indent: usize,
    pub names: Vec<Name>,
    pub frames: Vec<Frame>,
    /// False where a jump would change a Rust value under a tensor's condition, and in closures.
    pub may_jump: bool,
    /// Statements that may still be written.
    pub budget: usize,
    /// Loops around that a trace unrolls.
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
            frames: Vec::new(),
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

    /// Writes lines one step to the right, with what they declare out of scope behind them.
    pub fn inside<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let names = self.names.clone();
        self.indent += 1;
        let result = write(self);
        self.indent -= 1;
        self.names = names;
        result
    }

    /// A new name with this letter in front.
    pub fn fresh(&mut self, letter: char) -> String {
        self.counter += 1;
        format!("{letter}{}", self.counter)
    }

    /// The name of a new variable: a new one, or now and then one in scope, which it shadows.
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

    /// A name in scope of which `fits` holds.
    pub fn pick(&mut self, fits: impl Fn(&Name) -> bool) -> Option<Name> {
        let fitting: Vec<Name> = self.names.iter().filter(|n| fits(n)).cloned().collect();
        if fitting.is_empty() {
            None
        } else {
            Some(fitting[self.random.below(fitting.len())].clone())
        }
    }

    /// An integer in scope; there always is one.
    pub fn int_name(&mut self) -> String {
        self.pick(|n| n.kind == Kind::Int && n.text != "fuel")
            .expect("shadowing keeps the kind")
            .text
    }

    /// An integer that may be assigned to.
    pub fn target(&mut self) -> Option<String> {
        self.pick(|n| n.kind == Kind::Int && n.mutable && n.text != "fuel")
            .map(|n| n.text)
    }

    pub fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len())]
    }
}
