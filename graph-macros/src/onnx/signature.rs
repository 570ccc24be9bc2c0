//! What a model of ONNX takes and gives, as its file declares it. `graph-formats` reads whole models; this is the little that a declaration is
//! compared with, and needs no other crate.

use std::collections::HashSet;

use super::wire::{Damaged, Fields, Value};

/// The inputs that a caller gives, and the outputs.
#[derive(Debug, Default)]
pub struct Signature {
    pub inputs: Vec<Declared>,
    pub outputs: Vec<Declared>,
    /// Whether weights are in other files.
    pub has_other_files: bool,
}

/// An input or output.
#[derive(Debug, Default)]
pub struct Declared {
    pub name: String,
    pub kind: Kind,
}

/// The type of an input or output.
#[derive(Debug, Default)]
pub enum Kind {
    /// A tensor: ONNX's number of its element type, and the sizes of its axes, if their number is known.
    Tensor(u64, Option<Vec<Option<u64>>>),
    /// A type that no parameter can have.
    Other(&'static str),
    /// No type is given.
    #[default]
    Missing,
}

/// A field of a message that is itself a message or a text.
macro_rules! each {
    ($bytes:expr, $($number:literal => |$value:ident| $do:expr),* $(,)?) => {
        for field in Fields::of($bytes) {
            match field? {
                $(($number, Value::Bytes($value)) => $do,)*
                _ => {}
            }
        }
    };
}

impl Signature {
    /// Reads the file of a model.
    pub fn read(model: &[u8]) -> Result<Signature, Damaged> {
        let mut signature = Signature::default();
        // The weights may be declared as inputs, too.
        let mut weights = HashSet::new();
        each!(model, 7 => |graph| signature.add(graph, &mut weights)?);
        let is_free = |input: &Declared| !weights.contains(input.name.as_bytes());
        signature.inputs.retain(is_free);
        Ok(signature)
    }

    fn add<'a>(&mut self, graph: &'a [u8], weights: &mut HashSet<&'a [u8]>) -> Result<(), Damaged> {
        each!(graph,
            5 => |tensor| {
                weights.insert(self.weight(tensor)?);
            },
            11 => |info| self.inputs.push(Declared::read(info)?),
            12 => |info| self.outputs.push(Declared::read(info)?),
            15 => |sparse| {
                each!(sparse, 1 => |tensor| { weights.insert(self.weight(tensor)?); });
            },
        );
        Ok(())
    }

    /// The name of a weight.
    fn weight<'a>(&mut self, tensor: &'a [u8]) -> Result<&'a [u8], Damaged> {
        let mut name = &[][..];
        for field in Fields::of(tensor) {
            match field? {
                (8, Value::Bytes(text)) => name = text,
                // The field says where the values are; 1 is another file.
                (14, Value::Number(1)) => self.has_other_files = true,
                _ => {}
            }
        }
        Ok(name)
    }
}

impl Declared {
    fn read(info: &[u8]) -> Result<Declared, Damaged> {
        let mut declared = Declared::default();
        each!(info,
            1 => |name| declared.name = String::from_utf8_lossy(name).into_owned(),
            2 => |ty| declared.kind = Kind::read(ty)?,
        );
        Ok(declared)
    }
}

impl Kind {
    fn read(ty: &[u8]) -> Result<Kind, Damaged> {
        let mut kind = Kind::Missing;
        each!(ty,
            1 => |tensor| kind = Kind::tensor(tensor)?,
            4 => |_sequence| kind = Kind::Other("a sequence"),
            5 => |_map| kind = Kind::Other("a map"),
            8 => |_sparse| kind = Kind::Other("a sparse tensor"),
            9 => |_optional| kind = Kind::Other("an optional"),
        );
        Ok(kind)
    }

    fn tensor(tensor: &[u8]) -> Result<Kind, Damaged> {
        let (mut element, mut shape) = (0, None);
        for field in Fields::of(tensor) {
            match field? {
                (1, Value::Number(number)) => element = number,
                (2, Value::Bytes(dims)) => shape = Some(sizes(dims)?),
                _ => {}
            }
        }
        Ok(Kind::Tensor(element, shape))
    }
}

fn sizes(shape: &[u8]) -> Result<Vec<Option<u64>>, Damaged> {
    let mut sizes = Vec::new();
    each!(shape, 1 => |dim| {
        let mut size = None;
        for field in Fields::of(dim) {
            // A negative size is a large number here; the importer refuses it, too.
            if let (1, Value::Number(number)) = field? {
                size = Some(i64::try_from(number).map_err(|_| Damaged)?.unsigned_abs());
            }
        }
        sizes.push(size);
    });
    Ok(sizes)
}
