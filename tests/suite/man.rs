//! The manual page.

use crate::command_line::run;
use crate::executable::command;
use crate::options::options_with_variable;

#[test]
fn the_manual_names_every_option_with_its_variable_every_command_and_exit_code() {
    let mut command = command(&["man"]);
    // The manual page must not depend on the environment.
    command.env("APP_NAME", "Pans & Pots");
    let (code, page, stderr) = run(command);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(!page.contains("Pans"), "{page}");
    // roff escapes a hyphen with a backslash.
    let page = page.replace("\\-", "-");
    for (option, variable) in options_with_variable() {
        assert!(page.contains(&format!("\\fB{option}\\fR")), "{option}");
        assert!(page.contains(&format!("\\fB{variable}\\fR")), "{variable}");
    }
    for variable in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "STATE_DIRECTORY"] {
        assert!(page.contains(&format!("\\fB{variable}\\fR")), "{variable}");
    }
    for part in ["healthcheck", "export DIR", "completions SHELL", "0", "1", "2"] {
        assert!(page.contains(&format!(".TP\n\\fB{part}\\fR")), "{part}: {page}");
    }
}
