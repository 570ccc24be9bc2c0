//! `Module`: finds the variables of a model, each with the path of fields that leads to it.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::{Display, Write};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, OnceLock};

use super::parameter::Parameter;
#[cfg(feature = "safetensors")]
use super::safetensors::{self, FileError, LeftOut};
use super::summary::Summary;
use crate::device::Device;
use crate::error::Location;
use crate::trace;
use crate::tuples::up_to_twelve;
use crate::variable::{Place, Variable};

/// A part of a model: a variable, a struct with `#[derive(Module)]`, or an array, tuple, `Vec`, `Option`, `Box` or map of modules. Plain
/// values are modules without variables.
///
/// A variable's name is the path to it: `layers.0.kernel`. A variable that occurs twice, because parts of the model share it, counts once,
/// under its first name.
///
/// ```
/// use graph_runtime::nn::{Dense, Module};
///
/// #[derive(Module)]
/// struct Model {
///     layers: Vec<Dense>,
/// }
/// let model = Model { layers: vec![Dense::new(784, 100), Dense::new(100, 10)] };
/// let names: Vec<_> = model.parameters().into_iter().map(|p| p.name().to_owned()).collect();
/// assert_eq!(names, ["layers.0.kernel", "layers.0.bias", "layers.1.kernel", "layers.1.bias"]);
/// assert_eq!(model.count_parameters(), 784 * 100 + 100 + 100 * 10 + 10);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no part of a model",
    label = "not a module: no variable, nothing made of variables, and no plain value",
    note = "write `#[derive(Module)]` on a struct with variables; for a field that has none, `#[module(ignore)]`"
)]
#[doc(alias("Model", "ModuleList"))]
pub trait Module {
    /// Shows the module's parts to the visitor. `#[derive(Module)]` implements this.
    fn visit(&self, visitor: &mut Visitor<'_>);

    /// All variables, in the order of the fields.
    #[doc(alias("named_parameters", "state_dict", "weights", "variables"))]
    fn parameters(&self) -> Vec<Parameter> {
        let mut all: Vec<Parameter> = Vec::new();
        self.visit(&mut Visitor::of_variables(&mut |path, place, trainable| {
            if !all.iter().any(|known| Arc::ptr_eq(known.place(), place)) {
                all.push(Parameter::new(path, place, trainable));
            }
        }));
        all
    }

    /// The variables that an optimizer trains.
    #[doc(alias("trainable_weights"))]
    fn trainable_variables(&self) -> Vec<Parameter> {
        let mut all = self.parameters();
        all.retain(Parameter::is_trainable);
        all
    }

    /// The variables that no optimizer trains, such as the moving averages of a batch normalization.
    #[doc(alias("buffers", "non_trainable_weights"))]
    fn non_trainable_variables(&self) -> Vec<Parameter> {
        let mut all = self.parameters();
        all.retain(|parameter| !parameter.is_trainable());
        all
    }

    /// Moves all variables to another device, where they stay, and returns the module itself. An optimizer is a module, too: what it made for
    /// variables before they were moved, `optimizer.to(&device)` moves after them. This happens at once, even while a graph function is traced.
    ///
    /// # Panics
    /// If the device has too little memory, or doesn't answer. The message names the variable, which stays where it was; those before it have been
    /// moved. No value changes.
    ///
    /// ```
    /// use graph_runtime::device::Device;
    /// use graph_runtime::nn::{Adam, Dense, Module};
    ///
    /// let model = Dense::new(3, 2);
    /// model.to(Device::cpu()); // or of `Device::cuda(0)?`
    /// let adam = Adam::new(&model); // its state is made where the model is
    /// ```
    #[doc(alias("cuda", "cpu"))]
    #[track_caller]
    fn to(&self, device: impl Borrow<Device>) -> &Self
    where
        Self: Sized,
    {
        let (device, location) = (*device.borrow(), Location::caller());
        for parameter in self.parameters() {
            trace::move_variable(parameter.place(), device, &location);
        }
        self
    }

    /// The total number of values in the variables.
    #[doc(alias("count_params", "num_params"))]
    fn count_parameters(&self) -> usize {
        self.parameters().iter().map(Parameter::count).sum()
    }

    /// A table of the parts and their numbers of values, as Keras's `model.summary()` prints it.
    ///
    /// ```
    /// use graph_runtime::nn::{Dense, Module};
    /// #[derive(Module)]
    /// struct Model {
    ///     hidden: Dense,
    ///     scores: Dense,
    /// }
    /// let model = Model { hidden: Dense::new(784, 100), scores: Dense::new(100, 10) };
    /// println!("{}", model.summary());
    /// # assert!(model.summary().to_string().contains("│ hidden (Dense)                  │ ?                      │        78,500 │"));
    /// # assert!(model.summary().to_string().ends_with("Total params: 79,510 (310.59 KB)\n Trainable params: 79,510 (310.59 KB)\n Non-trainable params: 0 (0.00 B)"));
    /// ```
    fn summary(&self) -> Summary {
        Summary::of(&|visitor| self.visit(visitor))
    }

    /// Saves the values of the variables to a file in the safetensors format, under the variables' names. This happens at once, even while
    /// a graph function is traced. Needs the feature `safetensors`.
    ///
    /// An existing file is replaced as a whole: if the disk is full or the process is killed, the old file stays as it was. A process that
    /// is killed may leave another file in the same folder, whose name ends with `.part`.
    ///
    /// # Errors
    /// If the file can't be written, or a variable holds strings.
    ///
    /// ```
    /// use graph_runtime::nn::{Dense, Module};
    /// let path = std::env::temp_dir().join(format!("dense-{}.safetensors", std::process::id()));
    /// let (a, b) = (Dense::new(3, 2), Dense::new(3, 2));
    /// a.save(&path)?;
    /// b.load(&path)?;
    /// assert_eq!(a.kernel().read().to_vec(), b.kernel().read().to_vec());
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), graph_runtime::nn::FileError>(())
    /// ```
    #[doc(alias("save_weights"))]
    #[cfg(feature = "safetensors")]
    fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError>
    where
        Self: Sized,
    {
        safetensors::save(&self.parameters(), path.as_ref())
    }

