//! What is made of the command line's definition: completions for shells, and man pages.

use super::args::{CommandLine, CompletionsArgs, ManArgs};
use super::commands::check::write;
use super::output::out::say;
use clap::CommandFactory;

/// Runs `completions`.
pub fn completions(args: &CompletionsArgs) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut CommandLine::command(), "hmc", &mut text);
    say(&String::from_utf8_lossy(&text));
    0
}

/// Runs `man`.
pub fn man(args: &ManArgs) -> u8 {
    let mut command = CommandLine::command();
    command.build();
    let Some(directory) = &args.output else {
        say(&page(command, "hmc"));
        return 0;
    };
    let mut pages = vec![("hmc".to_owned(), command.clone())];
    for subcommand in command.get_subcommands() {
        pages.push((format!("hmc-{}", subcommand.get_name()), subcommand.clone()));
    }
    let written =
        pages.into_iter().map(|(name, command)| write(&directory.join(format!("{name}.1")), &page(command, &name)));
    written.max().unwrap_or(0)
}

fn page(command: clap::Command, title: &str) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(command).title(title).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
