//! A matrix product or a convolution before a chain, as one instruction with it. The chain works on rows of the product while they are in
//! cache. Values that its first steps add, such as a bias, are added while the product is in registers.

use graph_kernels::{
    Array, Behind, DType, ElementOp, KernelError, Operand, Packed, Program, Step, Width,
};

use super::{ChainOp, Read};
use crate::graph::{Node, Op, TensorType};
use crate::ops::ProductKernel;

/// A product that is followed by a chain; its value is the first input of the chain's program.
#[derive(Debug)]
pub(super) struct Product {
    kernel: ProductKernel,
    pub part: ChainOp,
}

impl Product {
    pub fn of(node: &Node) -> Option<Product> {
        let Op::Primitive(op, attrs) = &node.op else {
            return None;
        };
        Some(Product {
            kernel: op.product?,
            part: ChainOp {
                op,
                attrs: attrs.clone(),
                operands: (0..2).map(Operand::Input).collect(),
                location: node.location.clone(),
            },
        })
    }

    /// Runs the product with the program behind it. `packed` is its second operand, if that is a constant.
    pub fn run(
        &self,
        program: &Program,
        inputs: &mut [Option<&Array>],
        packed: Option<&Packed>,
        out: &mut Array,
    ) -> Result<(), KernelError> {
        let [Some(a), second, ..] = inputs else {
            return Err(KernelError::Value("a product has two operands".to_owned()));
        };
        let (a, b) = (*a, second.take());
        let Some(b) = b else {
            return Err(KernelError::Value("a product is overwritten".to_owned()));
        };
        // The program's first input is the product, which is in `out`: so the second operand's entry is `None` during the call.
        let behind = Behind {
            program: Some((program, &inputs[1..])),
            packed,
        };
        let result = (self.kernel)([a, b], &self.part.attrs, behind, out);
        inputs[1] = Some(b);
        result
    }
}

/// The inputs that the first steps of a chain add to the product. They are added before the product is written.
#[derive(Default)]
pub(super) struct Sums {
    inputs: Vec<usize>,
}

impl Sums {
    /// Finds these inputs for a chain whose first input is the product. `types` are the types of the inputs as the steps read them.
    pub fn of(steps: &[Step], reads: &[Read], types: &[&TensorType]) -> Sums {
        let uses = |value: Operand| {
            steps
                .iter()
                .flat_map(|step| &step.operands)
                .filter(move |v| **v == value)
                .count()
        };
        let mut sum = Operand::Input(0);
        let mut inputs = Vec::new();
        for (n, step) in steps.iter().enumerate() {
            let other = match step.operands[..] {
                [a, b] if step.op == ElementOp::Add.into() && a == sum => b,
                [a, b] if step.op == ElementOp::Add.into() && b == sum => a,
                _ => break,
            };
            let Operand::Input(input) = other else {
                break;
            };
            let in_parts = reads
                .iter()
                .any(|read| read.input == input && !read.has_positions());
            let once = uses(sum) == 1 && uses(other) == 1;
            if !once || in_parts || !can_be_added(types[0], types[input]) {
                break;
            }
            inputs.push(input);
            sum = Operand::Step(n);
        }
        Sums { inputs }
    }

    /// The program of the steps after these additions.
    pub fn program(&self, inputs: &[(DType, Width)], steps: &[Step]) -> Option<Program> {
        let done = self.inputs.len();
        if done == 0 {
            return Program::of_rows(inputs, steps).ok();
        }
        let mut steps = steps.get(done..)?.to_vec();
        for operand in steps.iter_mut().flat_map(|step| &mut step.operands) {
            if let Operand::Step(n) = operand {
                // The output of the last addition is what the product writes, so it is the program's first input.
                *operand = n.checked_sub(done).map_or(Operand::Input(0), Operand::Step);
            }
        }
        Program::behind_sums(inputs, &steps, &self.inputs).ok()
    }
}