    /// Loads the values of the variables from a file in the safetensors format, by the variables' names. On an error, no variable is
    /// changed. Needs the feature `safetensors`.
    ///
    /// If the file can't be read or isn't in the format; if a variable is missing in it, or has another shape or dtype there; if the file
    /// has an array that isn't in the model. The error names the variable or array.
    #[doc(alias("load_weights", "load_state_dict"))]
    #[cfg(feature = "safetensors")]
    fn load(&self, path: impl AsRef<Path>) -> Result<(), FileError>
    where
        Self: Sized,
    {
        safetensors::load(&self.parameters(), path.as_ref())
    }

    /// [`load`](Self::load) of what model and file have in common. `rename` gives the variable's name for each array of the file, or nothing for an
    /// array to be left out; the identity is `|name| Some(name.to_owned())`. What is left out on both sides is returned. On an error, no variable is
    /// changed. Needs the feature `safetensors`.
    ///
    /// # Errors
    /// As [`load`](Self::load), but for names that only one side has; and if two arrays get the same name.
    ///
    /// ```
    /// use graph_runtime::nn::{Dense, Module};
    ///
    /// #[derive(Module)]
    /// struct Model {
    ///     body: Dense,
    ///     head: Dense,
    /// }
    ///
    /// let path = std::env::temp_dir().join(format!("partial-{}.safetensors", std::process::id()));
    /// let body = Dense::new(3, 2);
    /// body.save(&path)?; // as `kernel` and `bias`
    /// let model = Model { body: Dense::new(3, 2), head: Dense::new(2, 1) };
    /// let left_out = model.load_partial(&path, |name| Some(format!("body.{name}")))?;
    /// assert_eq!(model.body.kernel().read().to_vec(), body.kernel().read().to_vec());
    /// assert_eq!(left_out.variables, ["head.kernel", "head.bias"]);
    /// assert!(left_out.arrays.is_empty());
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), graph_runtime::nn::FileError>(())
    /// ```
    #[cfg(feature = "safetensors")]
    fn load_partial(
        &self,
        path: impl AsRef<Path>,
        rename: impl Fn(&str) -> Option<String>,
    ) -> Result<LeftOut, FileError>
    where
        Self: Sized,
    {
        safetensors::load_partial(&self.parameters(), path.as_ref(), &rename)
    }

    /// Saves the variables to a file; needs the feature `safetensors`.
    #[doc(alias("save_weights"))]
    #[cfg(not(feature = "safetensors"))]
    #[doc(hidden)]
    fn save(&self, _: impl AsRef<Path>) -> Result<(), std::convert::Infallible>
    where
        Self: Sized + crate::features::NeedsSafetensors,
    {
        self.never()
    }

    /// Loads the variables from a file; needs the feature `safetensors`.
    #[doc(alias("load_weights", "load_state_dict"))]
    #[cfg(not(feature = "safetensors"))]
    #[doc(hidden)]
    fn load(&self, _: impl AsRef<Path>) -> Result<(), std::convert::Infallible>
    where
        Self: Sized + crate::features::NeedsSafetensors,
    {
        self.never()
    }

    /// Loads some of the variables from a file; needs the feature `safetensors`.
    #[cfg(not(feature = "safetensors"))]
    #[doc(hidden)]
    fn load_partial(
        &self,
        _: impl AsRef<Path>,
        _: impl Fn(&str) -> Option<String>,
    ) -> Result<std::convert::Infallible, std::convert::Infallible>
    where
        Self: Sized + crate::features::NeedsSafetensors,
    {
        self.never()
    }
}

/// A visitor of the parts of a [`Module`]. It keeps the path to the current part.
pub struct Visitor<'a> {
    path: String,
    /// The number of modules that contain the current part.
    depth: usize,
    frozen: bool,
    on: On<'a>,
}

