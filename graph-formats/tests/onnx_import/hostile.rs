//! Files that lie: each is an error with its place, and none a panic.

use graph_formats::onnx::proto::{ModelProto, OperatorSetIdProto, StringStringEntryProto};
use graph_formats::onnx::{ErrorKind, Model};
use prost::Message;

use crate::models::*;

fn good() -> ModelProto {
    let mut graph = graph(
        vec![info("x", FLOAT, &[2])],
        vec![
            node("Add", &["x", "w"], &["a"], vec![]),
            node("Concat", &["a", "x"], &["y"], vec![int("axis", 0)]),
        ],
        vec![info("y", FLOAT, &[4])],
    );
    graph.initializer = vec![floats("w", &[2], &[1.0, 2.0])];
    model(graph)
}

/// The message for a changed model.
fn refusal(change: impl FnOnce(&mut ModelProto)) -> String {
    let mut model = good();
    change(&mut model);
    read(&model).expect_err("the model is refused").to_string()
}

fn nodes(model: &mut ModelProto) -> &mut Vec<graph_formats::onnx::proto::NodeProto> {
    &mut model.graph.as_mut().unwrap().node
}

#[test]
fn every_truncated_file_is_refused_or_read() {
    let bytes = good().encode_to_vec();
    assert!(Model::from_bytes(&bytes).is_ok());
    for len in 0..bytes.len() {
        // A cut between two fields leaves a smaller valid message.
        if let Err(error) = Model::from_bytes(&bytes[..len]) {
            assert_ne!(error.kind(), ErrorKind::Run);
        }
    }
}

#[test]
fn structure_that_is_wrong_is_named() {
    let expect = |text: String, part: &str| assert!(text.contains(part), "{text}");
    expect(
        refusal(|m| nodes(m)[0].input[0] = "y".to_owned()),
        "`y` is not defined before",
    );
    expect(
        refusal(|m| nodes(m).swap(0, 1)),
        "`a` is not defined before",
    );
    expect(
        refusal(|m| nodes(m)[1].output[0] = "a".to_owned()),
        "`a` is defined twice",
    );
    expect(
        refusal(|m| nodes(m)[0].op_type = "NoSuchOp".to_owned()),
        "the op `NoSuchOp`",
    );
    expect(
        refusal(|m| nodes(m)[0].domain = "elsewhere".to_owned()),
        "the domain `elsewhere`",
    );
    expect(
        refusal(|m| nodes(m)[0].attribute.push(int("alpha", 1))),
        "the attribute `alpha`",
    );
    expect(
        refusal(|m| nodes(m)[1].attribute[0] = ints("axis", &[0])),
        "must be given as int",
    );
    expect(
        refusal(|m| nodes(m)[1].attribute[0] = int("axis", i64::MIN)),
        "axis",
    );
    expect(
        refusal(|m| m.opset_import[0].version = 9999),
        "version 9999",
    );
    expect(refusal(|m| m.ir_version = 99), "version 99");
    expect(refusal(|m| m.graph = None), "no graph");
}

#[test]
fn a_tensor_must_have_the_data_of_its_shape() {
    let tensor =
        |dims: &[i64]| refusal(|m| m.graph.as_mut().unwrap().initializer[0].dims = dims.to_vec());
    assert!(tensor(&[-1]).contains("initializer `w`"));
    assert!(tensor(&[1 << 62]).contains("has 2 values"));
    assert!(tensor(&[1 << 40, 1 << 40]).contains("a tensor of shape"));
    assert!(tensor(&[1; 5000]).contains("rank 5000"));
}

#[test]
fn external_data_stays_in_the_folder() {
    let folder = std::env::temp_dir().join(format!("onnx-external-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    let bytes: Vec<u8> = [3f32, 4.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    std::fs::write(folder.join("outside.bin"), &bytes).unwrap();
    std::fs::write(folder.join("inner/inside.bin"), &bytes).unwrap();
    let load = |location: &str| {
        let mut model = good();
        let tensor = &mut model.graph.as_mut().unwrap().initializer[0];
        tensor.float_data.clear();
        tensor.data_location = Some(1);
        tensor.external_data = vec![StringStringEntryProto {
            key: "location".to_owned(),
            value: location.to_owned(),
        }];
        let path = folder.join("inner/model.onnx");
        std::fs::write(&path, model.encode_to_vec()).unwrap();
        Model::load(&path)
    };
    assert!(load("inside.bin").is_ok());
    for outside in [
        "../outside.bin",
        "./../outside.bin",
        "/etc/hostname",
        "",
        ".",
        "missing.bin",
    ] {
        assert_eq!(
            load(outside).unwrap_err().kind(),
            ErrorKind::Invalid,
            "{outside}"
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_function_that_calls_itself_is_refused() {
    let text = refusal(|m| {
        m.opset_import.push(OperatorSetIdProto {
            domain: "local".to_owned(),
            version: 1,
        });
        let mut call = node("f", &["a"], &["b"], vec![]);
        call.domain = "local".to_owned();
        m.functions = vec![graph_formats::onnx::proto::FunctionProto {
            name: "f".to_owned(),
            domain: "local".to_owned(),
            input: vec!["a".to_owned()],
            output: vec!["b".to_owned()],
            node: vec![call],
            opset_import: vec![OperatorSetIdProto {
                domain: "local".to_owned(),
                version: 1,
            }],
            ..Default::default()
        }];
    });
    assert!(text.contains("`f` calls itself"), "{text}");
}

/// Calls nested as deeply as they may be are read on the small stack of a test's thread; deeper ones are refused.
#[test]
fn calls_nest_to_a_limit() {
    let chain = |depth: usize| {
        let mut model = good();
        let local = || OperatorSetIdProto {
            domain: "local".to_owned(),
            version: 1,
        };
        model.opset_import.push(local());
        let call = |n: usize, from: &str, to: &str| {
            let mut call = node(&format!("f{n}"), &[from], &[to], vec![]);
            call.domain = "local".to_owned();
            call
        };
        model.functions = (0..depth)
            .map(|n| {
                let last = n + 1 == depth;
                let body = if last {
                    node("Relu", &["a"], &["b"], vec![])
                } else {
                    call(n + 1, "a", "b")
                };
                graph_formats::onnx::proto::FunctionProto {
                    name: format!("f{n}"),
                    domain: "local".to_owned(),
                    input: vec!["a".to_owned()],
                    output: vec!["b".to_owned()],
                    node: vec![body],
                    opset_import: vec![
                        local(),
                        OperatorSetIdProto {
                            domain: String::new(),
                            version: 18,
                        },
                    ],
                    ..Default::default()
                }
            })
            .collect();
        nodes(&mut model)[0] = call(0, "x", "a");
        read(&model)
    };
    assert!(chain(90).is_ok());
    assert!(
        chain(200)
            .unwrap_err()
            .to_string()
            .contains("nested more than")
    );
}
