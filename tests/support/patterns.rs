//! What documents say that a program prints: `…` stands for what varies.

/// Does `line` fit `pattern`, in which each `…` stands for some text?
pub fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|start| line.strip_prefix(start)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        // At least one character for the `…`.
        let after = rest.char_indices().nth(1).map_or(rest.len(), |(index, _)| index);
        let Some(at) = rest[after..].find(part) else { return false };
        rest = &rest[after + at + part.len()..];
    }
    rest.len() > last.len() && rest.ends_with(last)
}

/// Do the lines fit the patterns, in which a `…` alone stands for any number of lines?
pub fn fit(patterns: &[&str], lines: &[&str]) -> bool {
    match (patterns, lines) {
        ([], rest) => rest.is_empty(),
        (["…", patterns @ ..], _) => (0..=lines.len()).any(|skip| fit(patterns, &lines[skip..])),
        ([pattern, patterns @ ..], [line, lines @ ..]) => {
            fits(pattern, line) && fit(patterns, lines)
        }
        (_, []) => false,
    }
}

#[test]
fn patterns_fit_what_they_say() {
    for (pattern, line) in [
        ("readyok", "readyok"),
        ("bestmove …", "bestmove f5"),
        ("info … pv …", "info depth 1 pv f5 d6"),
        ("a … c … d", "a b c c d"),
    ] {
        assert!(fits(pattern, line), "{pattern}: {line}");
    }
    for (pattern, line) in [
        ("readyok", "readyok now"),
        ("bestmove …", "bestmove "),
        ("info … pv …", "info depth 1"),
        ("… d", "a b c"),
    ] {
        assert!(!fits(pattern, line), "{pattern}: {line}");
    }
}

#[test]
fn a_lonely_ellipsis_stands_for_any_number_of_lines() {
    for (patterns, lines) in [
        (vec!["…"], vec![]),
        (vec!["a", "…", "c"], vec!["a", "c"]),
        (vec!["a", "…", "c"], vec!["a", "b", "c", "c"]),
    ] {
        assert!(fit(&patterns, &lines), "{patterns:?}: {lines:?}");
    }
    for (patterns, lines) in [
        (vec![], vec!["a"]),
        (vec!["a"], vec![]),
        (vec!["a", "…", "c"], vec!["a", "b"]),
        (vec!["a", "c"], vec!["a", "b", "c"]),
    ] {
        assert!(!fit(&patterns, &lines), "{patterns:?}: {lines:?}");
    }
}