/// A callback for each variable, with its path, its place, and whether it is trainable.
type OnVariable<'a> = &'a mut dyn FnMut(&str, &Arc<Place>, bool);

/// The callback of a visit.
enum On<'a> {
    Variables(OnVariable<'a>),
    Parts(&'a mut dyn FnMut(Visited<'_>)),
}

/// What the callback of a visit of parts gets.
pub(super) enum Visited<'v> {
    /// A struct, before its fields.
    Module { path: &'v str, name: &'static str },
    Variable {
        path: &'v str,
        place: &'v Arc<Place>,
        trainable: bool,
    },
}

impl<'a> Visitor<'a> {
    /// A visitor that calls `on` for each variable.
    pub(super) fn of_variables(on: OnVariable<'a>) -> Visitor<'a> {
        Visitor::new(On::Variables(on))
    }

    /// A visitor that calls `on` for the outermost module, for the modules directly in it, and for all variables.
    pub(super) fn of_parts(on: &'a mut dyn FnMut(Visited<'_>)) -> Visitor<'a> {
        Visitor::new(On::Parts(on))
    }

    fn new(on: On<'a>) -> Visitor<'a> {
        Visitor {
            path: String::new(),
            depth: 0,
            frozen: false,
            on,
        }
    }

    /// Visits a struct with this name; `fields` visits its fields.
    pub fn module(&mut self, name: &'static str, fields: impl FnOnce(&mut Visitor<'a>)) {
        if let On::Parts(on) = &mut self.on
            && self.depth <= 1
        {
            on(Visited::Module {
                path: &self.path,
                name,
            });
        }
        self.depth += 1;
        fields(self);
        self.depth -= 1;
    }

    /// Visits a part under a name.
    pub fn field<M: Module + ?Sized>(&mut self, name: impl Display, part: &M) {
        let length = self.path.len();
        let separator = if length == 0 { "" } else { "." };
        // Writing to a `String` can't fail.
        let _ = write!(self.path, "{separator}{name}");
        part.visit(self);
        self.path.truncate(length);
    }

    /// Visits a part whose variables aren't trainable.
    pub fn frozen<M: Module + ?Sized>(&mut self, name: impl Display, part: &M) {
        let before = std::mem::replace(&mut self.frozen, true);
        self.field(name, part);
        self.frozen = before;
    }

    /// Visits a variable.
    pub(super) fn variable(&mut self, place: &Arc<Place>) {
        let (path, trainable) = (&self.path, !self.frozen);
        match &mut self.on {
            On::Variables(on) => on(path, place, trainable),
            On::Parts(on) => on(Visited::Variable {
                path,
                place,
                trainable,
            }),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T, S> Module for Variable<T, S> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.variable(self.place());
    }
}

/// Implements `Module` for plain values, which have no variables.
macro_rules! plain {
    ($($type:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Module for $type {
            fn visit(&self, _: &mut Visitor<'_>) {}
        }
    )* };
}
plain! { () bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 str String std::time::Duration }

/// Implements `Module` for pointers to modules.
macro_rules! pointers {
    ($($type:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<M: Module + ?Sized> Module for $type {
            fn visit(&self, visitor: &mut Visitor<'_>) {
                (**self).visit(visitor);
            }
        }
    )* };
}
pointers! { &M Box<M> Rc<M> Arc<M> }

#[diagnostic::do_not_recommend]
impl<M: Module, F: FnOnce() -> M> Module for LazyLock<M, F> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        (**self).visit(visitor);
    }
}

/// Implements `Module` for cells. An empty cell has no variables yet.
macro_rules! cells {
    ($($type:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<M: Module> Module for $type<M> {
            fn visit(&self, visitor: &mut Visitor<'_>) {
                if let Some(module) = self.get() {
                    module.visit(visitor);
                }
            }
        }
    )* };
}
cells! { OnceLock OnceCell }

#[diagnostic::do_not_recommend]
impl<M: Module> Module for Option<M> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        if let Some(module) = self {
            module.visit(visitor);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Module> Module for [M] {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        for (i, module) in self.iter().enumerate() {
            visitor.field(i, module);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Module, const N: usize> Module for [M; N] {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.as_slice().visit(visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<M: Module> Module for Vec<M> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.as_slice().visit(visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<K: Display, M: Module> Module for BTreeMap<K, M> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        for (key, module) in self {
            visitor.field(key, module);
        }
    }
}

/// The keys are visited in ascending order, because a hash map has no order of its own.
#[diagnostic::do_not_recommend]
impl<K: Display + Ord, M: Module, H> Module for HashMap<K, M, H> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        for (key, module) in self.iter().collect::<BTreeMap<_, _>>() {
            visitor.field(key, module);
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($name: Module),*> Module for ($($name,)*) {
            fn visit(&self, visitor: &mut Visitor<'_>) {
                $(visitor.field($index, &self.$index);)*
            }
        }
    )* };
}
up_to_twelve!(tuples);
