//! Checkpoints: TensorFlow's TensorBundle, which is an index `PREFIX.index` and files of data `PREFIX.data-00000-of-00001`.
//!
//! - `table`: the format of the index; `varint`: its numbers; `text`: tensors of strings.

mod table;
mod text;
mod varint;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use graph_ir::types::Shape;
use graph_kernels::{Array, DType};
use prost::Message;

use super::error::{Error, Result};
use super::files;
use super::proto::bundle_header_proto::Endianness;
use super::proto::{BundleEntryProto, BundleHeaderProto, DataType, VersionDef};
use super::tensors::{content, from_content};
use super::types::{data_type, dtype_of, shape_of, shape_proto};
use crate::checksum::masked;

/// The tensors of a checkpoint, by their names.
///
/// ```
/// use graph_formats::tensorflow::Bundle;
/// use graph_kernels::Array;
///
/// let mut bundle = Bundle::new();
/// bundle.insert("kernel/.ATTRIBUTES/VARIABLE_VALUE", Array::new(&[2], vec![1.0f32, 2.0]));
/// let (index, data) = bundle.to_bytes();
/// let read = Bundle::from_bytes(&index, &[data]).unwrap();
/// assert_eq!(read.get("kernel/.ATTRIBUTES/VARIABLE_VALUE"), bundle.get("kernel/.ATTRIBUTES/VARIABLE_VALUE"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bundle {
    arrays: BTreeMap<String, Array>,
    /// Strings that needn't be text.
    bytes: BTreeMap<String, Vec<u8>>,
}

/// The most files of data that a checkpoint may have.
const MAX_SHARDS: i32 = 1 << 16;

impl Bundle {
    /// A bundle without tensors.
    pub fn new() -> Bundle {
        Bundle::default()
    }

    /// Adds a tensor.
    pub fn insert(&mut self, name: impl Into<String>, array: Array) {
        self.arrays.insert(name.into(), array);
    }

    /// Adds a scalar string that needn't be text.
    pub fn insert_bytes(&mut self, name: impl Into<String>, bytes: Vec<u8>) {
        self.bytes.insert(name.into(), bytes);
    }

    /// The tensor with this name.
    pub fn get(&self, name: &str) -> Option<&Array> {
        self.arrays.get(name)
    }

    /// The scalar string with this name that isn't text.
    pub fn get_bytes(&self, name: &str) -> Option<&[u8]> {
        let text = || self.arrays.get(name)?.values::<String>()?.first();
        let bytes = self.bytes.get(name).map(Vec::as_slice);
        bytes.or_else(|| text().map(String::as_bytes))
    }