/// Whether the product can add such a value: its shape is that of the product, or it is one row that is added to every row.
fn can_be_added(product: &TensorType, other: &TensorType) -> bool {
    let in_full = product.dtype.is_calculated_with();
    let is_row = || match (other.shape.dims(), product.shape.dims()) {
        (Some([ones @ .., Some(n)]), Some([.., Some(row)])) => {
            n == row && ones.iter().all(|size| *size == Some(1))
        }
        _ => false,
    };
    let is_whole = || product.shape.is_known() && product.shape == other.shape;
    // A product with a single row gets no additions. The kernel for one row adds in a second pass over the row and not in registers; the
    // chain can do this as well, because the row is still in the nearest cache, and has less to set up than with additions in the product.
    let has_rows = !matches!(product.shape.dims(), Some([.., Some(1), _]));
    let fits = in_full && has_rows && product.dtype == other.dtype;
    fits && (is_whole() || is_row())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Shape;

    const PRODUCT: Operand = Operand::Input(0);
    const OTHER: Operand = Operand::Input(1);
    const NONE: [usize; 0] = [];

    fn add(a: Operand, b: Operand) -> Step {
        step(ElementOp::Add, &[a, b])
    }

    fn step(op: ElementOp, operands: &[Operand]) -> Step {
        Step {
            op: op.into(),
            operands: operands.into(),
        }
    }

    /// The inputs that a product adds, for steps over inputs of these shapes. The first input is the product.
    fn sums(dtype: DType, shapes: &[&[Option<usize>]], steps: &[Step]) -> Vec<usize> {
        let ty =
            |shape: &&[Option<usize>]| TensorType::new(dtype, Shape::of(shape.iter().copied()));
        let types: Vec<TensorType> = shapes.iter().map(ty).collect();
        let types: Vec<&TensorType> = types.iter().collect();
        Sums::of(steps, &[], &types).inputs
    }

    #[test]
    fn what_the_first_steps_add_is_added_before() {
        let shape = [Some(4), Some(8)];
        let shapes: [&[_]; 4] = [&shape, &[Some(8)], &shape, &[Some(1), Some(8)]];
        let steps = [
            add(Operand::Input(2), PRODUCT),
            add(Operand::Step(0), OTHER),
            step(ElementOp::Relu, &[Operand::Step(1)]),
            add(Operand::Step(2), Operand::Input(3)),
        ];
        assert_eq!(sums(DType::F32, &shapes, &steps), [2, 1]);
        assert_eq!(sums(DType::I64, &shapes, &steps), [2, 1]);
        // A product of 16-bit floats is rounded before anything is added to it.
        assert_eq!(sums(DType::F16, &shapes, &steps), NONE);
        // A product of 8-bit integers is calculated in a wider type, so no 8-bit value can be added to it.
        assert_eq!(sums(DType::U8, &shapes, &steps), NONE);
    }

    #[test]
    fn what_is_read_elsewhere_too_is_not_added_before() {
        let shapes: [&[_]; 2] = [&[Some(4), Some(8)]; 2];
        let again = |value| {
            [
                add(PRODUCT, OTHER),
                step(ElementOp::Mul, &[Operand::Step(0), value]),
            ]
        };
        for value in [PRODUCT, OTHER] {
            assert_eq!(sums(DType::F32, &shapes, &again(value)), NONE);
        }
        assert_eq!(sums(DType::F32, &shapes, &again(Operand::Step(0))), [1]);
        assert_eq!(sums(DType::F32, &shapes, &[add(PRODUCT, PRODUCT)]), NONE);
        let twice = [add(PRODUCT, OTHER), add(Operand::Step(0), OTHER)];
        assert_eq!(sums(DType::F32, &shapes, &twice), NONE);
        assert_eq!(
            sums(
                DType::F32,
                &shapes,
                &[step(ElementOp::Sub, &[PRODUCT, OTHER])]
            ),
            NONE
        );
    }

    #[test]
    fn shapes_must_be_known_as_far_as_it_matters() {
        let added = |product: &[Option<usize>], other: &[Option<usize>]| {
            sums(DType::F32, &[product, other], &[add(PRODUCT, OTHER)]) == [1]
        };
        assert!(added(&[None, Some(8)], &[Some(8)]));
        assert!(added(&[Some(2), Some(4), Some(8)], &[Some(1), Some(8)]));
        assert!(!added(&[None, Some(8)], &[None, Some(8)]));
        assert!(!added(&[Some(4), None], &[None]));
        assert!(!added(&[Some(4), Some(8)], &[Some(4), Some(1)]));
        assert!(!added(&[Some(4), Some(8)], &[]));
        assert!(!added(&[Some(1), Some(8)], &[Some(8)]));
    }
}
