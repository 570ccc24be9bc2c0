//! Products with constants as right operands: these are packed once, and the results are those of operands that vary.

use graph_kernels::Array;

use super::testing::{plan, run_lines};

/// A convolution with a bias behind it, a product with a matrix that is read across, and products with another one in a loop. `weights` are
/// the declarations of the filters and matrices.
fn network(parameters: &str, weights: &str) -> String {
    format!(
        "graph (x: float32[1,3,2,2], b: float32[5]{parameters}) -> float32[6,5] {{
          {weights}
          c = conv2d(x, f) {{strides = [1, 1], dilations = [1, 1], padding = \"SAME\", pads = [0, 0, 0, 0]}} : float32[1,3,2,5]
          y = fusion (c, b) : float32[1,3,2,5] {{
            body (c: float32[1,3,2,5], b: float32[5]) {{
              s = add(c, b) : float32[1,3,2,5]
              r = relu(s) : float32[1,3,2,5]
              return r
            }}
          }}
          z = reshape(y) {{shape = [6, 5]}} : float32[6,5]
          p = matmul(z, v) {{transpose_a = false, transpose_b = true}} : float32[6,5]
          zero = constant 0 : int32[]
          i, q = while_loop (zero, p; w) : int32[], float32[6,5] {{
            cond (i: int32[], p: float32[6,5], w: float32[5,5]) {{
              three = constant 3 : int32[]
              more = less(i, three) : bool[]
              return more
            }}
            body (i: int32[], p: float32[6,5], w: float32[5,5]) {{
              one = constant 1 : int32[]
              j = add(i, one) : int32[]
              q = matmul(p, w) {{transpose_a = false, transpose_b = false}} : float32[6,5]
              return j, q
            }}
          }}
          return q
        }}"
    )
}

/// Values whose products are rounded.
fn values(count: usize) -> Vec<f32> {
    (0..count).map(|n| 1.0 / (n % 7 + 3) as f32 - 0.2).collect()
}

const WEIGHTS: [(&str, &[usize]); 3] = [("f", &[2, 2, 2, 5]), ("v", &[5, 5]), ("w", &[5, 5])];

#[test]
fn constants_of_products_are_packed_once() {
    let sized = |shape: &[usize]| (values(shape.iter().product()), shape.to_vec());
    let (mut parameters, mut constants) = (String::new(), String::new());
    for (name, shape) in WEIGHTS {
        let (values, shape) = sized(shape);
        let ty = format!("float32{shape:?}").replace(' ', "");
        parameters += &format!(", {name}: {ty}");
        constants += &format!("{name} = constant {values:?} : {ty}\n");
    }
    let array = |shape: &[usize]| Array::new(shape, values(shape.iter().product()));
    let (x, b) = (array(&[1, 3, 2, 2]), array(&[5]));
    let weights = WEIGHTS.map(|(_, shape)| array(shape));

    let varying = plan(&network(&parameters, ""));
    let mut inputs = vec![x.clone(), b.clone()];
    inputs.extend(weights);
    let expected = run_lines(&varying, inputs).unwrap().0;
    assert_eq!(varying.packed_bytes(), 0);

    let fixed = plan(&network("", &constants));
    assert_eq!(fixed.packed_bytes(), 0);
    let mut bytes = Vec::new();
    for _ in 0..2 {
        let outputs = run_lines(&fixed, vec![x.clone(), b.clone()]).unwrap().0;
        assert_eq!(outputs, expected, "{fixed}");
        bytes.push(fixed.packed_bytes());
    }
    // Five columns are packed as at least five.
    let least = 4 * (8 * 5 + 5 * 5 + 5 * 5);
    assert!(bytes[0] >= least && bytes[1] == bytes[0], "{bytes:?}");
}
