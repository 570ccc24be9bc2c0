//! Products of matrices, as a library queues them that stands in for cuBLAS.

use super::{Answer, Driver, code};
use crate::alu::float::Float;
use crate::alu::small::{Brain, Half};

/// A type of elements, by cuBLAS's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    F32,
    F64,
    F16,
    BF16,
}

/// Some matrices of a batch. They lie column by column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrices {
    pub at: u64,
    /// Whether they count transposed.
    pub transposed: bool,
    /// The step from column to column.
    pub leading: usize,
    /// The step from one matrix to the next.
    pub stride: i64,
}

/// A product for each matrix of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    pub elements: Elements,
    /// Whether factors are rounded to ten bits behind the point first.
    pub tf32: bool,
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
    pub left: Matrices,
    pub right: Matrices,
    pub out: Matrices,
    pub batch: usize,
    pub factor: f64,
}

impl Elements {
    pub(crate) fn of(number: i32) -> Option<Self> {
        match number {
            0 => Some(Self::F32),
            1 => Some(Self::F64),
            2 => Some(Self::F16),
            14 => Some(Self::BF16),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
        }
    }

    fn value(self, bits: u64) -> f64 {
        match self {
            Self::F32 => f32::of(bits).wide(),
            Self::F64 => f64::of(bits).wide(),
            Self::F16 => Half::of(bits).wide(),
            Self::BF16 => Brain::of(bits).wide(),
        }
    }

    fn bits(self, value: f64) -> u64 {
        match self {
            Self::F32 => f32::narrow(value).register(),
            Self::F64 => f64::narrow(value).register(),
            Self::F16 => Half::narrow(value).register(),
            Self::BF16 => Brain::narrow(value).register(),
        }
    }
}

/// An `f32` rounded to TF32: halves go away from zero.
fn to_tf32(value: f64) -> f64 {
    let bits = (value as f32).to_bits().wrapping_add(0x1000) & !0x1FFF;
    f64::from(f32::from_bits(bits))
}

impl Driver {
    pub(crate) fn multiply(&mut self, p: &Product) -> Answer {
        self.count.products += 1;
        for matrix in 0..p.batch {
            for column in 0..p.columns {
                for row in 0..p.rows {
                    let mut sum = 0.0;
                    for k in 0..p.depth {
                        let a = self.element(p, &p.left, matrix, [row, k])?;
                        let b = self.element(p, &p.right, matrix, [k, column])?;
                        sum += a * b;
                        if p.elements != Elements::F64 {
                            sum = f64::from(sum as f32);
                        }
                    }
                    let at = address(p, &p.out, matrix, [row, column]);
                    let bits = p.elements.bits(p.factor * sum).to_le_bytes();
                    let bytes = p.elements.bytes();
                    match self.memory.bytes_mut(at, bytes) {
                        Ok(to) => to.copy_from_slice(&bits[..bytes]),
                        Err(fault) => return self.refuse(code::ILLEGAL_ADDRESS, fault.message),
                    }
                }
            }
        }
        Ok(())
    }

    fn element(
        &mut self,
        p: &Product,
        of: &Matrices,
        matrix: usize,
        at: [usize; 2],
    ) -> Answer<f64> {
        let bytes = p.elements.bytes();
        let mut bits = [0; 8];
        match self.memory.bytes(address(p, of, matrix, at), bytes) {
            Ok(from) => bits[..bytes].copy_from_slice(from),
            Err(fault) => {
                let message = fault.message;
                return self.refuse(code::ILLEGAL_ADDRESS, message);
            }
        }
        let value = p.elements.value(u64::from_le_bytes(bits));
        Ok(if p.tf32 { to_tf32(value) } else { value })
    }
}

fn address(p: &Product, of: &Matrices, matrix: usize, [row, column]: [usize; 2]) -> u64 {
    let (row, column) = if of.transposed {
        (column, row)
    } else {
        (row, column)
    };
    let element = (column * of.leading + row) as i64 + matrix as i64 * of.stride;
    of.at
        .wrapping_add_signed(element * p.elements.bytes() as i64)
}
