//! The text form of a graph, as TensorFlow prints it: `print(graph.as_graph_def())`. Fields stand in the order of their numbers, entries of maps in
//! the order of their keys, and what has its default value is left out.

use std::fmt::{self, Debug, Write};

use super::proto::attr_value::{ListValue, Value};
use super::proto::op_def::ArgDef;
use super::proto::{
    AttrValue, DataType, FunctionDef, GraphDef, NameAttrList, NodeDef, OpDef, TensorProto,
    TensorShapeProto, VersionDef,
};

impl fmt::Display for GraphDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { f, indent: 0 };
        for node in &self.node {
            printer.message("node", |p| p.node(node))?;
        }
        if let Some(library) = &self.library {
            printer.message("library", |p| {
                let mut functions = library.function.iter();
                functions.try_for_each(|function| p.message("function", |p| p.function(function)))
            })?;
        }
        match &self.versions {
            Some(versions) => printer.message("versions", |p| p.versions(versions)),
            None => Ok(()),
        }
    }
}

/// Writes fields, each on a line of its own.
struct Printer<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    indent: usize,
}

impl Printer<'_, '_> {
    fn line(&mut self, text: fmt::Arguments<'_>) -> fmt::Result {
        writeln!(self.f, "{:indent$}{text}", "", indent = self.indent)
    }

    fn field(&mut self, name: &str, value: impl fmt::Display) -> fmt::Result {
        self.line(format_args!("{name}: {value}"))
    }

    /// A number that is left out if it is 0.
    fn number(&mut self, name: &str, value: i32) -> fmt::Result {
        match value {
            0 => Ok(()),
            _ => self.field(name, value),
        }
    }

    /// A text that is left out if it is empty.
    fn text(&mut self, name: &str, value: &str) -> fmt::Result {
        match value {
            "" => Ok(()),
            _ => self.field(name, Quoted(value.as_bytes())),
        }
    }

    fn dtype(&mut self, name: &str, number: i32) -> fmt::Result {
        match DataType::try_from(number) {
            Ok(DataType::DtInvalid) => Ok(()),
            Ok(dtype) => self.field(name, dtype.as_str_name()),
            Err(_) => self.field(name, number),
        }
    }

    fn message(
        &mut self,
        name: &str,
        fields: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        self.line(format_args!("{name} {{"))?;
        self.indent += 2;
        fields(self)?;
        self.indent -= 2;
        self.line(format_args!("}}"))
    }

    fn node(&mut self, node: &NodeDef) -> fmt::Result {
        self.text("name", &node.name)?;
        self.text("op", &node.op)?;
        node.input
            .iter()
            .try_for_each(|input| self.field("input", Quoted(input.as_bytes())))?;
        self.text("device", &node.device)?;
        self.attributes("attr", &node.attr)
    }

