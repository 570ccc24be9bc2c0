//! Elements in memory and in registers. A register holds a 16-bit float as an `f32`, a small integer with its sign extended to 32 bits, and a truth
//! value as a predicate.

use graph_kernels::DType;

use super::code::{Code, Operand, Reg, Width};

/// Whether kernels compute with elements of this dtype.
pub fn is_held(dtype: DType) -> bool {
    dtype != DType::Str
}

/// The width of the registers that hold elements of a dtype.
pub fn width(dtype: DType) -> Width {
    match dtype {
        DType::Bool => Width::Predicate,
        DType::F64 | DType::I64 | DType::U64 => Width::Double,
        _ => Width::Word,
    }
}

/// How an element lies in memory, as the type of a load.
fn stored(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 | DType::I32 | DType::U32 => "b32",
        DType::F64 | DType::I64 | DType::U64 => "b64",
        DType::F16 | DType::BF16 | DType::U16 => "u16",
        DType::I16 => "s16",
        DType::I8 => "s8",
        DType::U8 | DType::Bool | DType::Str => "u8",
    }
}

/// The width of the registers between memory and value.
fn raw(dtype: DType) -> Width {
    match width(dtype) {
        Width::Double => Width::Double,
        _ => Width::Word,
    }
}

impl Code {
    /// The address of an element, whose index is 32 or 64 bits wide.
    pub fn element_address(&mut self, base: Reg, index: Reg, dtype: DType) -> Reg {
        let bytes = Operand::Int(dtype.bytes() as i64);
        let name = match index.width {
            Width::Double => "mad.lo.u64",
            _ => "mad.wide.u32",
        };
        self.op(Width::Double, name, &[index.into(), bytes, base.into()])
    }

    /// Loads an element of a tensor.
    pub fn load(&mut self, dtype: DType, base: Reg, index: Reg) -> Reg {
        let address = self.element_address(base, index, dtype);
        self.load_at("global", dtype, address)
    }

    /// Stores an element of a tensor.
    pub fn store(&mut self, dtype: DType, base: Reg, index: Reg, value: Reg) {
        let address = self.element_address(base, index, dtype);
        self.store_at("global", dtype, address, value);
    }

    /// Loads an element from an address in a state space, `global` or `shared`.
    pub fn load_at(&mut self, space: &str, dtype: DType, address: Reg) -> Reg {
        let bits = self.register(raw(dtype));
        self.line(format_args!(
            "ld.{space}.{} {bits}, [{address}];",
            stored(dtype)
        ));
        self.of_bits(dtype, bits)
    }

    /// Stores an element at an address in a state space.
    pub fn store_at(&mut self, space: &str, dtype: DType, address: Reg, value: Reg) {
        let bits = self.bits_of(dtype, value);
        // A store has no sign.
        let stored = stored(dtype).replace('s', "u");
        self.line(format_args!("st.{space}.{stored} [{address}], {bits};"));
    }

    /// Loads `count` neighbouring elements, 2 or 4, from an address that is a multiple of their size.
    pub fn load_many(&mut self, dtype: DType, address: Reg, count: usize) -> Vec<Reg> {
        let bits: Vec<Reg> = (0..count).map(|_| self.register(raw(dtype))).collect();
        let (stored, names) = (stored(dtype), names(&bits));
        self.line(format_args!(
            "ld.global.v{count}.{stored} {names}, [{address}];"
        ));
        let each = bits.into_iter();
        each.map(|bits| self.of_bits(dtype, bits)).collect()
    }

    /// Loads neighbouring elements from shared memory, at most 16 bytes at a time.
    pub fn load_shared(&mut self, dtype: DType, address: Reg, count: usize) -> Vec<Reg> {
        let at_once = count.min(16 / dtype.bytes());
        let mut values = Vec::new();
        for part in 0..count / at_once {
            let address = self.add(address, (part * at_once * dtype.bytes()) as i64);
            let bits: Vec<Reg> = (0..at_once).map(|_| self.register(raw(dtype))).collect();
            let (stored, names) = (stored(dtype), names(&bits));
            self.line(format_args!(
                "ld.shared.v{at_once}.{stored} {names}, [{address}];"
            ));
            values.extend(bits.into_iter().map(|bits| self.of_bits(dtype, bits)));
        }
        values
    }

