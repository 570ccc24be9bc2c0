// Wanted: a union as an argument.
use graph_runtime::TraceType;

#[derive(TraceType)]
union Number {
    int: i32,
    float: f32,
}

fn main() {}
