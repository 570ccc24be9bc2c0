//! Contents to write.

use std::sync::Arc;

use graph_formats::file::{Contents, Held, StoredVariable};
use graph_ir::function::{Function, Parameter};
use graph_ir::graph::library;
use graph_ir::types::TypeSpec;
use graph_kernels::{Array, DType};

/// The functions of a text, each under its own name with all inputs as parameters.
pub fn functions(text: &str, constants: &[Arc<Array>]) -> Vec<Function> {
    let graphs = library::read(text, constants).unwrap();
    let mut names: Vec<&String> = graphs.keys().collect();
    names.sort();
    names
        .into_iter()
        .map(|name| Function::of_graph(name.as_str(), graphs[name].clone()))
        .collect()
}

/// Two functions that share a variable, call the same graph, and use a large constant each, of equal values.
pub fn counters() -> Contents {
    let table = || Arc::new(Array::new(&[70], (0..70).collect::<Vec<i32>>()));
    let text = r#"
        fn twice(x: int32[?]) -> int32[?] {
            @"src/main.rs":3:5 y = add(x, x) : int32[?]
            return y
        }
        fn first(x: int32[?]) with (n: int32[], w: float32[?]) -> int32[?] {
            one = constant 1 : int32[]
            update_variable n (one) {
                body (n: int32[], d: int32[]) { m = add(n, d) : int32[] return m }
            }
            table = constant #0 : int32[70]
            s = reduce_sum(table) {axes = [0], keep_dims = false} : int32[]
            y = call twice(x) : int32[?]
            z = add(y, s) : int32[?]
            return z
        }
        fn second() with (n: int32[]) -> (int32[], int32[70]) {
            table = constant #1 : int32[70]
            m = read_variable n : int32[]
            return m, table
        }
    "#;
    let all = functions(text, &[table(), table()]);
    let held = |function: &Function, variables: &[usize]| Held {
        name: function.name.to_string(),
        function: function.clone(),
        variables: variables.to_vec(),
    };
    let variable = |name: &str, value: Array| StoredVariable {
        name: name.to_owned(),
        value: Arc::new(value),
    };
    Contents {
        functions: vec![held(&all[0], &[1, 0]), held(&all[1], &[1])],
        variables: vec![
            variable("layers.0.w", Array::new(&[3], vec![1.5f32, f32::NAN, -0.0])),
            variable("n", Array::scalar(7i32)),
        ],
    }
}

/// A function whose parameters and results have every kind of structure.
pub fn structures() -> Contents {
    let text = r#"
        fn f(a: float64[2,?], b: bool[], c: string[*], d: uint8[]) with (v: float16[2]) -> (bool[], uint8[], string[*]) {
            return b, d, c
        }
    "#;
    let mut function = functions(text, &[]).remove(0);
    let spec = |i: usize| TypeSpec::OfTensor(function.graph.ty(function.graph.inputs[i]).clone());
    let variable = TypeSpec::OfVariable {
        ty: function.graph.variables[0].ty.clone(),
        index: 0,
    };
    let output =
        |i: usize| TypeSpec::OfTensor(function.graph.ty(function.graph.outputs[i]).clone());
    let parameters = vec![
        Parameter::new(
            "model",
            TypeSpec::structure(
                "Model",
                [
                    ("first", spec(0)),
                    ("v", variable.clone()),
                    ("again", variable),
                ],
            ),
        ),
        Parameter::new(
            "flag",
            TypeSpec::Tuple(vec![spec(1), TypeSpec::Literal("\"same\"".to_owned())]),
        ),
        Parameter::new(
            "lists ü\"",
            TypeSpec::List(vec![
                spec(2),
                TypeSpec::Alias(2),
                TypeSpec::None,
                TypeSpec::Opaque,
            ]),
        ),
        Parameter::new("map", TypeSpec::Dict(vec![("\"key\"".to_owned(), spec(3))])),
        Parameter::new("nothing", TypeSpec::Tuple(vec![])),
    ];
    let fields = [
        ("x", output(0)),
        ("y", TypeSpec::List(vec![output(1), output(2)])),
    ];
    function.results = TypeSpec::structure("Out", fields);
    function.parameters = parameters;
    Contents {
        functions: vec![Held {
            name: "other name".to_owned(),
            function,
            variables: vec![],
        }],
        variables: vec![],
    }
}

/// A variable of each dtype, with strings among them.
pub fn dtypes() -> Contents {
    let mut text = "fn f() with (".to_owned();
    let mut variables = Vec::new();
    for (i, dtype) in DType::ALL.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        text += &format!("{comma}v{i}: {dtype}[2,?]");
        let value = match dtype {
            DType::Str => Array::new(
                &[2, 2],
                ["", "a", "\u{1f980}\n", "\""].map(str::to_owned).to_vec(),
            ),
            dtype => Array::zeros(*dtype, &[2, 3]),
        };
        variables.push(StoredVariable {
            name: format!("v{i}"),
            value: Arc::new(value),
        });
    }
    text += ") -> () { return }";
    let function = functions(&text, &[]).remove(0);
    let all = (0..variables.len()).collect();
    Contents {
        functions: vec![Held {
            name: "f".to_owned(),
            function,
            variables: all,
        }],
        variables,
    }
}
