//! The words of authors who write their games in another language than Rust.

use serde_json::json;

use crate::error::Law;
use crate::program::cli::CliError;

/// The words of authors who write games in another language, for messages about their rules: see
/// [`Registry::glossary`](crate::cli::Registry::glossary).
#[derive(Clone, Copy, Debug, Default)]
pub struct Glossary {
    /// Terms of this library as messages have them, as in `` `Game::no_moves` ``, each with the authors' own.
    pub terms: &'static [(&'static str, &'static str)],
    /// Laws with advice: a sentence with which messages about the law end.
    pub advice: &'static [(Law, &'static str)],
}

impl Glossary {
    /// An error in the words of the authors.
    pub(super) fn error(&self, error: CliError) -> CliError {
        let law = error.fields().get("law");
        let advice = self.advice.iter().find(|(about, _)| law == Some(&json!(about)));
        let end = advice.map_or(String::new(), |(_, advice)| format!(". {advice}"));
        let terms = self.terms.iter();
        error.reworded(|message| {
            terms.fold(message.to_owned(), |text, (term, own)| text.replace(term, own)) + &end
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{BrokenLaw, LawError};

    #[test]
    fn messages_have_the_words_of_their_authors() {
        let glossary = Glossary {
            terms: &[("`Game::no_moves`", "`noMoves`"), ("a state without moves", "a stuck state")],
            advice: &[(Law::NoMoves, "Look at `moves`")],
        };
        let stuck = BrokenLaw::no_moves("7".into(), 0);
        let error = glossary.error(LawError::from(stuck).into());
        assert_eq!(
            error.to_string(),
            "broken law: a stuck state has an outcome: 7 (index 0) is not terminal and has no legal \
             move: let `noMoves` give its outcome. Look at `moves`"
        );
        assert_eq!(error.fields()["law"], "no-moves");
        let other = glossary.error(CliError::failed("`Game::no_moves` and nothing else"));
        assert_eq!(other.to_string(), "`noMoves` and nothing else");
    }
}
