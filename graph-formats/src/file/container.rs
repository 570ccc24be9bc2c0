//! The container: a safetensors file. Its first eight bytes are the length of a JSON header, which has the dtype, shape and place of each tensor,
//! and texts as metadata. Then follow the bytes of the tensors.

use std::collections::HashMap;

use super::ReadError;
use super::json::Json;

/// The key of the metadata in the header.
const METADATA: &str = "__metadata__";

/// A tensor of a file.
pub(super) struct Tensor<'a> {
    /// The name of its dtype in the format.
    pub dtype: String,
    pub shape: Vec<usize>,
    pub bytes: &'a [u8],
}

/// A file, taken apart.
pub(super) struct Container<'a> {
    pub metadata: HashMap<String, String>,
    pub tensors: HashMap<String, Tensor<'a>>,
}

fn in_header(message: impl std::fmt::Display) -> ReadError {
    ReadError::new("header", message)
}

/// Takes a file apart. Tensors may not overlap or leave gaps, as the format wants it: so no byte is hidden.
pub(super) fn read(bytes: &[u8]) -> Result<Container<'_>, ReadError> {
    let too_short = || {
        ReadError::new(
            "byte 0",
            format!("{} bytes aren't a safetensors file", bytes.len()),
        )
    };
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(too_short)?;
    let length = u64::from_le_bytes(*length);
    let header = usize::try_from(length)
        .ok()
        .and_then(|length| rest.split_at_checked(length));
    let Some((header, data)) = header else {
        let message = format!("a header of {length} bytes in a file of {}", bytes.len());
        return Err(ReadError::new("byte 0", message));
    };
    let header = std::str::from_utf8(header).map_err(in_header)?;
    let header = Json::read(header)
        .map_err(|(at, message)| ReadError::new(format!("header, byte {at}"), message))?;
    let Json::Object(entries) = header else {
        return Err(in_header("it isn't an object"));
    };
    let mut container = Container {
        metadata: HashMap::new(),
        tensors: HashMap::new(),
    };
    let mut places = Vec::new();
    for (name, entry) in entries {
        if name == METADATA {
            container.metadata = metadata(entry)?;
            continue;
        }
        let (tensor, place) = tensor(&entry, data).ok_or_else(|| {
            ReadError::new(
                format!("tensor {name}"),
                "its dtype, shape or place is wrong",
            )
        })?;
        places.push(place);
        container.tensors.insert(name, tensor);
    }
    places.sort_unstable();
    let mut end = 0;
    for (first, last) in places {
        if first != end {
            return Err(in_header(format!(
                "a tensor begins at byte {first} of the data, not at {end}"
            )));
        }
        end = last;
    }
    match end == data.len() {
        true => Ok(container),
        false => Err(in_header(format!(
            "tensors of {end} bytes in {} bytes of data",
            data.len()
        ))),
    }
}

fn metadata(entry: Json) -> Result<HashMap<String, String>, ReadError> {
    let Json::Object(entries) = entry else {
        return Err(in_header("the metadata isn't an object"));
    };
    let texts = entries.into_iter().map(|(key, value)| match value {
        Json::Text(text) => Ok((key, text)),
        _ => Err(in_header(format!("the metadata {key:?} isn't a text"))),
    });
    texts.collect()
}

/// A tensor and its place in the data.
fn tensor<'a>(entry: &Json, data: &'a [u8]) -> Option<(Tensor<'a>, (usize, usize))> {
    let numbers = |key| -> Option<Vec<usize>> {
        entry
            .get(key)?
            .as_list()?
            .iter()
            .map(Json::as_number)
            .collect()
    };
    let [first, last] = numbers("data_offsets")?[..] else {
        return None;
    };
    let tensor = Tensor {
        dtype: entry.get("dtype")?.as_text()?.to_owned(),
        shape: numbers("shape")?,
        bytes: data.get(first..last)?,
    };
    Some((tensor, (first, last)))
}

/// A tensor to be written.
pub(super) struct Entry {
    pub name: String,
    /// The name of its dtype in the format.
    pub dtype: &'static str,
    pub shape: Vec<usize>,
    /// The number of its bytes.
    pub length: usize,
}

/// The beginning of a file: all but the bytes of the tensors, which follow in this order.
pub(super) fn header(metadata: &[(&str, String)], tensors: &[Entry]) -> Vec<u8> {
    let texts = metadata.iter();
    let texts = texts.map(|(key, text)| ((*key).to_owned(), Json::text(text)));
    let mut entries = vec![(METADATA.to_owned(), Json::Object(texts.collect()))];
    let mut end = 0;
    for tensor in tensors {
        let place = [end, end + tensor.length].map(Json::number);
        end += tensor.length;
        let shape = tensor.shape.iter().map(|n| Json::number(*n)).collect();
        let entry = Json::object([
            ("dtype", Json::text(tensor.dtype)),
            ("shape", Json::List(shape)),
            ("data_offsets", Json::List(place.to_vec())),
        ]);
        entries.push((tensor.name.clone(), entry));
    }
    let mut text = String::new();
    Json::Object(entries).write(&mut text);
    // The data begins at a multiple of eight bytes, as readers that map the file expect.
    while !text.len().is_multiple_of(8) {
        text.push(' ');
    }
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes
}
