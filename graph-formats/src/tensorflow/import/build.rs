//! Builds one graph: adds nodes by the type rules of the op table, and computes small constants at once, because many operands of TensorFlow's ops,
//! such as axes, are attributes here.

use std::sync::Arc;

use graph_ir::error::Location;
use graph_ir::graph::{Graph, Op, ValueId};
use graph_ir::ops::{self, Attrs, OpDef};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType, cast};
use rustc_hash::FxHashMap;

use crate::fold::{Folding, size_of};
use crate::tensorflow::error::{Error, Result};

/// The most elements of a result that is computed at once.
const MAX_FOLDED: usize = 1 << 12;

/// A value of the graph that is being built.
pub(crate) type Val = ValueId;

/// A graph that is being built.
pub(crate) struct Build {
    pub graph: Graph,
    folding: Folding,
    known: FxHashMap<Val, Arc<Array>>,
    /// Vectors that were packed from scalars.
    packed: FxHashMap<Val, Vec<Val>>,
    /// Vectors of sizes, and the arrays that have them.
    shapes: FxHashMap<Val, Val>,
}

impl Build {
    /// A graph without anything in it.
    pub fn new() -> Build {
        Build::counting(Folding::new(MAX_FOLDED))
    }

    /// A graph that will be a part of this one.
    pub fn inner(&self) -> Build {
        Build::counting(self.folding.clone())
    }

    fn counting(folding: Folding) -> Build {
        Build {
            graph: Graph::default(),
            folding,
            known: FxHashMap::default(),
            packed: FxHashMap::default(),
            shapes: FxHashMap::default(),
        }
    }

    /// The type of a value.
    pub fn ty(&self, val: Val) -> &TensorType {
        self.graph.ty(val)
    }

    /// The dtype of a value.
    pub fn dtype(&self, val: Val) -> DType {
        self.ty(val).dtype
    }

    /// The value, if it is known.
    pub fn known(&self, val: Val) -> Option<&Arc<Array>> {
        self.known.get(&val)
    }

    /// The number of axes, which must be known.
    pub fn rank(&self, val: Val) -> Result<usize> {
        let rank = self.ty(val).shape.rank();
        rank.ok_or_else(|| Error::unsupported("an operand whose rank is known only at run time"))
    }

    /// The integers of a value, if they are known.
    pub fn ints(&self, val: Val) -> Option<Vec<i64>> {
        let mut wide = Array::default();
        cast(self.known(val)?, DType::I64, &mut wide).ok()?;
        wide.values::<i64>().map(<[i64]>::to_vec)
    }

    /// The integers of a value, which must be known; `what` says what they are.
    pub fn known_ints(&self, val: Val, what: &str) -> Result<Vec<i64>> {
        let ints = self.ints(val);
        ints.ok_or_else(|| Error::unsupported(format!("{what} that are known only at run time")))
    }

    /// The integer of a value, which must be known.
    pub fn known_int(&self, val: Val, what: &str) -> Result<i64> {
        match self.known_ints(val, what)?.as_slice() {
            [n] => Ok(*n),
            _ => Err(Error::invalid(format!("{what} that isn't one number"))),
        }
    }

    /// Adds an input.
    pub fn input(&mut self, ty: TensorType, name: Option<&str>) -> Val {
        self.graph.add_input(ty, name.map(Arc::from))
    }

    /// Adds a constant.
    pub fn constant(&mut self, array: impl Into<Arc<Array>>) -> Val {
        let array = array.into();
        let ty = TensorType::of_array(&array);
        let id = self.graph.add_node(
            Op::Constant(array.clone()),
            Vec::new(),
            vec![ty],
            Location::unknown(),
        )[0];
        self.known.insert(id, array);
        id
    }

    /// A number as a scalar of a dtype.
    pub fn number(&mut self, value: f64, dtype: DType) -> Result<Val> {
        if dtype == DType::Str {
            return Err(Error::unsupported("strings where numbers are expected"));
        }
        let mut array = Array::default();
        cast(&Array::scalar(value), dtype, &mut array)?;
        Ok(self.constant(array))
    }

    /// What arrays of a dtype are filled with: the number 0, or the empty string.
    pub fn zero(&mut self, dtype: DType) -> Val {
        self.constant(Array::zeros(dtype, &[]))
    }

    /// Whether a value is known to be this number.
    pub fn is_number(&self, val: Val, number: f64) -> bool {
        let mut wide = Array::default();
        let known = self.known(val);
        let known = known.is_some_and(|array| cast(array, DType::F64, &mut wide).is_ok());
        known && wide.values::<f64>() == Some(&[number])
    }

    /// An `int32` scalar.
    pub fn int(&mut self, value: i32) -> Val {
        self.constant(Array::scalar(value))
    }

    /// Adds a node that isn't an op of the table.
    pub fn node(&mut self, op: Op, inputs: &[Val], types: Vec<TensorType>) -> Vec<Val> {
        self.graph
            .add_node(op, inputs.to_vec(), types, Location::unknown())
    }

    /// Applies an op of the table. A small result of known operands is computed at once.
    pub fn op(&mut self, op: &'static OpDef, inputs: &[Val], attrs: Attrs) -> Result<Val> {
        let types = self.graph.types(inputs);
        let ty = (op.infer)(&types, &attrs)?;
        if let Some(array) = self.folded(op, inputs, &attrs, &ty)? {
            return Ok(self.constant(array));
        }
        Ok(self.node(Op::Primitive(op, attrs), inputs, vec![ty])[0])
    }

    /// Applies an op without attributes.
    pub fn plain(&mut self, op: &'static OpDef, inputs: &[Val]) -> Result<Val> {
        self.op(op, inputs, Attrs::new())
    }

