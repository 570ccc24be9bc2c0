//! Models that are built message by message are read and run. Expected values are closed formulas.

mod bombs;
mod composed;
mod control;
mod hostile;
mod meaning;
mod models;
mod recurrent;
mod values;
