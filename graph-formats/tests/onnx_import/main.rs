//! Models that are built message by message are read and run. Expected values are closed formulas.

mod control;
mod hostile;
mod models;
mod values;
