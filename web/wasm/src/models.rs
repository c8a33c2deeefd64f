//! Models that come as texts.

use super::asked::AskedModel;
use hmc::cat::LoadRequest;
use hmc::cat::library::Found;
use hmc::driver::inputs::models::Models;
use hmc::shelf::Shelf;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Models that are kept loaded.
const KEPT: usize = 8;

/// Loaded models, the latest last.
#[derive(Default)]
pub struct Kept(Vec<(AskedModel, Arc<Models>)>);

impl Kept {
    /// A model, loaded as often as it changes.
    pub fn get(&mut self, asked: &AskedModel) -> Arc<Models> {
        if let Some(at) = self.0.iter().position(|(own, _)| own == asked) {
            let known = self.0.remove(at);
            let models = known.1.clone();
            self.0.push(known);
            return models;
        }
        let models = Arc::new(Models::new(request(asked), Vec::new(), false));
        self.0.push((asked.clone(), models.clone()));
        if self.0.len() > KEPT {
            self.0.remove(0);
        }
        models
    }
}

/// What loads a model whose files are these texts: no other file of its name counts.
pub fn request(asked: &AskedModel) -> LoadRequest {
    let beside = |extension: &str, text: &Option<String>| {
        let name = Path::new(&asked.name).with_extension(extension).display().to_string();
        text.clone().map(|text| Found { name, path: None, text })
    };
    let root = Found { name: asked.name.clone(), path: None, text: asked.cat.clone() };
    let mut kept = BTreeMap::new();
    let mut put =
        |key: String, found: serde_json::Result<serde_json::Value>| kept.insert(key, found.unwrap_or_default());
    put(format!("cat {}", asked.name), serde_json::to_value(&root));
    put(format!("beside {} bell", asked.name), serde_json::to_value(beside("bell", &asked.bell)));
    put(format!("beside {} def", asked.name), serde_json::to_value(beside("def", &asked.def)));
    let mut request = LoadRequest::named(asked.name.clone());
    request.shelf = Some(Arc::new(Shelf::closed(kept)));
    request
}
