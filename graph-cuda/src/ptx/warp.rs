//! Exchanges of values between the 32 threads of a warp, all of which take part.

use super::code::{Code, Operand, Reg, Width};

impl Code {
    /// The value that another thread of the warp has: the one whose number differs in the bits of `mask`.
    pub fn of_neighbour(&mut self, value: Reg, mask: u32) -> Reg {
        self.exchanged("bfly", value, mask, 31)
    }

    /// The value of the thread whose number in the warp is lower by `distance`, if there is one.
    pub fn of_earlier(&mut self, value: Reg, distance: u32) -> Reg {
        self.exchanged("up", value, distance, 0)
    }

    fn exchanged(&mut self, how: &str, value: Reg, by: u32, limit: u32) -> Reg {
        let word = |code: &mut Code, word: Reg| {
            let other = code.register(Width::Word);
            code.line(format_args!(
                "shfl.sync.{how}.b32 {other}, {word}, {by}, {limit}, 0xffffffff;"
            ));
            other
        };
        match value.width {
            Width::Word => word(self, value),
            Width::Predicate => {
                let bits = [Operand::Int(1), Operand::Int(0), value.into()];
                let bits = self.op(Width::Word, "selp.u32", &bits);
                let other = word(self, bits);
                self.compare("ne", other, 0)
            }
            Width::Double => {
                let halves = [(); 2].map(|()| self.register(Width::Word));
                let [low, high] = halves;
                self.line(format_args!("mov.b64 {{{low}, {high}}}, {value};"));
                let [low, high] = halves.map(|half| word(self, half));
                let other = self.register(Width::Double);
                self.line(format_args!("mov.b64 {other}, {{{low}, {high}}};"));
                other
            }
        }
    }
}
