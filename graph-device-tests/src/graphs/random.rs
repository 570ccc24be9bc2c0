//! Random arrays, types and attributes, from a seed.

use graph_ir::graph::{Shape, TensorType};
use graph_ir::ops::{Attr, Attrs, CAST};
use graph_kernels::{Array, DType};

/// Random numbers from a seed (SplitMix64), and dtypes of which one is chosen.
pub struct Random {
    state: u64,
    common: &'static [DType],
    rare: &'static [DType],
}

const DTYPES: &[DType] = &[
    DType::F32,
    DType::F64,
    DType::F16,
    DType::BF16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::Bool,
    DType::Str,
];

/// The dtypes for graphs whose results must be the same to the bit on every device.
const EXACT: &[DType] = &[DType::I32, DType::I64, DType::U8, DType::Bool];

/// Integers that fewer ops accept. They are drawn less often, because operands must be found for all ops.
const RARE: &[DType] = &[DType::I8, DType::I16, DType::U16, DType::U32, DType::U64];

const SHAPES: &[&[usize]] = &[
    &[],
    &[3],
    &[2, 3],
    &[1, 3],
    &[2, 1],
    &[2, 2],
    &[3, 2],
    &[0],
    &[2, 0],
    &[1],
    &[2],
    &[2, 3, 2],
    &[1, 4, 3, 2],
    &[2, 2, 2, 1],
];

const NUMBERS: &[f64] = &[
    0.0,
    1.0,
    2.0,
    -1.0,
    0.5,
    3.0,
    -0.0,
    -2.5,
    1e-40,
    4.0,
    7.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

impl Random {
    /// Random numbers, and all dtypes.
    pub fn new(seed: u64) -> Random {
        Random {
            state: seed,
            common: DTYPES,
            rare: RARE,
        }
    }

    /// The same numbers, and only integers and truth values.
    pub fn of_integers(seed: u64) -> Random {
        Random {
            common: EXACT,
            ..Random::new(seed)
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// One of some items.
    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A dtype.
    pub fn dtype(&mut self) -> DType {
        match self.below(6) {
            0 => self.one_of(self.rare),
            _ => self.one_of(self.common),
        }
    }

    /// A small array. If it is of floats, some values are special cases of arithmetic.
    pub fn array(&mut self, dtype: DType) -> Array {
        let shape = self.one_of(SHAPES);
        self.array_of(dtype, shape)
    }

    /// Like [`array`](Self::array), with this shape.
    pub fn array_of(&mut self, dtype: DType, shape: &[usize]) -> Array {
        let len = shape.iter().product();
        if dtype == DType::Str {
            let texts = (0..len).map(|_| self.one_of(&["", "a", "12", "é b"]).to_owned());
            return Array::new(shape, texts.collect());
        }
        // The numbers after these are infinities and NaN, which no integer has.
        let numbers = if dtype.is_float() { NUMBERS.len() } else { 11 };
        let values: Vec<f64> = (0..len).map(|_| NUMBERS[self.below(numbers)]).collect();
        let attrs = Attrs::new().with("dtype", Attr::DType(dtype));
        let mut array = Array::default();
        (CAST.kernel)(&[&Array::new(shape, values)], &attrs, &mut array)
            .expect("numbers become any dtype but strings");
        array
    }

    /// The type, or a type that knows less of the shape.
    pub fn relaxed(&mut self, ty: &TensorType) -> TensorType {
        let shape = match (self.below(4), ty.shape.dims()) {
            (0, _) | (_, None) => Shape::unknown(),
            (1, Some(dims)) => Shape::of(
                dims.iter()
                    .map(|d| d.filter(|_| self.below(2) == 0))
                    .collect::<Vec<_>>(),
            ),
            _ => ty.shape.clone(),
        };
        TensorType::new(ty.dtype, shape)
    }

    /// A value of any kind for an attribute.
    pub fn any_attribute(&mut self) -> Attr {
        let kinds = [
            "an integer",
            "a list of integers",
            "a truth value",
            "a text",
            "a dtype",
            "a shape",
        ];
        let kind = self.one_of(&kinds);
        self.attribute(kind).expect("the kind is known")
    }

    /// A value for an attribute, of the kind that the op's error asks for.
    pub fn attribute(&mut self, expected: &str) -> Option<Attr> {
        let small = |random: &mut Random| random.one_of(&[0, 1, 2, -1, 3, 0, 1, -2, 4]);
        Some(match expected {
            "an integer" => Attr::Int(small(self)),
            "a list of integers" => {
                let len = self.one_of(&[1, 2, 0, 2, 3, 4, 8]);
                Attr::Ints((0..len).map(|_| small(self)).collect())
            }
            "a truth value" => Attr::Bool(self.below(2) == 0),
            "a text" => Attr::Text(
                self.one_of(&[
                    "",
                    ", ",
                    "SAME",
                    "VALID",
                    "reflect",
                    "symmetric",
                    "constant",
                ])
                .to_owned(),
            ),
            "a dtype" => Attr::DType(self.dtype()),
            "a shape" => {
                let shape = Shape::known(self.one_of(SHAPES));
                Attr::Shape(self.relaxed(&TensorType::new(DType::F32, shape)).shape)
            }
            words => {
                let words: Vec<&str> = words.split('`').skip(1).step_by(2).collect();
                if words.is_empty() {
                    return None;
                }
                Attr::Text(self.one_of(&words).to_owned())
            }
        })
    }
}
