//! Enough of JSON Schema (2020-12) to check documents against ours. A keyword that is not known
//! here fails the test, so that none is silently left unchecked.

use serde_json::Value;

/// The first thing in `value` that the schema does not allow, with its place.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    at("$", schema, value)
}

fn at(place: &str, schema: &Value, value: &Value) -> Result<(), String> {
    let fault = |what: String| Err(format!("{place}: {what}: {value}"));
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let fits = match keyword.as_str() {
            "$schema" | "title" | "description" => true,
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
                kind => is_of(kind, value),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap()),
            "required" => rule.as_array().unwrap().iter().all(|key| {
                value.as_object().is_none_or(|object| object.contains_key(key.as_str().unwrap()))
            }),
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false));
                let known = schema["properties"].as_object().unwrap();
                value
                    .as_object()
                    .is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
            }
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(property) = value.get(key) {
                        at(&format!("{place}.{key}"), rule, property)?;
                    }
                }
                true
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    at(&format!("{place}[{index}]"), rule, item)?;
                }
                true
            }
            _ => panic!("{place}: the checker does not know '{keyword}'"),
        };
        if !fits {
            return fault(format!("not {keyword} {rule}"));
        }
    }
    Ok(())
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("no type '{kind}'"),
    }
}
