//! `rename_all` rules, as serde applies them.

/// A spelling for names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RenameRule {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl RenameRule {
    /// Returns the named rule. serde reports unknown names.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// A variant's name, which is written `LikeThis` in Rust.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => first(name, |letter| letter.to_ascii_lowercase()),
            Self::Snake => words(name),
            Self::ScreamingSnake => words(name).to_ascii_uppercase(),
            Self::Kebab => words(name).replace('_', "-"),
            Self::ScreamingKebab => words(name).to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// A field's name, which is written `like_this` in Rust.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => joined(name),
            Self::Camel => first(&joined(name), |letter| letter.to_ascii_lowercase()),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn first(name: &str, change: impl Fn(char) -> char) -> String {
    let mut letters = name.chars();
    letters.next().map(change).into_iter().chain(letters).collect()
}

/// `LikeThis` → `like_this`; every upper-case letter starts a word.
fn words(name: &str) -> String {
    let mut snake = String::new();
    for (i, letter) in name.chars().enumerate() {
        if i > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// `like_this` → `LikeThis`.
fn joined(name: &str) -> String {
    name.split('_').map(|word| first(word, |letter| letter.to_ascii_uppercase())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [&str; 8] = [
        "lowercase",
        "UPPERCASE",
        "PascalCase",
        "camelCase",
        "snake_case",
        "SCREAMING_SNAKE_CASE",
        "kebab-case",
        "SCREAMING-KEBAB-CASE",
    ];

    #[test]
    fn fields_and_variants_are_spelled_as_serde_spells_them() {
        let fields = RULES.map(|rule| RenameRule::of(rule).unwrap().field("very_tasty_2x"));
        assert_eq!(
            fields,
            [
                "very_tasty_2x",
                "VERY_TASTY_2X",
                "VeryTasty2x",
                "veryTasty2x",
                "very_tasty_2x",
                "VERY_TASTY_2X",
                "very-tasty-2x",
                "VERY-TASTY-2X",
            ]
        );
        let variants = RULES.map(|rule| RenameRule::of(rule).unwrap().variant("VeryTastyHTTP"));
        assert_eq!(
            variants,
            [
                "verytastyhttp",
                "VERYTASTYHTTP",
                "VeryTastyHTTP",
                "veryTastyHTTP",
                "very_tasty_h_t_t_p",
                "VERY_TASTY_H_T_T_P",
                "very-tasty-h-t-t-p",
                "VERY-TASTY-H-T-T-P",
            ]
        );
        assert_eq!(RenameRule::of("Title Case"), None);
    }
}
