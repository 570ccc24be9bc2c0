//! The values of tensors on a GPU. A small value that came from the host is also kept there: kernels take a scalar as a parameter, and ops on a few
//! numbers, such as a loop's counter, are computed by the CPU without waiting for the GPU.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, OnceLock};

use graph_ir::device::{Device, Direction, Memory, Remote, Storage, Transfer, transferred};
use graph_ir::error::Error;
use graph_ir::graph::{Shape, TensorType};
use graph_kernels::{Array, DType, Dims};

use crate::driver::{Arrival, Buffer, Failed, Gpu, is_recording};
use crate::kernels::{Input, View};

/// Values up to this size are kept on the host, too.
const SMALL: usize = 64;

/// The value of a tensor: in the memory of a GPU, on the host, or both.
pub struct Value {
    /// The dtype of the elements.
    pub dtype: DType,
    /// The sizes of the axes.
    pub shape: Dims,
    gpu: &'static Gpu,
    host: OnceLock<Arc<Array>>,
    buffer: OnceLock<Arc<Buffer>>,
}

/// A handle of a value.
pub type Tensor = Arc<Value>;

/// Whether values of this size are kept on the host.
pub fn is_small(dtype: DType, shape: &[usize]) -> bool {
    let count = shape.iter().fold(1, |a: usize, b| a.saturating_mul(*b));
    count.saturating_mul(dtype.bytes()) <= SMALL
}

impl Value {
    /// A value that the GPU has computed, or will have computed when queued work is done.
    pub fn computed(dtype: DType, shape: &[usize], buffer: Arc<Buffer>) -> Tensor {
        Arc::new(Value {
            dtype,
            shape: shape.into(),
            gpu: buffer.gpu(),
            host: OnceLock::new(),
            buffer: buffer.into(),
        })
    }

