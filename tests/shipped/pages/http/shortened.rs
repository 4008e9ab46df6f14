//! Answers as the page shows them: broken into lines, and with `…` for what is left out.

use serde_json::Value as Json;

/// The longest line, in characters.
const COLUMNS: usize = 100;

/// The longest value that stays on one line, with what it is indented by.
const SHORT: usize = 80;

/// How many characters of a text, and how many lines of an answer that is not JSON, are shown.
const TEXT: usize = 60;
const LINES: usize = 5;

/// From this depth on, objects in objects are left out.
const DEPTH: usize = 3;

/// How many elements of a list are shown: of objects, and of anything else.
const OBJECTS: usize = 1;
const SCALARS: usize = 6;

/// An answer of this kind, which is text in UTF-8, in lines that end.
pub(super) fn shortened(kind: &str, text: &str) -> String {
    let json = |text: &str| {
        let value: Json = serde_json::from_str(text).expect("JSON");
        pretty(&value, 0, 0) + "\n"
    };
    match kind {
        "" => String::new(),
        "application/x-ndjson" => text.lines().map(json).collect(),
        kind if kind.ends_with("json") => json(text),
        _ => {
            let cut = |line: &str| match line.char_indices().nth(COLUMNS - 1) {
                Some((end, _)) => format!("{}…\n", &line[..end]),
                None => format!("{line}\n"),
            };
            let shown: String = text.lines().take(LINES).map(cut).collect();
            shown + if text.lines().count() > LINES { "…\n" } else { "" }
        }
    }
}

/// A value that begins behind `indent` blanks: on one line if it fits there.
fn pretty(value: &Json, indent: usize, depth: usize) -> String {
    let (brackets, items): (_, Vec<String>) = match value {
        Json::Object(fields) if depth >= DEPTH && !fields.is_empty() => return "{…}".into(),
        Json::Object(fields) => {
            let item = |(name, value): (&String, &Json)| {
                let name = format!("{}: ", Json::from(&**name));
                name + &pretty(value, indent + 2, depth + 1)
            };
            ("{}", fields.iter().map(item).collect())
        }
        Json::Array(values) => {
            let most = if values.iter().any(Json::is_object) { OBJECTS } else { SCALARS };
            let shown = values.iter().take(most);
            let mut items: Vec<String> =
                shown.map(|value| pretty(value, indent + 2, depth)).collect();
            if values.len() > most {
                items.push("…".into());
            }
            ("[]", items)
        }
        Json::String(text) => match text.char_indices().nth(TEXT) {
            Some((end, _)) => return Json::from(format!("{}…", &text[..end])).to_string(),
            None => return value.to_string(),
        },
        _ => return value.to_string(),
    };
    let one_line = format!("{}{}{}", &brackets[..1], items.join(", "), &brackets[1..]);
    if !one_line.contains('\n') && indent + one_line.chars().count() <= SHORT {
        return one_line;
    }
    let lines = filled(&items, COLUMNS - indent - 2);
    let blanks = " ".repeat(indent);
    let lines: String = lines.iter().map(|line| format!("\n{blanks}  {line}")).collect();
    format!("{}{lines}\n{blanks}{}", &brackets[..1], &brackets[1..])
}

/// Fields or elements with commas between, as many on a line as fit.
fn filled(items: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let comma = if at + 1 < items.len() { "," } else { "" };
        let text = format!("{item}{comma}");
        match lines.last_mut() {
            Some(line)
                if !text.contains('\n')
                    && !line.contains('\n')
                    && line.chars().count() + 1 + text.chars().count() <= width =>
            {
                line.push(' ');
                *line += &text;
            }
            _ => lines.push(text),
        }
    }
    lines
}
