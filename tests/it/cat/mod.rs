//! The language of models, and models.

mod agreement;
mod base_names;
mod corner_cases;
mod format;
mod kernel_models;
mod library;
mod model_cases;
mod models;
mod models_at_hand;
