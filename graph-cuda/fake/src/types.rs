//! The types of PTX: of registers, operands and declared memory.

/// How the bits of a value are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits,
    Unsigned,
    Signed,
    Float,
    /// The 16-bit float with the exponent of `f32`.
    Brain,
    Predicate,
}

/// A type, such as `.u32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub kind: Kind,
    pub bits: u32,
}

impl Type {
    pub(crate) const B32: Self = Self {
        kind: Kind::Bits,
        bits: 32,
    };
    pub(crate) const U32: Self = Self {
        kind: Kind::Unsigned,
        bits: 32,
    };
    pub(crate) const U64: Self = Self {
        kind: Kind::Unsigned,
        bits: 64,
    };
    pub(crate) const PRED: Self = Self {
        kind: Kind::Predicate,
        bits: 1,
    };

    /// The type of a name without its dot, such as `u32`.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let (kind, bits) = match name {
            "pred" => (Kind::Predicate, 1),
            "bf16" => (Kind::Brain, 16),
            "f16" | "f32" | "f64" => (Kind::Float, digits(name)?),
            "b8" | "b16" | "b32" | "b64" => (Kind::Bits, digits(name)?),
            "u8" | "u16" | "u32" | "u64" => (Kind::Unsigned, digits(name)?),
            "s8" | "s16" | "s32" | "s64" => (Kind::Signed, digits(name)?),
            _ => return None,
        };
        Some(Self { kind, bits })
    }

    pub(crate) fn bytes(self) -> u32 {
        self.bits.div_ceil(8)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float | Kind::Brain)
    }

    pub(crate) fn is_signed(self) -> bool {
        self.kind == Kind::Signed
    }

    /// Whether it is a float of 16 bits. Such values are moved as bits.
    pub(crate) fn is_small_float(self) -> bool {
        self.is_float() && self.bits == 16
    }

    /// Whether it is one of PTX's integer types, for which arithmetic is defined.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self.kind, Kind::Unsigned | Kind::Signed)
    }

    /// Whether a register of this type may be an operand of an instruction of `of`'s type: bits serve for every type of their size, and
    /// signed and unsigned integers for each other.
    pub(crate) fn serves(self, of: Self) -> bool {
        self.bits == of.bits && self.agrees(of)
    }

    /// Like `serves`, for the instructions that also take wider registers: loads, stores and conversions.
    pub(crate) fn holds(self, of: Self) -> bool {
        self.bits >= of.bits
            && (self.bits == of.bits || !self.is_float() || of.kind == Kind::Bits)
            && self.agrees(of)
    }

    fn agrees(self, of: Self) -> bool {
        let bits = |t: Self| t.kind == Kind::Bits;
        let predicate = |t: Self| t.kind == Kind::Predicate;
        predicate(self) == predicate(of)
            && (bits(self)
                || bits(of)
                || self.kind == of.kind
                || self.is_integer() && of.is_integer())
    }
}

fn digits(name: &str) -> Option<u32> {
    name[1..].parse().ok()
}