    /// Stores neighbouring elements as [`load_many`](Self::load_many) loads them.
    pub fn store_many(&mut self, dtype: DType, address: Reg, values: &[Reg]) {
        let bits: Vec<Reg> = values.iter().map(|x| self.bits_of(dtype, *x)).collect();
        let (count, names) = (bits.len(), names(&bits));
        let stored = stored(dtype).replace('s', "u");
        self.line(format_args!(
            "st.global.v{count}.{stored} [{address}], {names};"
        ));
    }

    /// The value of a parameter that contains the bits of an element.
    pub fn scalar_parameter(&mut self, dtype: DType) -> Reg {
        let parameter = self.parameter();
        let bits = match raw(dtype) {
            Width::Double => parameter,
            _ => self.widened(parameter, Width::Word),
        };
        // The bits of a small integer have no sign yet.
        let bits = match dtype {
            DType::I8 => self.op(Width::Word, "cvt.s32.s8", &[bits.into()]),
            DType::I16 => self.op(Width::Word, "cvt.s32.s16", &[bits.into()]),
            _ => bits,
        };
        self.of_bits(dtype, bits)
    }

    /// The value whose bits were loaded.
    fn of_bits(&mut self, dtype: DType, bits: Reg) -> Reg {
        match dtype {
            DType::Bool => self.op(
                Width::Predicate,
                "setp.ne.u32",
                &[bits.into(), Operand::Int(0)],
            ),
            DType::F16 => {
                let value = self.register(Width::Word);
                self.line(format_args!(
                    "{{ .reg .b16 %h; cvt.u16.u32 %h, {bits}; cvt.f32.f16 {value}, %h; }}"
                ));
                value
            }
            DType::BF16 => self.op(Width::Word, "shl.b32", &[bits.into(), Operand::Int(16)]),
            _ => bits,
        }
    }

    /// The bits that are stored for a value.
    fn bits_of(&mut self, dtype: DType, value: Reg) -> Reg {
        match dtype {
            DType::Bool => self.op(
                Width::Word,
                "selp.u32",
                &[Operand::Int(1), Operand::Int(0), value.into()],
            ),
            DType::F16 => {
                let bits = self.register(Width::Word);
                self.line(format_args!(
                    "{{ .reg .b16 %h; cvt.rn.f16.f32 %h, {value}; cvt.u32.u16 {bits}, %h; }}"
                ));
                bits
            }
            DType::BF16 => {
                let rounded = self.rounded_to_bf16(value);
                self.op(Width::Word, "shr.u32", &[rounded.into(), Operand::Int(16)])
            }
            _ => value,
        }
    }

    /// An `f32` rounded to the nearest `bf16`, halves to the even one, as an `f32`.
    pub fn rounded_to_bf16(&mut self, value: Reg) -> Reg {
        let word = Width::Word;
        let high = self.op(word, "shr.u32", &[value.into(), Operand::Int(16)]);
        let odd = self.op(word, "and.b32", &[high.into(), Operand::Int(1)]);
        let half = self.add(odd, Operand::Int(0x7FFF));
        let raised = self.add(value, half);
        let rounded = self.op(word, "and.b32", &[raised.into(), Operand::Int(0xFFFF_0000)]);
        // Adding could turn a NaN into something else, so it is made a quiet one.
        let quiet = self.op(word, "or.b32", &[value.into(), Operand::Int(0x0040_0000)]);
        let quiet = self.op(word, "and.b32", &[quiet.into(), Operand::Int(0xFFFF_0000)]);
        let is_nan = self.op(
            Width::Predicate,
            "setp.nan.f32",
            &[value.into(), value.into()],
        );
        self.op(
            word,
            "selp.b32",
            &[quiet.into(), rounded.into(), is_nan.into()],
        )
    }

    /// An `f32` rounded to the nearest `f16`, as an `f32`.
    pub fn rounded_to_f16(&mut self, value: Reg) -> Reg {
        let rounded = self.register(Width::Word);
        self.line(format_args!(
            "{{ .reg .b16 %h; cvt.rn.f16.f32 %h, {value}; cvt.f32.f16 {rounded}, %h; }}"
        ));
        rounded
    }
}

fn names(registers: &[Reg]) -> String {
    let names: Vec<String> = registers.iter().map(Reg::to_string).collect();
    format!("{{{}}}", names.join(", "))
}
