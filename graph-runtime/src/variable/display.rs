//! How a variable prints: in TensorFlow's format. While tracing it has no value and prints without one. In a message of the graph it prints
//! the value that it has at that point of the run.

use std::fmt;

use graph_ir::types::tuple;
use graph_kernels::format::{Spec, numpy};

use super::Variable;
use crate::device;
use crate::error::Location;
use crate::trace::{self, Style};

impl<T, S> fmt::Display for Variable<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Style::Display, f)
    }
}

impl<T, S> fmt::Debug for Variable<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Style::Debug, f)
    }
}

impl<T, S> Variable<T, S> {
    fn write(&self, style: Style, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spec = Spec::from(&*f);
        if let Some(mark) = trace::mark(style, spec, |at| trace::read_variable(&self.place, at)) {
            return f.write_str(&mark);
        }
        let ty = self.place.ty();
        let (name, shape, dtype) = (self.place.name(), tuple(&ty.shape), ty.dtype);
        write!(f, "<tf.Variable '{name}:0' shape={shape} dtype={dtype}")?;
        if !trace::is_tracing() {
            device::transfers_are_of(&Location::unknown());
            let value = self.place.read().to_host().map_err(|_| fmt::Error)?;
            let before = if value.rank() > 1 { "\n" } else { "" };
            write!(f, ", numpy={before}{}", numpy(&value, &spec))?;
        }
        f.write_str(">")
    }
}