    fn attributes<'v>(
        &mut self,
        name: &str,
        attributes: impl IntoIterator<Item = (&'v String, &'v AttrValue)>,
    ) -> fmt::Result {
        attributes.into_iter().try_for_each(|(key, value)| {
            self.message(name, |p| {
                p.field("key", Quoted(key.as_bytes()))?;
                p.message("value", |p| p.attribute(value))
            })
        })
    }

    fn attribute(&mut self, attribute: &AttrValue) -> fmt::Result {
        match &attribute.value {
            None => Ok(()),
            Some(Value::List(list)) => self.message("list", |p| p.list(list)),
            Some(Value::S(text)) => self.field("s", Quoted(text)),
            Some(Value::I(n)) => self.field("i", n),
            Some(Value::F(x)) => self.field("f", Float(*x)),
            Some(Value::B(b)) => self.field("b", b),
            Some(Value::Type(number)) => self.dtype("type", *number),
            Some(Value::Shape(shape)) => self.message("shape", |p| p.shape(shape)),
            Some(Value::Tensor(tensor)) => self.message("tensor", |p| p.tensor(tensor)),
            Some(Value::Placeholder(name)) => self.field("placeholder", Quoted(name.as_bytes())),
            Some(Value::Func(func)) => self.message("func", |p| p.func(func)),
        }
    }

    fn list(&mut self, list: &ListValue) -> fmt::Result {
        list.s
            .iter()
            .try_for_each(|text| self.field("s", Quoted(text)))?;
        list.i.iter().try_for_each(|n| self.field("i", n))?;
        list.f.iter().try_for_each(|x| self.field("f", Float(*x)))?;
        list.b.iter().try_for_each(|b| self.field("b", b))?;
        list.r#type
            .iter()
            .try_for_each(|number| self.dtype("type", *number))?;
        let mut shapes = list.shape.iter();
        shapes.try_for_each(|shape| self.message("shape", |p| p.shape(shape)))?;
        let mut tensors = list.tensor.iter();
        tensors.try_for_each(|tensor| self.message("tensor", |p| p.tensor(tensor)))?;
        let mut funcs = list.func.iter();
        funcs.try_for_each(|func| self.message("func", |p| p.func(func)))
    }

    fn func(&mut self, func: &NameAttrList) -> fmt::Result {
        self.text("name", &func.name)?;
        self.attributes("attr", &func.attr)
    }

    fn shape(&mut self, shape: &TensorShapeProto) -> fmt::Result {
        for dim in &shape.dim {
            self.message("dim", |p| {
                if dim.size != 0 {
                    p.field("size", dim.size)?;
                }
                p.text("name", &dim.name)
            })?;
        }
        match shape.unknown_rank {
            true => self.field("unknown_rank", true),
            false => Ok(()),
        }
    }

    fn tensor(&mut self, tensor: &TensorProto) -> fmt::Result {
        self.dtype("dtype", tensor.dtype)?;
        if let Some(shape) = &tensor.tensor_shape {
            self.message("tensor_shape", |p| p.shape(shape))?;
        }
        if !tensor.tensor_content.is_empty() {
            self.field("tensor_content", Quoted(&tensor.tensor_content))?;
        }
        tensor
            .float_val
            .iter()
            .try_for_each(|x| self.field("float_val", Float(*x)))?;
        tensor
            .double_val
            .iter()
            .try_for_each(|x| self.field("double_val", Float(*x)))?;
        tensor
            .int_val
            .iter()
            .try_for_each(|n| self.field("int_val", n))?;
        let mut texts = tensor.string_val.iter();
        texts.try_for_each(|text| self.field("string_val", Quoted(text)))?;
        tensor
            .int64_val
            .iter()
            .try_for_each(|n| self.field("int64_val", n))?;
        tensor
            .bool_val
            .iter()
            .try_for_each(|b| self.field("bool_val", b))?;
        tensor
            .half_val
            .iter()
            .try_for_each(|n| self.field("half_val", n))?;
        tensor
            .uint32_val
            .iter()
            .try_for_each(|n| self.field("uint32_val", n))?;
        tensor
            .uint64_val
            .iter()
            .try_for_each(|n| self.field("uint64_val", n))
    }

    fn function(&mut self, function: &FunctionDef) -> fmt::Result {
        if let Some(signature) = &function.signature {
            self.message("signature", |p| p.signature(signature))?;
        }
        let mut nodes = function.node_def.iter();
        nodes.try_for_each(|node| self.message("node_def", |p| p.node(node)))?;
        self.names("ret", &function.ret)?;
        self.attributes("attr", &function.attr)?;
        self.names("control_ret", &function.control_ret)?;
        for entry in &function.arg_attr {
            self.message("arg_attr", |p| {
                p.field("key", entry.key.unwrap_or_default())?;
                let attributes = entry.value.as_ref().map(|value| &value.attr);
                p.message("value", |p| {
                    p.attributes("attr", attributes.into_iter().flatten())
                })
            })?;
        }
        Ok(())
    }

    /// A map from names to names.
    fn names<'v>(
        &mut self,
        field: &str,
        names: impl IntoIterator<Item = (&'v String, &'v String)>,
    ) -> fmt::Result {
        names.into_iter().try_for_each(|(key, value)| {
            self.message(field, |p| {
                p.field("key", Quoted(key.as_bytes()))?;
                p.field("value", Quoted(value.as_bytes()))
            })
        })
    }

    fn signature(&mut self, signature: &OpDef) -> fmt::Result {
        self.text("name", &signature.name)?;
        let mut inputs = signature.input_arg.iter();
        inputs.try_for_each(|arg| self.message("input_arg", |p| p.argument(arg)))?;
        let mut outputs = signature.output_arg.iter();
        outputs.try_for_each(|arg| self.message("output_arg", |p| p.argument(arg)))?;
        if signature.is_stateful {
            self.field("is_stateful", true)?;
        }
        let mut controls = signature.control_output.iter();
        controls.try_for_each(|name| self.text("control_output", name))
    }

    fn argument(&mut self, argument: &ArgDef) -> fmt::Result {
        self.text("name", &argument.name)?;
        self.dtype("type", argument.r#type)
    }

    fn versions(&mut self, versions: &VersionDef) -> fmt::Result {
        self.number("producer", versions.producer)?;
        self.number("min_consumer", versions.min_consumer)?;
        versions
            .bad_consumers
            .iter()
            .try_for_each(|n| self.field("bad_consumers", n))
    }
}

/// Bytes in quotes; those that aren't printable ASCII are octal numbers.
struct Quoted<'a>(&'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for byte in self.0 {
            match byte {
                b'\n' => f.write_str("\\n")?,
                b'\r' => f.write_str("\\r")?,
                b'\t' => f.write_str("\\t")?,
                b'"' => f.write_str("\\\"")?,
                b'\'' => f.write_str("\\'")?,
                b'\\' => f.write_str("\\\\")?,
                b' '..=b'~' => f.write_char(char::from(*byte))?,
                byte => write!(f, "\\{byte:03o}")?,
            }
        }
        f.write_char('"')
    }
}

/// A float as Python writes it.
struct Float<T>(T);

impl<T: Debug> fmt::Display for Float<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        // Rust writes `1e-5` and `NaN`, Python `1e-05` and `nan`.
        match text.split_once("e-") {
            Some((mantissa, exponent)) => write!(f, "{mantissa}e-{exponent:0>2}"),
            None => f.write_str(&text.replace("NaN", "nan").replace('e', "e+")),
        }
    }
}
