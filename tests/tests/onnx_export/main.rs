//! Functions and ops as models of ONNX. The models' structure is checked here; with `ONNX_CASES` set to a folder, the tests write files of
//! models with operands and results there, which `scripts/onnx_check.py` gives to ONNX's checker and to onnxruntime.

mod cases;
mod layers;
mod programs;
mod table;

// The operands of the oracle's cases: every op with every dtype and unusual shapes.
#[allow(dead_code, reason = "the oracle's test uses all of it")]
#[path = "../oracle/bits.rs"]
mod bits;
#[allow(dead_code, reason = "the oracle's test uses all of it")]
#[path = "../oracle/draw.rs"]
mod draw;
#[allow(dead_code, reason = "the oracle's test uses all of it")]
#[path = "../oracle/record.rs"]
mod record;
