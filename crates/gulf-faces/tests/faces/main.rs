//! Pages of models that hold everything, among it what a worker could try.

mod attacks;
mod change;
mod live;
mod pages;
