//! The state of a program: its variables, and the streams of random numbers. It is set anew before each run.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use graph_runtime::device::Device;
use graph_runtime::function::{Holds, Signature};
use graph_runtime::graph::TensorType;
use graph_runtime::tensor::Number;
use graph_runtime::{Argument, Array, DType, random};

use crate::program::{Name, Program, Write};
use crate::value::Value;

/// The seed of the streams in each run.
const SEED: i64 = 5;

/// A variable of a program.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// The variable of the library. Copies of a program share it.
    pub handle: Handle,
    /// Its value at the beginning of each run.
    pub start: Arc<Array>,
    /// Whether the program takes it as an argument. Otherwise it captures it.
    pub is_argument: bool,
}

impl Variable {
    /// Makes a variable with its first value.
    pub fn new(name: Name, start: Array, is_argument: bool) -> Variable {
        Variable {
            name,
            handle: Handle::new(name, &start),
            start: Arc::new(start),
            is_argument,
        }
    }

    /// The type of its values.
    pub fn ty(&self) -> TensorType {
        TensorType::of_array(&self.start)
    }
}

/// A handle of a variable of any dtype.
#[derive(Clone)]
pub struct Handle(Arc<dyn Typed>);

/// What can be done with a variable whose dtype isn't known.
trait Typed: Any + Send + Sync {
    fn trace_type(&self, signature: &mut Signature);
    fn read(&self) -> Value;
    fn write(&self, write: Write, operands: &[Value]);
    fn to(&self, device: Device);
}

impl<T: Number> Typed for graph_runtime::Variable<T> {
    fn trace_type(&self, signature: &mut Signature) {
        Argument::trace_type(self, signature);
    }
    fn read(&self) -> Value {
        Value::of(graph_runtime::Variable::read(self))
    }
    fn write(&self, write: Write, operands: &[Value]) {
        let value = operands.last().expect("the value is the last").typed::<T>();
        let positions = || operands[0].typed::<i32>();
        match write {
            Write::Assign => self.assign(value),
            Write::Add => self.assign_add(value),
            Write::Sub => self.assign_sub(value),
            Write::Row => self.assign_at(positions(), value),
            Write::AddRows => self.scatter_add(positions(), value),
            Write::Rows => self.scatter_update(positions(), value),
        };
    }
    fn to(&self, device: Device) {
        graph_runtime::Variable::to(self, device);
    }
}

impl Handle {
    fn new(name: Name, start: &Array) -> Handle {
        fn of<T: Number>(name: Name, start: &Array) -> Handle {
            let start = Value::constant(start).typed::<T>();
            let name = variable_name(name);
            Handle(Arc::new(graph_runtime::Variable::named(&name, start)))
        }
        match start.dtype() {
            DType::F64 => of::<f64>(name, start),
            DType::F32 => of::<f32>(name, start),
            DType::I32 => of::<i32>(name, start),
            DType::I64 => of::<i64>(name, start),
            other => unreachable!("no program has a variable of {other}"),
        }
    }

    /// The variable, if its values have this type.
    pub fn typed<T: Number>(&self) -> Option<graph_runtime::Variable<T>> {
        let variable: &dyn Any = &*self.0;
        variable.downcast_ref().cloned()
    }

    /// The value now.
    pub fn read(&self) -> Value {
        self.0.read()
    }

    /// Changes the value.
    pub fn write(&self, write: Write, operands: &[Value]) {
        self.0.write(write, operands);
    }
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}

impl Argument for Handle {
    fn trace_type(&self, signature: &mut Signature) {
        self.0.trace_type(signature);
    }
    fn holds(_: usize) -> Holds {
        Holds::Variables
    }
}

/// The name of a variable in graphs and messages.
pub fn variable_name(name: Name) -> String {
    format!("v{name}")
}

/// Keeps other programs from drawing: the streams belong to the process.
pub fn reserve_streams() -> MutexGuard<'static, ()> {
    static STREAMS: Mutex<()> = Mutex::new(());
    STREAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the state of a program as it is before each run.
pub fn set_anew(program: &Program) {
    for variable in &program.variables {
        let start = Value::constant(&variable.start);
        variable.handle.write(Write::Assign, &[start]);
    }
    if program.draws() {
        random::set_seed(SEED);
    }
}

/// The values of a program's variables.
pub fn values(program: &Program) -> Vec<Array> {
    let variables = program.variables.iter();
    let values = variables.map(|v| Array::clone(&v.handle.read().0.array()));
    values.collect()
}

/// Moves a program's variables to a device.
pub fn move_to(program: &Program, device: Device) {
    for variable in &program.variables {
        variable.handle.0.to(device);
    }
}
