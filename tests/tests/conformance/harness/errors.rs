//! Errors of TensorFlow and ours: which texts have the same meaning.

/// A part of TensorFlow's sentence, and the words that our error must contain.
const SAME: &[(&str, &[&str])] = &[
    ("Integer division by zero", &["Integer division by zero"]),
    (
        "Integers to negative integer powers are not allowed",
        &["Integers to negative integer powers are not allowed"],
    ),
    (
        "Trying to modify element 2 in a list with 2 elements",
        &["Trying to modify element 2 in a list with 2 elements"],
    ),
    (
        "Trying to modify element -1 in a list with 2 elements",
        &["Trying to modify element -1 in a list with 2 elements"],
    ),
    (
        "Tried to write to index 2 but array is not resizeable and size is: 2",
        &["Trying to modify element 2 in a list with 2 elements"],
    ),
    (
        "Writing to negative indices (index -1) is not allowed",
        &["Trying to modify element -1 in a list"],
    ),
    (
        "indices[1] = 3 is not in [0, 3)",
        &["indices[1] = 3 is not in [0, 3)"],
    ),
    (
        "indices[0] = -1 is not in [0, 3)",
        &["indices[0] = -1 is not in [0, 3)"],
    ),
    (
        "slice index 3 of dimension 0 out of bounds",
        &["slice index 3 of dimension 0 out of bounds"],
    ),
    // Our error names the index that was written, TensorFlow's the index after counting from the end.
    (
        "slice index -1 of dimension 0 out of bounds",
        &["slice index -4 of dimension 0 out of bounds"],
    ),
    (
        "are 3 and 4 for '{{node add}}",
        &["add", "[2,3]", "[4]", "are 3 and 4"],
    ),
    (
        "are 3 and 2 for '{{node add}}",
        &["add", "[2,3]", "[2]", "are 3 and 2"],
    ),
    (
        "Incompatible shapes: [2,3] vs. [4]",
        &["add", "[2,3]", "[4]"],
    ),
    (
        "Incompatible shapes: [2,3] vs. [2]",
        &["add", "[2,3]", "[2]"],
    ),
    ("assertion failed: [neg]", &["assertion failed: neg"]),
    (
        "assertion failed: [not positive]",
        &["assertion failed: not positive"],
    ),
    ("assertion failed: [large]", &["assertion failed: large"]),
    (
        "slice index 7 of dimension 0 out of bounds",
        &["slice index 7 of dimension 0 out of bounds"],
    ),
    (
        "slice index 3 of dimension 1 out of bounds",
        &["slice index 3 of dimension 1 out of bounds"],
    ),
    (
        "condition of if statement expected to be `tf.bool` scalar",
        &["condition must be a scalar"],
    ),
    (
        "Cannot reshape a tensor with 0 elements to shape []",
        &["condition must be a scalar"],
    ),
    (
        "'y' is None at the end of the main branch",
        &["must have the same structure", "None", "in the main branch"],
    ),
    (
        "'s' is None at the end of the iteration",
        &["'s'", "None after one iteration"],
    ),
    (
        "'v' has shape (1,) before the loop, but shape (2,) after one iteration",
        &["'v' has shape [1] before the loop, but shape [2] after one iteration"],
    ),
    (
        "'s' has shape () before the loop, but shape (2,) after one iteration",
        &["'s' has shape [] before the loop, but shape [2] after one iteration"],
    ),
    (
        "loop must iterate at least once",
        &["the loop must iterate at least once"],
    ),
    ("is out of scope and cannot be used here", &["out of scope"]),
    (
        "'SymbolicTensor' object has no attribute 'numpy'",
        &["no value while its graph function is traced"],
    ),
    (
        "assertion failed: [Condition x < y did not hold element-wise:]",
        &["assertion failed: Condition x < y did not hold element-wise"],
    ),
    ("Requires delta != 0", &["Requires delta != 0"]),
    ("indices = -1 is not in [0, 3)", &["-1 is not in [0, 3)"]),
    (
        "indices[0] = 1 is not in [0, 1)",
        &["indices[0] = 1 is not in [0, 1)"],
    ),
    (
        "Dimensions must be equal, but are 2 and 4",
        &["add", "[2,3]", "[4,2]", "are 2 and 4"],
    ),
    (
        "Dimensions must be equal, but are 3 and 4",
        &["matmul", "[2,3]", "[4,2]", "are 3 and 4"],
    ),
    (
        "Dimensions must be equal, but are 100 and 1",
        &["matmul", "[100,100]", "[1,100]", "are 100 and 1"],
    ),
    (
        "Incompatible shapes: [2,3] vs. [4,2]",
        &["add", "[2,3]", "[4,2]"],
    ),
    (
        "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,2]",
        &["matmul", "[2,3]", "[4,2]"],
    ),
    (
        "Matrix size-incompatible: In[0]: [100,100], In[1]: [1,100]",
        &["matmul", "[100,100]", "[1,100]"],
    ),
    (
        "Dimension 0 in both shapes must be equal, but are 3 and 2",
        &["concat", "[2,3]", "[4,2]"],
    ),
    (
        "ConcatOp : Dimension 1 in both shapes must be equal",
        &["concat", "[2,3]", "[4,2]"],
    ),
    (
        "Dimension 0 in both shapes must be equal, but are 2 and 4",
        &["stack", "[2,3]", "[4,2]"],
    ),
    (
        "Shapes of all inputs must match",
        &["stack", "[2,3]", "[4,2]"],
    ),
    (
        "Cannot reshape a tensor with 6 elements to shape [4,2]",
        &["reshape", "6 elements", "[4,2]"],
    ),
    (
        "Input to reshape is a tensor with 6 values",
        &["reshape", "6 elements", "8 elements"],
    ),
    (
        "Can not cast TensorSpec(shape=(2, 2), dtype=tf.int32, name=None) to TensorSpec(shape=(None,), dtype=tf.int32, name=None)",
        &[
            "Can not cast TensorSpec(shape=(2, 2), dtype=tf.int32, name=None) to TensorSpec(shape=(None,), dtype=tf.int32, name=None)",
        ],
    ),
    (
        "Can not cast TensorSpec(shape=(), dtype=tf.int32, name=None) to TensorSpec(shape=(None,), dtype=tf.int32, name=None)",
        &[
            "Can not cast TensorSpec(shape=(), dtype=tf.int32, name=None) to TensorSpec(shape=(None,), dtype=tf.int32, name=None)",
        ],
    ),
    (
        "Can not cast 3 to Literal[2]",
        &["Can not cast 3 to Literal[2]"],
    ),
    // TensorFlow checks dtypes before the run and sizes in the run.
    (
        "was expected to be a string tensor but is a int32 tensor",
        &[
            "Can not cast TensorSpec(shape=(), dtype=tf.int32, name=None) to TensorSpec(shape=(), dtype=tf.string, name=None)",
        ],
    ),
    (
        "Matrix size-incompatible: In[0]: [1,2], In[1]: [3,1]",
        &[
            "Can not cast TensorSpec(shape=(3,), dtype=tf.float32, name=None) to TensorSpec(shape=(2,), dtype=tf.float32, name=None)",
        ],
    ),
];

/// Why our error doesn't mean the same as TensorFlow's, or `None` if it does.
pub fn disagree(ours: &str, core: &str) -> Option<String> {
    let Some((_, words)) = SAME.iter().find(|(theirs, _)| core.contains(theirs)) else {
        return Some(format!(
            "no words are known for TensorFlow's error\n      theirs: {core}\n      ours:   {ours}"
        ));
    };
    let missing: Vec<_> = words.iter().filter(|word| !ours.contains(**word)).collect();
    (!missing.is_empty())
        .then(|| format!("the error lacks {missing:?}\n      theirs: {core}\n      ours:   {ours}"))
}
