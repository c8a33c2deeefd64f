//! What can be asked.

use serde::Deserialize;

/// A question.
#[derive(Deserialize, Debug)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
pub enum Asked {
    /// Which models and architectures there are.
    About,
    /// The base names that tests of an architecture know.
    Names {
        #[serde(default)]
        arch: Option<String>,
    },
    /// What is wrong with a model, and what it defines.
    Model {
        model: AskedModel,
        #[serde(default)]
        arch: Option<String>,
    },
    /// What is wrong with a test, whose instructions the macros of a model may be.
    Test {
        test: AskedTest,
        #[serde(default)]
        def: Option<String>,
    },
    /// What a model says of a test; with `most`, candidate executions as well.
    Run {
        model: AskedModel,
        test: AskedTest,
        /// Seconds that the check may take.
        seconds: f64,
        #[serde(default)]
        most: usize,
    },
    /// One of the executions that the last run with candidates listed.
    Execution { index: usize },
    /// Why a relation has an edge in it.
    Derivation { index: usize, relation: String, from: usize, to: usize },
    /// A model with uniform spacing.
    Format { text: String },
}

/// A model as texts.
#[derive(Deserialize, Debug, Clone, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct AskedModel {
    /// What it is called: `NAME.cat`.
    pub name: String,
    /// The model.
    pub cat: String,
    /// Its bell file.
    #[serde(default)]
    pub bell: Option<String>,
    /// Its macro file.
    #[serde(default)]
    pub def: Option<String>,
}

/// A litmus test.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub struct AskedTest {
    pub name: String,
    pub text: String,
}
