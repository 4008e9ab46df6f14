//! Finds the name that a person may have meant by a misspelt one.

/// Names of a greater similarity are suggested for each other. clap uses this bound for its
/// options.
const SIMILAR: f64 = 0.7;

/// The least similarity of names that are one typing error apart.
const NEAR: f64 = 0.9;

/// The name that is most similar to what was typed, if one is similar enough.
pub(super) fn most_similar<'n>(
    typed: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let similarity = |name: &str| {
        // In a short name, two swapped letters would count for too much.
        let is_near = typed.chars().count() > 2 && strsim::osa_distance(typed, name) == 1;
        strsim::jaro(typed, name).max(if is_near { NEAR } else { 0.0 })
    };
    let similar = names.into_iter().map(|name| (similarity(name), name));
    let best = similar.max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(similarity, _)| *similarity > SIMILAR).map(|(_, name)| name)
}

/// The end of a sentence that suggests this name, if there is one.
pub(super) fn did_you_mean(name: Option<&str>) -> String {
    name.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}
