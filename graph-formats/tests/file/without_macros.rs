//! What a file holds runs with this crate and `graph-ir` alone: from bytes, without the macros, the source, or a file system.

use std::io;

use graph_formats::file::{Contents, read};
use graph_ir::device::{Device, Host, Outputs, Place, Storage};
use graph_ir::executable::Executable;
use graph_ir::print::PrintTo;
use graph_kernels::Array;

/// The variables of a function.
struct Variables(Vec<Place>);

impl Host for Variables {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [0, 0]
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.0.get(position as usize)
    }
}

/// The results of a function of a file for one array.
fn run(contents: &Contents, name: &str, x: Array) -> Vec<f32> {
    let held = contents.functions.iter().find(|held| held.name == name);
    let held = held.unwrap();
    let graph = &held.function.graph;
    let types = graph.variables.iter().map(|variable| variable.ty.clone());
    let places = held.variables.iter().zip(types).map(|(at, ty)| {
        let variable = &contents.variables[*at];
        Place::new(variable.name.as_str(), ty, variable.value.clone()).unwrap()
    });
    let mut outputs = Outputs::new();
    Executable::new(graph.clone())
        .run_into(
            Device::cpu(),
            &[&Storage::from(x)],
            &mut Variables(places.collect()),
            &mut outputs,
        )
        .unwrap();
    let array = outputs[0].to_host().unwrap();
    array.values::<f32>().unwrap().to_vec()
}

#[test]
fn a_function_with_variables_runs_from_bytes() {
    // 2x + 1
    let contents = read(include_bytes!("../files/v1/line.graph")).unwrap();
    let x = Array::new(&[2], vec![1.0f32, 3.0]);
    assert_eq!(run(&contents, "at", x), [3.0, 7.0]);
}