    /// A value of the host. A small one is uploaded when a kernel needs it in memory.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn of_host(gpu: &'static Gpu, array: Arc<Array>) -> Result<Tensor, Failed> {
        Value::of_host_ahead(gpu, array).map(|(value, _)| value)
    }

    /// As [`of_host`](Self::of_host), but work waits for the value only when the other result is dropped, which must be before the value is used.
    ///
    /// # Errors
    /// As [`of_host`](Self::of_host).
    pub fn of_host_ahead(
        gpu: &'static Gpu,
        array: Arc<Array>,
    ) -> Result<(Tensor, Option<Arrival>), Failed> {
        let mut arrival = None;
        let value = Value {
            dtype: array.dtype(),
            shape: array.shape().into(),
            gpu,
            host: OnceLock::new(),
            buffer: OnceLock::new(),
        };
        if is_small(array.dtype(), array.shape()) {
            let _ = value.host.set(array);
        } else {
            report_upload(gpu, &array);
            let bytes = array.bytes().unwrap_or_default();
            let (buffer, arrives) = Buffer::of_bytes_ahead(gpu, bytes)?;
            let _ = value.buffer.set(Arc::new(buffer));
            arrival = arrives;
        }
        Ok((Arc::new(value), arrival))
    }

    /// The same elements with other axes.
    pub fn reshaped(&self, shape: &[usize]) -> Tensor {
        let host = self.host.get().map(|array| {
            let mut copy = Array::clone(array);
            copy.set_shape(shape);
            Arc::new(copy)
        });
        Arc::new(Value {
            dtype: self.dtype,
            shape: shape.into(),
            gpu: self.gpu,
            host: host.map_or_else(OnceLock::new, OnceLock::from),
            buffer: self.buffer.clone(),
        })
    }

    /// The value as one that only the GPU knows.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn on_gpu_only(&self) -> Result<Tensor, Failed> {
        let buffer = self.buffer()?.clone();
        Ok(Value::computed(self.dtype, &self.shape, buffer))
    }

    /// The GPU that holds it.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The exact type.
    pub fn ty(&self) -> TensorType {
        TensorType::new(self.dtype, Shape::known(&self.shape))
    }

    /// The value in the GPU's memory.
    ///
    /// # Errors
    /// If there is too little of it.
    pub fn buffer(&self) -> Result<&Arc<Buffer>, Failed> {
        if let Some(buffer) = self.buffer.get() {
            return Ok(buffer);
        }
        let uploaded = match self.host.get() {
            Some(array) => upload(self.gpu, array)?,
            None => unreachable!("a value is on the host or on the GPU"),
        };
        Ok(self.buffer.get_or_init(|| uploaded))
    }

    /// The memory of the value, if it is on the GPU.
    pub fn in_memory(&self) -> Option<&Arc<Buffer>> {
        self.buffer.get()
    }

    /// The value, if it is known on the host.
    pub fn known(&self) -> Option<&Arc<Array>> {
        self.host.get()
    }

    /// The value on the host; waits for the GPU if it isn't known.
    ///
    /// # Errors
    /// If the GPU doesn't answer.
    pub fn fetch(&self) -> Result<Arc<Array>, Error> {
        if self.host.get().is_none() && is_recording() {
            let message = "a program that is recorded can't wait for a value";
            return Err(Failed::new(message, 900).into());
        }
        self.fetch_now()
    }

    /// As [`fetch`](Self::fetch), also in a rehearsal of a recording.
    ///
    /// # Errors
    /// If the GPU doesn't answer.
    pub fn fetch_now(&self) -> Result<Arc<Array>, Error> {
        if let Some(array) = self.host.get() {
            return Ok(array.clone());
        }
        let buffer = self.buffer()?;
        report(self.gpu, Direction::ToHost, self.dtype, &self.shape);
        let array = Array::of_bytes(self.dtype, &self.shape, |bytes| {
            buffer.read(bytes).map_err(Fetch::Driver)
        });
        let array = Arc::new(array?);
        if is_small(self.dtype, &self.shape) {
            let _ = self.host.set(array.clone());
        }
        Ok(array)
    }

    /// The value as an operand of a kernel whose result has the shape `target`.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn input(&self, target: &[usize]) -> Result<Input<'_>, Failed> {
        self.input_by(View::broadcast(&self.shape, target))
    }

    /// The value as an operand of a kernel that finds its elements by a view.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn input_by(&self, view: View) -> Result<Input<'_>, Failed> {
        if self.count() == 1
            && let Some(bits) = self.known().and_then(|array| bits(array))
        {
            return Ok(Input::Value(self.dtype, bits));
        }
        Ok(Input::Tensor(self.dtype, self.buffer()?, view))
    }
}

/// The bits of the only element of an array.
pub fn bits(array: &Array) -> Option<u64> {
    let bytes = array.bytes().filter(|bytes| bytes.len() <= 8)?;
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}

/// The values of an array of positions or sizes.
pub fn integers(array: &Array) -> Option<Vec<i64>> {
    match (array.values::<i64>(), array.values::<i32>()) {
        (Some(values), _) => Some(values.to_vec()),
        (_, Some(values)) => Some(values.iter().map(|value| i64::from(*value)).collect()),
        _ => None,
    }
}

/// Tells debugging tools of a copy.
fn report(gpu: &Gpu, direction: Direction, dtype: DType, shape: &[usize]) {
    transferred(&Transfer {
        device: &gpu.name,
        direction,
        dtype,
        shape,
    });
}

/// Tells debugging tools of a copy of bytes that aren't a tensor.
pub fn report_download(gpu: &Gpu, bytes: usize) {
    report(gpu, Direction::ToHost, DType::U8, &[bytes]);
}

fn report_upload(gpu: &Gpu, array: &Array) {
    report(gpu, Direction::ToDevice, array.dtype(), array.shape());
}

fn upload(gpu: &'static Gpu, array: &Array) -> Result<Arc<Buffer>, Failed> {
    report_upload(gpu, array);
    let bytes = array.bytes().unwrap_or_default();
    Ok(Arc::new(Buffer::of_bytes(gpu, bytes)?))
}

/// Why a value couldn't be copied to the host.
enum Fetch {
    Driver(Failed),
    Host(graph_kernels::KernelError),
}

