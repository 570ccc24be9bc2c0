//! Random statements.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};

use super::operands::all_axes;
use super::{Local, Writer, ops, types};
use crate::program::{Callee, Code, Expr, Form, Jump, Mode, Name, Statement, Walk};

const FLOATS: &[DType] = &[DType::F64, DType::F32];

/// The levels of blocks in a program.
pub(super) const DEPTH: usize = 3;

/// The maximum number of rows of a loop over rows.
const FEW: usize = 5;

/// The maximum number of rows of a mapped function outside of blocks.
const MANY: usize = 40;

impl Writer {
    /// Writes a statement, with at most `depth` levels of blocks.
    pub(super) fn statement(&mut self, depth: usize, to: &mut Vec<Statement>) {
        if self.random.once_in(4)
            && let Some(statement) = self.failing()
        {
            to.push(statement);
            return;
        }
        if self.random.once_in(4)
            && let Some(statement) = self.write()
        {
            to.push(statement);
            return;
        }
        let nests = depth > 0 && self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        let statement = match self.random.below(if nests { 26 } else { 11 }) {
            0..5 => self.assign(),
            5..9 => self.bind(),
            9 => self.print(),
            10 => self.jump(),
            11..15 => self.if_else(depth),
            15 => self.switch(depth),
            16..18 => self.for_loop(depth),
            18..20 => self.while_loop(depth),
            20 => self.rows(depth),
            21 => self.map(depth),
            22 => self.gather(depth),
            23 | 24 => self.call(depth),
            _ => self.gradient(depth),
        };
        to.push(statement);
    }

    /// A new name with a value.
    fn bind(&mut self) -> Statement {
        let (expr, ty) = self.value();
        Statement::Let(self.declare(ty), expr)
    }

    /// A value of any type, computed by a random op.
    fn value(&mut self) -> (Expr, TensorType) {
        loop {
            if let Some(expr) = ops::draw(self)
                && let Some(ty) = self.known_type(&expr)
            {
                return (expr, ty);
            }
        }
    }

    /// An assignment to a name.
    fn assign(&mut self) -> Statement {
        let open = &self.scope[self.fixed.min(self.scope.len())..];
        if open.is_empty() {
            return self.bind();
        }
        let at = self.random.below(open.len());
        let Local { name, ty } = open[at].clone();
        Statement::Assign(name, self.value_like(&Expr::Name(name), &ty))
    }

    /// A value of the type of another one, often computed from that.
    pub(super) fn value_like(&mut self, x: &Expr, ty: &TensorType) -> Expr {
        for _ in 0..4 {
            let expr = match self.random.below(3) {
                0 => ops::draw(self),
                _ => ops::draw_like(self, x.clone(), ty),
            };
            if let Some(expr) = expr
                && self.known_type(&expr).as_ref() == Some(ty)
            {
                return expr;
            }
        }
        self.of_type(ty)
    }

    fn print(&mut self) -> Statement {
        match self.small() {
            Some(name) => Statement::Print(name),
            None => self.bind(),
        }
    }

    /// A name with few values.
    pub(super) fn small(&mut self) -> Option<Name> {
        let is_small = |ty: &TensorType| ty.shape.size().is_some_and(|n| n <= 9);
        match self.pick_name(&is_small)? {
            (Expr::Name(name), _) => Some(name),
            _ => None,
        }
    }

    /// A jump under a condition, or another statement if no jump is allowed.
    fn jump(&mut self) -> Statement {
        let Some(jump) = self.any_jump() else {
            return self.assign();
        };
        let body = Code::new(vec![Statement::Jump(jump)], Vec::new());
        let (condition, form) = (self.condition(), self.form());
        Statement::If(form, condition, body, Code::new(Vec::new(), Vec::new()))
    }

    fn any_jump(&mut self) -> Option<Jump> {
        let jump = self
            .random
            .one_of(&[Jump::Continue, Jump::Break, Jump::Return]);
        match jump {
            Jump::Return if self.may_return => Some(jump),
            Jump::Continue | Jump::Break if self.in_loop => Some(jump),
            _ => None,
        }
    }

    fn form(&mut self) -> Form {
        self.random.one_of(&[Form::Rust, Form::ByHand])
    }

    /// A block that may end with a jump.
    fn branch(&mut self, depth: usize) -> Code {
        let code = self.block(depth - 1, false, &[], |_| Vec::new());
        let ends = matches!(code.statements().last(), Some(Statement::Jump(_)));
        match self.any_jump() {
            Some(jump) if !ends && self.random.once_in(4) => {
                let jump = [Statement::Jump(jump)];
                Code::new([code.statements(), &jump].concat(), Vec::new())
            }
            _ => code,
        }
    }

