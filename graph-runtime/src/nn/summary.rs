//! The table of a model's parts that Keras's `model.summary()` prints.

use std::fmt;
use std::sync::Arc;

use super::module::{Visited, Visitor};
use crate::variable::Place;

/// A table of a model's parts, to print: see [`Module::summary`](super::Module::summary).
#[derive(Clone, Debug)]
pub struct Summary {
    name: &'static str,
    rows: Vec<Row>,
    trainable: Size,
    frozen: Size,
}

#[derive(Clone, Debug)]
struct Row {
    layer: String,
    shape: String,
    parameters: usize,
}

/// The number of values in variables and the bytes that they take.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    parameters: usize,
    bytes: usize,
}

impl Size {
    fn add(&mut self, place: &Place) {
        let held = place.read();
        self.parameters += held.count();
        self.bytes += held.count() * held.dtype().bytes();
    }
}

/// The widths of the columns, without the spaces around their text.
const WIDTHS: [usize; 3] = [31, 22, 13];

impl Summary {
    /// Makes the table of the model that `visit` visits.
    pub(super) fn of(visit: &dyn Fn(&mut Visitor<'_>)) -> Summary {
        let mut summary = Summary {
            name: "model",
            rows: Vec::new(),
            trainable: Size::default(),
            frozen: Size::default(),
        };
        let mut seen: Vec<Arc<Place>> = Vec::new();
        // The path of the module in the last row, followed by a dot; its variables count in that row.
        let mut inside: Option<String> = None;
        visit(&mut Visitor::of_parts(&mut |visited| match visited {
            Visited::Module { path: "", name } => summary.name = name,
            Visited::Module { path, .. } if is_in(path, &inside) => {}
            Visited::Module { path, name } => {
                summary.rows.push(Row::new(path, name));
                inside = Some(format!("{path}."));
            }
            Visited::Variable {
                path,
                place,
                trainable,
            } => {
                if !is_in(path, &inside) {
                    summary.rows.push(Row::new(path, "Variable"));
                    inside = None;
                }
                let held = place.read().count();
                if let Some(row) = summary.rows.last_mut() {
                    row.parameters += held;
                }
                if !seen.iter().any(|known| Arc::ptr_eq(known, place)) {
                    seen.push(place.clone());
                    let size = if trainable {
                        &mut summary.trainable
                    } else {
                        &mut summary.frozen
                    };
                    size.add(place);
                }
            }
        }));
        summary
    }

    /// Adds the shapes of the outputs, in the order of the rows.
    pub(super) fn with_shapes(mut self, shapes: Vec<String>) -> Summary {
        for (row, shape) in self.rows.iter_mut().zip(shapes) {
            row.shape = shape;
        }
        self
    }
}

fn is_in(path: &str, part: &Option<String>) -> bool {
    part.as_ref().is_some_and(|part| path.starts_with(&**part))
}

impl Row {
    fn new(path: &str, name: &str) -> Row {
        Row {
            layer: format!("{path} ({name})"),
            shape: "?".to_owned(),
            parameters: 0,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = WIDTHS;
        let line = |left: &str, fill: &str, between: &str, right: &str| {
            let fills = WIDTHS.map(|width| fill.repeat(width + 2));
            format!("{left}{}{right}", fills.join(between))
        };
        writeln!(f, "Model: \"{}\"", self.name)?;
        writeln!(f, "{}", line("┏", "━", "┳", "┓"))?;
        writeln!(
            f,
            "┃ {:a$} ┃ {:b$} ┃ {:>c$} ┃",
            "Layer (type)", "Output Shape", "Param #"
        )?;
        writeln!(f, "{}", line("┡", "━", "╇", "┩"))?;
        for (i, row) in self.rows.iter().enumerate() {
            if i > 0 {
                writeln!(f, "{}", line("├", "─", "┼", "┤"))?;
            }
            let (first, rest) = wrapped(&row.layer, a);
            let (shape, parameters) = (&row.shape, thousands(row.parameters));
            writeln!(f, "│ {first:a$} │ {shape:b$} │ {parameters:>c$} │")?;
            if let Some(rest) = rest {
                writeln!(f, "│ {rest:a$} │ {:b$} │ {:c$} │", "", "")?;
            }
        }
        writeln!(f, "{}", line("└", "─", "┴", "┘"))?;
        let total = Size {
            parameters: self.trainable.parameters + self.frozen.parameters,
            bytes: self.trainable.bytes + self.frozen.bytes,
        };
        writeln!(f, " Total params: {total}")?;
        writeln!(f, " Trainable params: {}", self.trainable)?;
        write!(f, " Non-trainable params: {}", self.frozen)
    }
}

/// Splits a text into two lines if it is too wide and has a position to break at.
fn wrapped(text: &str, width: usize) -> (&str, Option<&str>) {
    match text.split_once(' ') {
        Some((first, rest)) if text.chars().count() > width => (first, Some(rest)),
        _ => (text, None),
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
        let mut size = self.bytes as f64;
        let mut unit = 0;
        while size >= 1024.0 && unit + 1 < UNITS.len() {
            size /= 1024.0;
            unit += 1;
        }
        write!(
            f,
            "{} ({size:.2} {})",
            thousands(self.parameters),
            UNITS[unit]
        )
    }
}

/// A number with commas between the thousands.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
