//! Arrays as summaries: what TensorBoard's plugins for scalars, histograms, images and text read.

use std::io;

use graph_ir::graph::{Summary, SummaryKind, TensorType};
use graph_kernels::{Array, DType, cast};

use super::histogram::buckets;
use super::proto::summary_metadata::PluginData;
use super::proto::tensor_shape_proto::Dim;
use super::proto::{DataClass, DataType, SummaryMetadata, TensorProto, TensorShapeProto, summary};

/// How many of the images of a summary are kept, as in TensorFlow.
const IMAGES: usize = 3;

/// An array as a value under a tag.
///
/// # Errors
/// If the array isn't of the kind: a scalar with axes, images of no image's shape.
pub fn summary_value(of: &Summary, array: &Array) -> io::Result<summary::Value> {
    of.kind
        .check(&TensorType::of_array(array))
        .map_err(refused)?;
    let (plugin, class, tensor) = match of.kind {
        SummaryKind::Scalar => ("scalars", DataClass::Scalar, scalar(array)?),
        SummaryKind::Histogram => ("histograms", DataClass::Tensor, histogram(array)?),
        SummaryKind::Image => ("images", DataClass::BlobSequence, images(array)?),
        SummaryKind::Text => ("text", DataClass::Tensor, text(array)),
    };
    Ok(value(&of.tag, plugin, Vec::new(), class, Some(tensor)))
}

/// A value for a plugin.
pub(super) fn value(
    tag: &str,
    plugin: &str,
    content: Vec<u8>,
    class: DataClass,
    tensor: Option<TensorProto>,
) -> summary::Value {
    summary::Value {
        tag: tag.to_owned(),
        tensor,
        metadata: Some(SummaryMetadata {
            plugin_data: Some(PluginData {
                plugin_name: plugin.to_owned(),
                content,
            }),
            data_class: class.into(),
        }),
    }
}

fn refused(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, problem.into())
}

/// The array with another dtype.
fn converted(array: &Array, dtype: DType) -> io::Result<Array> {
    let mut out = Array::default();
    cast(array, dtype, &mut out).map_err(|error| refused(error.to_string()))?;
    Ok(out)
}

pub(super) fn shape(sizes: &[usize]) -> TensorShapeProto {
    let dim = |size: &usize| Dim { size: *size as i64 };
    TensorShapeProto {
        dim: sizes.iter().map(dim).collect(),
        unknown_rank: false,
    }
}

fn scalar(array: &Array) -> io::Result<TensorProto> {
    let array = converted(array, DType::F32)?;
    Ok(TensorProto {
        dtype: DataType::DtFloat.into(),
        tensor_shape: Some(shape(&[])),
        float_val: array.values::<f32>().unwrap_or_default().to_vec(),
        ..TensorProto::default()
    })
}

fn histogram(array: &Array) -> io::Result<TensorProto> {
    let array = converted(array, DType::F64)?;
    let buckets = buckets(array.values::<f64>().unwrap_or_default());
    let numbers = buckets.iter().flatten();
    Ok(TensorProto {
        dtype: DataType::DtDouble.into(),
        tensor_shape: Some(shape(&[buckets.len(), 3])),
        tensor_content: numbers.flat_map(|n| n.to_le_bytes()).collect(),
        ..TensorProto::default()
    })
}

fn strings(sizes: &[usize], strings: Vec<Vec<u8>>) -> TensorProto {
    TensorProto {
        dtype: DataType::DtString.into(),
        tensor_shape: Some(shape(sizes)),
        string_val: strings,
        ..TensorProto::default()
    }
}

fn text(array: &Array) -> TensorProto {
    let values = array.values::<String>().unwrap_or_default();
    let bytes = values.iter().map(|text| text.clone().into_bytes());
    strings(array.shape(), bytes.collect())
}

