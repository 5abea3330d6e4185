//! Completion in the shells: the scripts are read by the shells that are there, and complete.

use crate::support::shell::{Workplace, installed};

/// What bash offers for the last word of a command line.
fn offered(workplace: &Workplace, words: &str) -> Vec<String> {
    let lines = format!(
        "source <(outflank completions bash)
         words=({words})
         COMP_WORDS=(\"${{words[@]}}\") COMP_CWORD=$((${{#words[@]}} - 1)) COMPREPLY=()
         set +eu
         current=${{words[-1]}} previous=${{words[-2]}}
         \"$(complete -p outflank | sed 's/.* -F \\([^ ]*\\) .*/\\1/')\" outflank \"$current\" \"$previous\"
         printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    workplace.output(&lines).lines().map(str::to_string).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let workplace = Workplace::new("completions-bash");
    assert_eq!(offered(&workplace, "outflank so"), ["solve"]);
    assert_eq!(offered(&workplace, "outflank solve --le"), ["--level"]);
    assert_eq!(offered(&workplace, "outflank perft --convention pass-f"), ["pass-free"]);
    assert_eq!(offered(&workplace, "outflank completions f"), ["fish"]);
    assert_eq!(offered(&workplace, "outflank analyze --multi"), ["--multipv"]);
    assert_eq!(offered(&workplace, "outflank book sh"), ["show"]);
    assert_eq!(offered(&workplace, "outflank book build --ply"), ["--ply-cost"]);
    let commands = offered(&workplace, "outflank ''");
    for command in
        ["ugi", "gtp", "nboard", "perft", "solve", "convert", "selfplay", "analyze", "book"]
    {
        assert!(commands.iter().any(|offered| offered == command), "{command}: {commands:?}");
    }
}

#[test]
fn every_shell_reads_its_script() {
    let workplace = Workplace::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script =
            workplace.output(&format!("outflank completions {shell} | tee {shell}.script"));
        assert!(script.contains("selfplay") && script.contains("hash"), "{shell}: {script}");
        if installed(shell, &format!("the completion of {shell}")) {
            assert_eq!(workplace.output(&format!("{shell} -n {shell}.script")), "", "{shell}");
        }
    }
    if installed("fish", "completing in fish") {
        let lines = "HOME=$PWD fish -c 'source fish.script; complete -C \"outflank so\"'";
        assert!(workplace.output(lines).starts_with("solve\t"));
    }
    if installed("zsh", "completing in zsh") {
        let lines = "zsh -f -c 'autoload -U compinit; compinit -u -d dump; source zsh.script;
                     print $_comps[outflank]'";
        assert_eq!(workplace.output(lines), "_outflank\n");
    }
}

#[test]
fn a_shell_that_is_not_known_is_refused() {
    let output = Workplace::new("completions-error").run("outflank completions dash", "");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("invalid value 'dash'") && errors.contains("fish"), "{errors}");
}