    /// The result, if the operands are known and it is small.
    fn folded(
        &self,
        op: &'static OpDef,
        inputs: &[Val],
        attrs: &Attrs,
        ty: &TensorType,
    ) -> Result<Option<Array>> {
        let known = |val: &Val| self.known(*val).map(|array| &**array);
        let operands: Option<Vec<&Array>> = inputs.iter().map(known).collect();
        let Some(operands) = operands.filter(|operands| !operands.is_empty()) else {
            return Ok(None);
        };
        let size = size_of(ty).or_else(|| self.size_of_range(op, inputs));
        Ok(self.folding.fold(op, &operands, attrs, (ty.dtype, size))?)
    }

    /// The number of values of a range, which its type doesn't tell.
    fn size_of_range(&self, op: &OpDef, inputs: &[Val]) -> Option<usize> {
        if *op != ops::RANGE {
            return None;
        }
        let bounds: Option<Vec<i64>> = inputs
            .iter()
            .map(|val| self.ints(*val)?.first().copied())
            .collect();
        match bounds?.as_slice() {
            [start, limit, step] => {
                let steps = limit.checked_sub(*start)?.checked_div(*step)?;
                usize::try_from(steps).ok()?.checked_add(1)
            }
            _ => None,
        }
    }

    /// The values as another dtype.
    pub fn cast(&mut self, val: Val, dtype: DType) -> Result<Val> {
        if self.dtype(val) == dtype {
            return Ok(val);
        }
        let attrs = Attrs::new().with("dtype", ops::Attr::DType(dtype));
        self.op(&ops::CAST, &[val], attrs)
    }

    /// The sizes, a vector of `int32`. If all are known, it is a constant.
    pub fn shape(&mut self, val: Val) -> Result<Val> {
        let known = self.ty(val).shape.to_known();
        let sizes: Option<Vec<i32>> =
            known.and_then(|sizes| sizes.iter().map(|n| i32::try_from(*n).ok()).collect());
        if let Some(sizes) = sizes {
            return Ok(self.constant(Array::new(&[sizes.len()], sizes)));
        }
        let shape = self.plain(&ops::SHAPE_OF, &[val])?;
        self.shapes.insert(shape, val);
        Ok(shape)
    }

    /// Records that a vector has the same sizes in another dtype.
    pub fn same_shape(&mut self, from: Val, to: Val) {
        if let Some(of) = self.shapes.get(&from) {
            self.shapes.insert(to, *of);
        }
    }

    /// Scalars as a vector.
    pub fn pack(&mut self, scalars: &[Val]) -> Result<Val> {
        let attrs = Attrs::new().with("axis", ops::Attr::Int(0));
        let vector = self.op(&ops::STACK, scalars, attrs)?;
        if scalars
            .iter()
            .all(|val| self.ty(*val).shape.rank() == Some(0))
        {
            self.packed.insert(vector, scalars.to_vec());
        }
        Ok(vector)
    }

    /// An element of a vector of integers, as a scalar.
    pub fn element(&mut self, vector: Val, at: usize) -> Result<Val> {
        if let Some(values) = self.ints(vector) {
            let value = values
                .get(at)
                .ok_or_else(|| Error::invalid("a vector is too short"))?;
            let dtype = self.dtype(vector);
            return self.number(*value as f64, dtype);
        }
        if let Some(scalar) = self.packed.get(&vector).and_then(|scalars| scalars.get(at)) {
            return Ok(*scalar);
        }
        if let Some(size) = self
            .shapes
            .get(&vector)
            .and_then(|of| self.ty(*of).shape.get(at))
        {
            let dtype = self.dtype(vector);
            return self.number(size as f64, dtype);
        }
        let at = i32::try_from(at).map_err(|_| Error::invalid("a vector is too long"))?;
        let at = self.int(at);
        self.plain(&ops::INDEX, &[vector, at])
    }

    /// The elements of a vector whose scalars are known one by one: it was packed from them, or it holds the sizes of an array.
    pub fn elements(&mut self, vector: Val) -> Option<Vec<Option<Val>>> {
        if let Some(scalars) = self.packed.get(&vector) {
            return Some(scalars.iter().copied().map(Some).collect());
        }
        let of = *self.shapes.get(&vector)?;
        let sizes: Vec<Option<usize>> = self.ty(of).shape.dims()?.to_vec();
        let dtype = self.dtype(vector);
        let mut scalar = |size: Option<usize>| self.number(size? as f64, dtype).ok();
        Some(sizes.into_iter().map(&mut scalar).collect())
    }

    /// What is known about the sizes in a vector of integers.
    pub fn sizes(&self, vector: Val) -> Shape {
        let size = |val: &Val| {
            let values = self.ints(*val)?;
            values.first().and_then(|n| usize::try_from(*n).ok())
        };
        if let Some(values) = self.ints(vector) {
            return Shape::of(values.iter().map(|n| usize::try_from(*n).ok()));
        }
        if let Some(scalars) = self.packed.get(&vector) {
            return Shape::of(scalars.iter().map(size));
        }
        if let Some(of) = self.shapes.get(&vector) {
            return self.ty(*of).shape.clone();
        }
        match self.ty(vector).shape.get(0) {
            Some(rank) if rank < 256 => Shape::of(vec![None; rank]),
            _ => Shape::unknown(),
        }
    }

    /// The value with what is known about its shape from elsewhere.
    pub fn refined(&mut self, val: Val, shape: &Shape) -> Result<Val> {
        if shape.covers(&self.ty(val).shape) {
            return Ok(val);
        }
        let attrs = Attrs::new().with("shape", ops::Attr::Shape(shape.clone()));
        self.op(&ops::RELAX_SHAPE, &[val], attrs)
    }
}