    fn if_else(&mut self, depth: usize) -> Statement {
        let (form, condition) = (self.form(), self.condition());
        let yes = self.branch(depth);
        let no = match self.random.once_in(3) {
            true => Code::new(Vec::new(), Vec::new()),
            false => self.branch(depth),
        };
        Statement::If(form, condition, yes, no)
    }

    fn switch(&mut self, depth: usize) -> Statement {
        let index = self.count();
        let count = 1 + self.random.below(3);
        let branches = (0..count).map(|_| self.branch(depth)).collect();
        Statement::Switch(index, branches)
    }

    /// The body of a loop, with a name that each iteration sets, and with jumps if they are allowed.
    fn body(&mut self, depth: usize, ty: TensorType, jumps: bool) -> (Name, Code) {
        let before = (self.in_loop, self.may_return);
        (self.in_loop, self.may_return) = (jumps, jumps && self.may_return);
        let local = self.local(ty);
        let code = self.block(depth - 1, false, std::slice::from_ref(&local), |_| {
            Vec::new()
        });
        (self.in_loop, self.may_return) = before;
        (local.name, code)
    }

    /// A new name for a block that is written next.
    pub(super) fn local(&mut self, ty: TensorType) -> Local {
        let name = self.names;
        self.names += 1;
        Local { name, ty }
    }

    fn for_loop(&mut self, depth: usize) -> Statement {
        let (form, count) = (self.form(), self.count());
        let (index, body) = self.body(depth, TensorType::scalar(DType::I32), true);
        Statement::For(form, index, count, body)
    }

    fn while_loop(&mut self, depth: usize) -> Statement {
        let (form, limit) = (self.form(), 1 + self.random.below(4) as i32);
        let (counter, body) = self.body(depth, TensorType::scalar(DType::I32), true);
        let local = Local {
            name: counter,
            ty: TensorType::scalar(DType::I32),
        };
        let test = self.closed(0, &[local], |w| vec![w.condition()]);
        Statement::While(form, counter, limit, test, body)
    }

    /// A block with a value that doesn't change the names around it.
    fn closed(
        &mut self,
        depth: usize,
        more: &[Local],
        values: impl FnOnce(&mut Writer) -> Vec<Expr>,
    ) -> Code {
        let before = (self.in_loop, self.may_return);
        (self.in_loop, self.may_return) = (false, false);
        let code = self.block(depth, true, more, values);
        (self.in_loop, self.may_return) = before;
        code
    }

    /// A value with a few rows, at most so many.
    fn with_rows(&mut self, most: usize) -> (Expr, TensorType) {
        let (rows, ty) = self.of_rank(&[DType::F64, DType::F32, DType::I32], 1);
        let sizes = types::sizes(&ty);
        // Without rows, eager `map_fn` doesn't know the shape of its result.
        if (1..=most).contains(&sizes[0]) {
            return (rows, ty);
        }
        let ty = TensorType::new(ty.dtype, Shape::known(&[&[3], &sizes[1..]].concat()));
        self.constant(ty)
    }

    fn row_type(ty: &TensorType) -> TensorType {
        TensorType::new(ty.dtype, Shape::known(&types::sizes(ty)[1..]))
    }

    fn rows(&mut self, depth: usize) -> Statement {
        let (mut rows, ty) = self.with_rows(FEW);
        let walk = [Walk::For, Walk::Fold, Walk::FoldRight, Walk::Dataset];
        let walk = self.random.one_of(&walk);
        if walk == Walk::Dataset && ty.dtype.is_float() {
            // No gradient flows through the elements of a dataset, so they must not depend on the inputs.
            rows = self.constant(ty.clone()).0;
        }
        // The function that `fold` calls can't leave it.
        let jumps = !matches!(walk, Walk::Fold | Walk::FoldRight);
        let (row, body) = self.body(depth, Writer::row_type(&ty), jumps);
        Statement::Rows(walk, row, rows, body)
    }

    /// A 64-bit float, which may have axes.
    fn float(&mut self) -> (Expr, TensorType) {
        let fits = |ty: &TensorType| {
            let is_small = ty.shape.size().is_some_and(|size| size <= 5000);
            ty.dtype == DType::F64 && is_small && ty.shape.rank().is_some_and(|rank| rank <= 3)
        };
        let picked = self.pick(fits);
        picked.unwrap_or_else(|| self.constant(TensorType::scalar(DType::F64)))
    }

