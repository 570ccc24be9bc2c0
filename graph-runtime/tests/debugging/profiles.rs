//! Profiles, and the traces that are made of them.

use graph_runtime::debug;
use graph_runtime::prelude::*;

use crate::halvings;

#[graph_fn]
fn doubled_n_times(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut x = x;
    for _ in 0..n {
        x = x.cumsum(0);
    }
    x
}

#[test]
fn a_profile_counts_calls_and_bytes_of_instructions() {
    let x = tensor([1.0f32; 100]);
    let (_, profile) = debug::profile(|| {
        doubled_n_times(x.clone(), tensor(3));
        doubled_n_times(x.clone(), tensor(4));
        halvings(tensor(2.0f32))
    });
    let names: Vec<(&str, u64)> = profile
        .functions()
        .iter()
        .map(|f| (f.name.as_str(), f.runs))
        .collect();
    assert_eq!(names, [("doubled_n_times", 2), ("halvings", 1)]);
    let rows = &profile.functions()[0].rows;
    let sums = rows
        .iter()
        .find(|row| row.name == "cumsum")
        .expect("the loop sums");
    // Seven iterations read and write a hundred floats. They would also read the axis if it were an operand.
    assert_eq!((sums.calls, sums.bytes), (7, 7 * 2 * 100 * 4));
    assert!(profile.time() >= sums.time && sums.time.as_nanos() > 0);
    let table = profile.to_string();
    assert!(
        table.starts_with(
            "doubled_n_times, runs: 2\n    calls         time      %        bytes  instruction\n"
        ),
        "{table}"
    );
    let line = table.lines().find(|line| line.contains("cumsum")).unwrap();
    assert!(
        line.trim_start().starts_with('7') && line.contains(" 5600  s"),
        "{line}"
    );

    let (_, after) = debug::profile(|| ());
    assert!(after.functions().is_empty(), "a profile begins afresh");
}

#[test]
fn a_chrome_trace_has_an_event_for_each_execution() {
    let (_, profile) = debug::profile(|| doubled_n_times(tensor([1.0f32; 100]), tensor(5)));
    let mut bytes = Vec::new();
    profile.write_chrome_trace(&mut bytes).unwrap();
    let trace: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let sums: Vec<_> = events
        .iter()
        .filter(|event| event["name"] == "cumsum")
        .collect();
    assert_eq!(sums.len(), 5);
    for pair in events.windows(2) {
        let end = pair[0]["ts"].as_f64().unwrap() + pair[0]["dur"].as_f64().unwrap();
        assert!(
            end <= pair[1]["ts"].as_f64().unwrap() + 1e-3,
            "instructions run one after the other"
        );
    }
    assert_eq!(sums[0]["ph"], "X");
    assert_eq!(sums[0]["cat"], "doubled_n_times");
    assert_eq!(sums[0]["args"]["bytes"], 800);
    assert!(
        sums[0]["args"]["line"]
            .as_str()
            .unwrap()
            .starts_with(file!())
    );
}
