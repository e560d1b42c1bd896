//! Name conversion to Pascal case and snake case.

/// `price_of` → `PriceOf`; a name in that case stays as it is.
pub(crate) fn pascal(name: &str) -> String {
    let mut pascal = String::new();
    let mut starts_word = true;
    for letter in name.chars() {
        match letter {
            '_' | '-' => starts_word = true,
            letter if starts_word => {
                pascal.extend(letter.to_uppercase());
                starts_word = false;
            }
            letter => pascal.push(letter),
        }
    }
    pascal
}

/// `RecipeCook` → `recipe_cook`, `HTTPClient` → `http_client`.
pub(crate) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (i, letter) in letters.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(i + 1);
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() && *before != '_' || after.is_some_and(|after| after.is_lowercase())
            });
        if starts_word && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_pascal_case() {
        assert_eq!(pascal("price"), "Price");
        assert_eq!(pascal("confirm_order"), "ConfirmOrder");
        assert_eq!(pascal("get-weather_v2"), "GetWeatherV2");
        assert_eq!(pascal("Already"), "Already");
        assert_eq!(pascal("_x"), "X");
    }

    #[test]
    fn words_become_snake_case() {
        assert_eq!(snake("Sizzle"), "sizzle");
        assert_eq!(snake("RecipeCook"), "recipe_cook");
        assert_eq!(snake("HTTPClient"), "http_client");
        assert_eq!(snake("V2"), "v2");
        assert_eq!(snake("already_so"), "already_so");
    }
}