    fn map(&mut self, depth: usize) -> Statement {
        // A mapped function may run for several rows side by side, so outside of blocks there are more.
        let (rows, ty) = self.with_rows(if depth == DEPTH { MANY } else { FEW });
        let local = self.local(Writer::row_type(&ty));
        let mut value_type = None;
        let body = self.closed(depth - 1, std::slice::from_ref(&local), |w| {
            let (value, ty) = w.float();
            value_type = Some(ty);
            vec![value]
        });
        let row = value_type.expect("a block has its value");
        self.gathered(types::sizes(&ty)[0], &row, |name| {
            Statement::Map(name, local.name, rows, body)
        })
    }

    /// A statement that makes a name for a number of rows.
    fn gathered(
        &mut self,
        count: usize,
        row: &TensorType,
        statement: impl FnOnce(Name) -> Statement,
    ) -> Statement {
        let shape = Shape::known(&[&[count], &types::sizes(row)[..]].concat());
        statement(self.declare(TensorType::new(row.dtype, shape)))
    }

    fn gather(&mut self, depth: usize) -> Statement {
        // An array that was never written doesn't know the shape of its rows.
        let count = match depth == DEPTH && self.random.once_in(4) {
            true => 1 + self.random.below(MANY),
            false => 1 + self.random.below(3),
        };
        let local = self.local(TensorType::scalar(DType::I32));
        let mut value_type = None;
        let body = self.closed(depth - 1, std::slice::from_ref(&local), |w| {
            let (value, ty) = w.float();
            value_type = Some(ty);
            vec![value]
        });
        let row = value_type.expect("a block has its value");
        self.gathered(count, &row, |name| {
            Statement::Gather(name, local.name, count, body)
        })
    }

    /// Parameters with names in scope as arguments. Some arguments are passed twice.
    fn parameters(&mut self, dtypes: Option<DType>) -> (Vec<(Name, Expr)>, Vec<Local>) {
        let count = 1 + self.random.below(3);
        let (mut given, mut locals): (Vec<(Name, Expr)>, Vec<Local>) = (Vec::new(), Vec::new());
        for i in 0..count {
            let again = i > 0 && self.random.once_in(2);
            let picked = match again {
                true => Some((given[0].1.clone(), locals[0].ty.clone())),
                false => self.pick(|ty| dtypes.is_none_or(|dtype| ty.dtype == dtype)),
            };
            let (expr, ty) = picked.unwrap_or_else(|| {
                let ty = TensorType::new(dtypes.unwrap_or(DType::F64), Shape::scalar());
                self.constant(ty)
            });
            let local = self.local(ty);
            given.push((local.name, expr));
            locals.push(local);
        }
        (given, locals)
    }

    fn call(&mut self, depth: usize) -> Statement {
        let callee = [Callee::Owned, Callee::Borrowed, Callee::Recompute];
        let callee = self.random.one_of(&callee);
        let (given, locals) = self.parameters(None);
        let (variables, acts) = (self.variables.clone(), self.may_act);
        let passed = self.passed();
        self.may_act = acts && callee != Callee::Recompute;
        let around = std::mem::take(&mut self.scope);
        let before = (self.fixed, self.in_loop, self.may_return);
        (self.fixed, self.in_loop, self.may_return) = (0, false, self.random.once_in(2));
        let body = self.block(depth - 1, false, &locals, |_| Vec::new());
        self.scope = around;
        (self.fixed, self.in_loop, self.may_return) = before;
        (self.variables, self.may_act) = (variables, acts);
        let types = locals.into_iter().map(|local| local.ty);
        let names = types.map(|ty| self.declare(ty)).collect();
        Statement::Call(callee, given, passed, body, names)
    }

    fn gradient(&mut self, depth: usize) -> Statement {
        let mode = self.random.one_of(&[Mode::Reverse, Mode::Forward]);
        let dtype = match self.smooth {
            true => DType::F64,
            false => self.random.one_of(FLOATS),
        };
        let (given, locals) = self.parameters(Some(dtype));
        let (variables, variable_types): (Vec<Name>, Vec<TensorType>) =
            self.sources(dtype).into_iter().unzip();
        let body = self.closed(depth - 1, &locals, |w| {
            let (value, _) = w.of_dtype(&[dtype]);
            vec![Expr::with("reduce_sum", all_axes(), vec![value])]
        });
        let types: Vec<TensorType> = match mode {
            Mode::Reverse => {
                let types = locals.into_iter().map(|local| local.ty);
                types.chain(variable_types).collect()
            }
            Mode::Forward => vec![TensorType::scalar(dtype)],
        };
        let names = types.into_iter().map(|ty| self.declare(ty)).collect();
        Statement::Gradient(mode, given, variables, body, names)
    }
}
