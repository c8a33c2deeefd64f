//! Validates JSON against a JSON schema (draft 7), as far as the SARIF schema uses it. A keyword that is not known here is an error, so nothing is
//! passed over in silence. `format` and `pattern` are looked at only for the formats below.

use serde_json::Value;

/// Keywords that say nothing about validity.
const IGNORED: &[&str] = &["$schema", "$id", "title", "description", "default", "definitions"];

/// What is wrong with a document, one sentence each.
pub fn errors(schema: &Value, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, document, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        if schema == &Value::Bool(false) {
            found.push(format!("{at}: nothing may be here"));
        }
        return;
    };
    let mut fail = |what: String| found.push(format!("{at}: {what}"));
    for (keyword, rule) in keywords {
        let length = value.as_array().map(Vec::len);
        let limit = rule.as_u64().unwrap_or(0) as usize;
        match keyword.as_str() {
            k if IGNORED.contains(&k) => {}
            "type" => {
                let of_type = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "null" => value.is_null(),
                    other => panic!("the schema uses the unknown type {other}"),
                };
                let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                if !names.iter().any(|n| of_type(n.as_str().unwrap_or(""))) {
                    fail(format!("is not of type {rule}"));
                }
            }
            "enum" if !rule.as_array().is_some_and(|all| all.contains(value)) => fail(format!("is none of {rule}")),
            "minItems" if length.is_some_and(|n| n < limit) => fail(format!("has less than {limit} items")),
            "maxItems" if length.is_some_and(|n| n > limit) => fail(format!("has more than {limit} items")),
            "uniqueItems" if rule == &Value::Bool(true) => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                if items.iter().enumerate().any(|(i, item)| items[..i].contains(item)) {
                    fail("has an item twice".into());
                }
            }
            "minimum" if value.as_f64().zip(rule.as_f64()).is_some_and(|(v, least)| v < least) => {
                fail(format!("is less than {rule}"));
            }
            "maximum" if value.as_f64().zip(rule.as_f64()).is_some_and(|(v, most)| v > most) => {
                fail(format!("is more than {rule}"));
            }
            "minLength" if value.as_str().is_some_and(|s| s.chars().count() < limit) => fail("is too short".into()),
            "format" => match (rule.as_str(), value.as_str()) {
                (Some("uri"), Some(text)) if !text.contains(':') => fail(format!("{text} is no URI")),
                (Some("uri-reference"), Some(text)) if text.contains(char::is_whitespace) => {
                    fail(format!("{text} is no URI reference"));
                }
                (Some("uri" | "uri-reference" | "date-time"), _) => {}
                (other, _) => panic!("the schema uses the unknown format {other:?}"),
            },
            "required" => {
                for name in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if value.is_object() && value.get(name).is_none() {
                        fail(format!("{name} is missing"));
                    }
                }
            }
            "enum" | "minItems" | "maxItems" | "uniqueItems" | "minimum" | "maximum" | "minLength" | "pattern" => {}
            "$ref"
            | "items"
            | "properties"
            | "additionalProperties"
            | "anyOf"
            | "oneOf"
            | "allOf"
            | "not"
            | "dependencies" => {}
            other => panic!("the schema uses the unknown keyword {other}"),
        }
    }
    below(root, schema, value, at, found);
}

/// What is checked by other schemas.
fn below(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.trim_start_matches('#'));
        check(root, target.expect("a reference inside the schema"), value, at, found);
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        values.iter().enumerate().for_each(|(i, item)| check(root, items, item, &format!("{at}/{i}"), found));
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match (properties.and_then(|p| p.get(name)), schema.get("additionalProperties")) {
            (Some(own), _) => check(root, own, member, &at, found),
            (None, Some(others)) => check(root, others, member, &at, found),
            (None, None) => {}
        }
    }
    let accepted = |rule: &Value| {
        let mut inner = Vec::new();
        check(root, rule, value, at, &mut inner);
        inner.is_empty()
    };
    let count = |keyword: &str| {
        schema
            .get(keyword)
            .and_then(Value::as_array)
            .map(|rules| (rules.iter().filter(|r| accepted(r)).count(), rules.len()))
    };
    if count("anyOf").is_some_and(|(n, _)| n == 0) || count("oneOf").is_some_and(|(n, _)| n != 1) {
        found.push(format!("{at}: fits none, or several, of the alternatives"));
    }
    if count("allOf").is_some_and(|(n, all)| n != all) || schema.get("not").is_some_and(accepted) {
        found.push(format!("{at}: does not fit"));
    }
}