/// The width and the height as text, and the images as PNG files.
fn images(array: &Array) -> io::Result<TensorProto> {
    let [_, height, width, channels] = *array.shape() else {
        return Err(refused("images have four axes"));
    };
    let color = match channels {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        4 => png::ColorType::Rgba,
        _ => {
            return Err(refused(format!(
                "images have 1 to 4 channels, not {channels}"
            )));
        }
    };
    let pixels = pixels(array)?;
    let mut parts = vec![
        width.to_string().into_bytes(),
        height.to_string().into_bytes(),
    ];
    let sizes = [height, width, channels].into_iter();
    let size = sizes.fold(1, usize::saturating_mul).max(1);
    for image in pixels.chunks_exact(size).take(IMAGES) {
        let sizes = [width, height].map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        parts.push(encoded(image, sizes, color)?);
    }
    Ok(strings(&[parts.len()], parts))
}

fn encoded(image: &[u8], [width, height]: [u32; 2], color: png::ColorType) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(image)?;
    writer.finish()?;
    Ok(file)
}

/// Bytes as they are; floats from 0 to 1 as TensorFlow converts them.
fn pixels(array: &Array) -> io::Result<Vec<u8>> {
    if let Some(bytes) = array.values::<u8>() {
        return Ok(bytes.to_vec());
    }
    let array = converted(array, DType::F32)?;
    let floats = array.values::<f32>().unwrap_or_default();
    // The conversion saturates, and makes 0 of NaN.
    Ok(floats.iter().map(|v| (v * 255.5) as u8).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(kind: SummaryKind, array: &Array) -> io::Result<TensorProto> {
        let of = Summary {
            kind,
            tag: "a/b".to_owned(),
        };
        let value = summary_value(&of, array)?;
        assert_eq!(value.tag, "a/b");
        Ok(value.tensor.expect("a summary has a tensor"))
    }

    #[test]
    fn scalars_of_every_dtype_are_floats() {
        for array in [
            Array::scalar(3i64),
            Array::scalar(3.0f64),
            Array::scalar(3u8),
        ] {
            let tensor = made(SummaryKind::Scalar, &array).unwrap();
            assert_eq!(tensor.float_val, [3.0]);
            assert_eq!(tensor.tensor_shape, Some(TensorShapeProto::default()));
        }
        let tensor = made(SummaryKind::Scalar, &Array::scalar(true)).unwrap();
        assert_eq!(tensor.float_val, [1.0]);
    }

    #[test]
    fn what_is_of_another_kind_is_refused() {
        let message = |kind, array| made(kind, &array).unwrap_err().to_string();
        assert_eq!(
            message(SummaryKind::Scalar, Array::new(&[1], vec![1.0f32])),
            "summary_scalar takes a number or truth value without axes, not float32[1]"
        );
        assert_eq!(
            message(SummaryKind::Image, Array::new(&[1, 1, 1, 5], vec![0u8; 5])),
            "images have 1 to 4 channels, not 5"
        );
    }

    #[test]
    fn images_are_png_files() {
        let shades = vec![0.0f32, 0.5, 1.0, 2.0, -1.0, f32::NAN];
        let tensor = made(SummaryKind::Image, &Array::new(&[1, 2, 3, 1], shades)).unwrap();
        let [width, height, file] = &tensor.string_val[..] else {
            panic!("{} parts", tensor.string_val.len())
        };
        assert_eq!((&width[..], &height[..]), (&b"3"[..], &b"2"[..]));
        let mut reader = png::Decoder::new(io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut read = [9; 6];
        reader.next_frame(&mut read).unwrap();
        // `tf.image.convert_image_dtype(…, tf.uint8, saturate=True)` multiplies by 255.5 and cuts.
        assert_eq!(read, [0, 127, 255, 255, 0, 0]);
        let many = made(
            SummaryKind::Image,
            &Array::new(&[5, 1, 1, 3], vec![7u8; 15]),
        )
        .unwrap();
        assert_eq!(many.string_val.len(), 2 + IMAGES);
    }

    #[test]
    fn text_keeps_its_shape() {
        let array = Array::new(&[2], vec!["# a".to_owned(), "b".to_owned()]);
        let tensor = made(SummaryKind::Text, &array).unwrap();
        assert_eq!(tensor.tensor_shape, Some(shape(&[2])));
        assert_eq!(tensor.string_val, [b"# a".to_vec(), b"b".to_vec()]);
    }
}
