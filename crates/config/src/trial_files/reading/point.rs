//! [`with_point`]: decimals that were written behind a comma.

/// The number with a decimal point for its comma; `None` where the text is no such number.
pub fn with_point(text: &str) -> Option<String> {
    let (whole, decimals) = text.split_once(',')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let end = decimals.find(|c: char| !c.is_ascii_digit()).unwrap_or(decimals.len());
    let number = digits(whole.trim_start_matches(['-', '+'])) && digits(&decimals[..end]);
    number.then(|| format!("{whole}.{decimals}"))
}