    /// All tensors, by their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Array)> {
        self.arrays
            .iter()
            .map(|(name, array)| (name.as_str(), array))
    }

    /// The bytes of the index and of the data. Equal bundles give equal bytes.
    pub fn to_bytes(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut data, mut entries) = (Vec::new(), table::Entries::new());
        let header = BundleHeaderProto {
            num_shards: 1,
            endianness: Endianness::Little as i32,
            version: Some(VersionDef {
                producer: 1,
                ..VersionDef::default()
            }),
        };
        entries.insert(Vec::new(), header.encode_to_vec());
        let mut add =
            |name: &str, dtype: DataType, dims: &[usize], (bytes, checksum): (Vec<u8>, u32)| {
                let entry = BundleEntryProto {
                    dtype: dtype as i32,
                    shape: Some(shape_proto(&Shape::known(dims))),
                    shard_id: 0,
                    offset: data.len() as i64,
                    size: bytes.len() as i64,
                    crc32c: checksum,
                    slices: Vec::new(),
                };
                entries.insert(name.as_bytes().to_vec(), entry.encode_to_vec());
                data.extend(bytes);
            };
        for (name, array) in &self.arrays {
            let written = match array.values::<String>() {
                Some(texts) => text::write(texts.iter().map(String::as_bytes)),
                None => {
                    let bytes = content(array);
                    let checksum = masked(&bytes);
                    (bytes, checksum)
                }
            };
            add(name, data_type(array.dtype()), array.shape(), written);
        }
        for (name, bytes) in &self.bytes {
            add(
                name,
                DataType::DtString,
                &[],
                text::write([bytes.as_slice()]),
            );
        }
        (table::write(&entries), data)
    }

    /// Reads the bytes of an index and of all files of data.
    ///
    /// # Errors
    /// If they aren't a checkpoint, a checksum is wrong, or a tensor is of a dtype that isn't here.
    pub fn from_bytes(index: &[u8], data: &[impl AsRef<[u8]>]) -> Result<Bundle> {
        let (_, entries) = entries(index)?;
        let mut bundle = Bundle::new();
        // Entries that overlap would let a small file stand for much more memory.
        let mut room: u64 = data.iter().map(|shard| shard.as_ref().len() as u64).sum();
        for (name, entry) in entries {
            let size = u64::try_from(entry.size).unwrap_or(u64::MAX);
            let overlap = || Error::invalid("tensors overlap").at(&name);
            room = room.checked_sub(size).ok_or_else(overlap)?;
            bundle
                .read_entry(&name, &entry, data)
                .map_err(|error| error.at(&name))?;
        }
        Ok(bundle)
    }

    fn read_entry(
        &mut self,
        name: &str,
        entry: &BundleEntryProto,
        data: &[impl AsRef<[u8]>],
    ) -> Result<()> {
        if !entry.slices.is_empty() {
            return Err(Error::unsupported("a tensor that is saved in slices"));
        }
        let outside = || Error::invalid("the tensor isn't inside its file");
        let at = |n: i64| usize::try_from(n).map_err(|_| outside());
        let (shard, offset, size) = (
            usize::try_from(entry.shard_id).map_err(|_| outside())?,
            at(entry.offset)?,
            at(entry.size)?,
        );
        let shard = data.get(shard).map(AsRef::as_ref).ok_or_else(outside)?;
        let bytes = shard
            .get(offset..)
            .and_then(|rest| rest.get(..size))
            .ok_or_else(outside)?;
        let dims = shape_of(entry.shape.as_ref())?
            .to_known()
            .ok_or_else(|| Error::invalid("the tensor has no shape"))?;
        match dtype_of(entry.dtype)? {
            DType::Str => {
                let values = text::read(bytes, &dims, entry.crc32c)?;
                self.insert_texts(name, &dims, values);
            }
            dtype => {
                if masked(bytes) != entry.crc32c {
                    return Err(Error::invalid("the checksum of the tensor is wrong"));
                }
                self.insert(name, from_content(dtype, &dims, bytes)?);
            }
        }
        Ok(())
    }

    /// Adds strings as text if they are, otherwise as bytes if it is only one. Other strings that aren't text are left out.
    fn insert_texts(&mut self, name: &str, dims: &[usize], mut values: Vec<Vec<u8>>) {
        let texts: std::result::Result<Vec<String>, _> = values
            .iter()
            .map(|bytes| String::from_utf8(bytes.clone()))
            .collect();
        match texts {
            Ok(texts) => self.insert(name, Array::new(dims, texts)),
            Err(_) if dims.is_empty() => self.insert_bytes(name, values.pop().unwrap_or_default()),
            Err(_) => {}
        }
    }

    /// Writes the index and the data beside it. Nothing is left of a checkpoint that can't be written.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn save(&self, prefix: impl AsRef<Path>) -> Result<()> {
        let (index, data) = self.to_bytes();
        files::write(&data_file(prefix.as_ref(), 0, 1), &data)?;
        files::write(&with_suffix(prefix.as_ref(), ".index"), &index)
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes), or if a file can't be read.
    pub fn load(prefix: impl AsRef<Path>) -> Result<Bundle> {
        let prefix = prefix.as_ref();
        let path = with_suffix(prefix, ".index");
        let index = files::read(&path)?;
        let (header, _) = entries(&index).map_err(|error| error.at(path.display()))?;
        let shards = 0..header.num_shards;
        let data: Result<Vec<Vec<u8>>> = shards
            .map(|shard| files::read(&data_file(prefix, shard, header.num_shards)))
            .collect();
        Bundle::from_bytes(&index, &data?).map_err(|error| error.at(prefix.display()))
    }
}

/// The header and the entries of an index.
fn entries(index: &[u8]) -> Result<(BundleHeaderProto, Vec<(String, BundleEntryProto)>)> {
    let mut entries = table::read(index)?;
    let header = entries
        .remove([].as_slice())
        .ok_or_else(|| Error::invalid("the index has no header"))?;
    let header = BundleHeaderProto::decode(header.as_slice())?;
    if header.endianness != Endianness::Little as i32 {
        return Err(Error::unsupported("a checkpoint of big-endian numbers"));
    }
    if !(1..=MAX_SHARDS).contains(&header.num_shards) {
        return Err(Error::invalid(format!(
            "a checkpoint of {} files",
            header.num_shards
        )));
    }
    let entry = |(name, entry): (Vec<u8>, Vec<u8>)| {
        let name = String::from_utf8(name)
            .map_err(|_| Error::invalid("the name of a tensor isn't UTF-8"))?;
        Ok((name, BundleEntryProto::decode(entry.as_slice())?))
    };
    let entries: Result<Vec<_>> = entries.into_iter().map(entry).collect();
    Ok((header, entries?))
}

fn with_suffix(prefix: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(prefix);
    path.push(suffix);
    path.into()
}

fn data_file(prefix: &Path, shard: i32, shards: i32) -> PathBuf {
    with_suffix(prefix, &format!(".data-{shard:05}-of-{shards:05}"))
}

#[cfg(test)]
mod tests;