impl From<graph_kernels::KernelError> for Fetch {
    fn from(error: graph_kernels::KernelError) -> Fetch {
        Fetch::Host(error)
    }
}

impl From<Fetch> for Error {
    fn from(error: Fetch) -> Error {
        match error {
            Fetch::Driver(failed) => failed.into(),
            Fetch::Host(error) => {
                Error::run(error.to_string(), graph_ir::error::Location::unknown())
            }
        }
    }
}

/// A value as the memory of a storage.
pub struct Held {
    value: Tensor,
    doubt: Option<Box<dyn Doubt>>,
}

/// What isn't known yet about a value: whether the launch that computes it found all operands right.
pub trait Doubt: Send + Sync {
    /// The number of the launch.
    fn launch(&self) -> u64;

    /// Waits until it is known. If the launch was wrong, returns the value that stands in this one's place.
    ///
    /// # Errors
    /// If the launch was wrong and nobody knows it yet, or if no value stands in this one's place.
    fn settle(&self) -> Result<Option<Tensor>, Error>;

    /// The value that stands in this one's place, if it is known by now that the launch was wrong.
    fn instead(&self) -> Option<Tensor>;
}

impl Held {
    /// The storage of a value, whose device this is.
    pub fn storage(value: Tensor, device: Device) -> Storage {
        Held::doubted(value, device, None)
    }

    /// The storage of a value that may be wrong.
    pub fn doubted(value: Tensor, device: Device, doubt: Option<Box<dyn Doubt>>) -> Storage {
        let (dtype, shape) = (value.dtype, value.shape.clone());
        let held = Held { value, doubt };
        Storage::Remote(Arc::new(Remote::new(device, dtype, &shape, held)))
    }

    /// The GPU that holds it.
    pub fn gpu(&self) -> &'static Gpu {
        self.value.gpu
    }

    /// The value. This waits until it is known to be right, unless it depends on this launch.
    fn value(&self, launch: Option<u64>) -> Result<Tensor, Error> {
        let instead = match &self.doubt {
            Some(doubt) if Some(doubt.launch()) != launch => doubt.settle()?,
            _ => None,
        };
        Ok(instead.unwrap_or_else(|| self.value.clone()))
    }
}

/// The address of a value of this GPU as far as anybody knows now.
pub fn address_now(gpu: &'static Gpu, value: &Storage) -> Option<u64> {
    let Storage::Remote(remote) = value else {
        return None;
    };
    let held = remote.memory::<Held>();
    let held = held.filter(|held| std::ptr::eq(held.gpu(), gpu))?;
    let instead = held.doubt.as_ref().and_then(|doubt| doubt.instead());
    let value = instead.as_ref().unwrap_or(&held.value);
    value.buffer().ok().map(|buffer| buffer.address())
}

/// A value as one of this GPU.
///
/// # Errors
/// If it can't be copied, or if the launch that computes it was wrong.
pub fn brought(gpu: &'static Gpu, value: &Storage) -> Result<Tensor, Error> {
    brought_after(gpu, value, None)
}

/// As [`brought`], for work that counts for nothing if the launch with a number is wrong: that isn't waited for.
///
/// # Errors
/// As [`brought`].
pub fn brought_after(
    gpu: &'static Gpu,
    value: &Storage,
    launch: Option<u64>,
) -> Result<Tensor, Error> {
    if let Storage::Remote(remote) = value
        && let Some(held) = remote.memory::<Held>()
        && std::ptr::eq(held.gpu(), gpu)
    {
        return held.value(launch);
    }
    Ok(Value::of_host(gpu, value.to_host()?)?)
}

impl Memory for Held {
    fn fetch(&self) -> Result<Array, Error> {
        let value = self.value(None)?.fetch();
        value.map(|array| Array::clone(&array))
    }
}

impl UnwindSafe for Held {}
impl RefUnwindSafe for Held {}

impl UnwindSafe for Value {}
impl RefUnwindSafe for Value {}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of {}", self.value.gpu.name)
    }
}
