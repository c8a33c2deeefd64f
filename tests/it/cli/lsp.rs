//! `hmc lsp`, driven as an editor drives it: a process, spoken to on its standard input.

use super::support::command;
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// A model of two files: what it includes defines `com`.
const MODEL: &str =
    "\"mine\"\ninclude \"base.cat\"\n(* What happens before. *)\nlet hb = po | com\nacyclic hb as order\n";
const BASE: &str = "include \"cos.cat\"\n// Communication.\nlet com = rf | co | fr\n";
const ARM: &str = "AArch64 mine\n(* A. *)\nlet own = po\nacyclic \n";
const TEST: &str = "X86 SB\n{ }\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";

/// An editor, with a folder of files.
struct Editor {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: i32,
    /// What the server said that nobody has looked at.
    said: VecDeque<Message>,
    folder: tempfile::TempDir,
    version: i32,
}

impl Editor {
    fn new() -> Editor {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("mine.cat"), MODEL).expect("a file");
        std::fs::write(folder.path().join("base.cat"), BASE).expect("a file");
        let mut command = command();
        command.arg("lsp").current_dir(folder.path()).env("TMPDIR", folder.path());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("hmc can be started");
        let to = process.stdin.take().expect("a pipe");
        let from = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut editor = Editor { process, to, from, asked: 0, said: VecDeque::new(), folder, version: 1 };
        let client = json!({ "capabilities": { "workspace": { "codeLens": { "refreshSupport": true } } } });
        let about = editor.ask("initialize", client);
        assert_eq!(about["serverInfo"]["name"], "hmc");
        assert_eq!(about["capabilities"]["renameProvider"]["prepareProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.to).expect("the server listens");
        self.to.flush().expect("the server listens");
    }

    fn next(&mut self) -> Message {
        let message = Message::read(&mut self.from).expect("a message").expect("the server has not ended");
        if let Message::Request(request) = &message {
            self.send(Message::Response(Response::new_ok(request.id.clone(), Value::Null)));
        }
        message
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(Message::Notification(Notification::new(method.to_owned(), params)));
    }

    fn asked(&mut self, method: &str, params: Value) -> Response {
        self.asked += 1;
        let id = self.asked.into();
        self.send(Message::Request(Request::new(self.asked.into(), method.to_owned(), params)));
        loop {
            match self.next() {
                Message::Response(response) if response.id == id => return response,
                other => self.said.push_back(other),
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let response = self.asked(method, params);
        assert!(response.error.is_none(), "{method}: {:?}", response.error);
        response.result.unwrap_or(Value::Null)
    }

    fn refusal(&mut self, method: &str, params: Value) -> String {
        self.asked(method, params).error.unwrap_or_else(|| panic!("{method}: no error")).message
    }

    /// The next message that is wanted.
    fn heard(&mut self, method: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let is_it = |message: &Message| match message {
            Message::Notification(said) => said.method == method && wanted(&said.params),
            _ => false,
        };
        let start = Instant::now();
        // What else was said is for who asks later.
        let at = loop {
            match self.said.iter().position(is_it) {
                Some(at) => break at,
                None => {
                    assert!(start.elapsed() < Duration::from_secs(60), "no {method}");
                    let next = self.next();
                    self.said.push_back(next);
                }
            }
        };
        match self.said.remove(at) {
            Some(Message::Notification(said)) => said.params,
            other => panic!("{other:?}"),
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().canonicalize().expect("a folder").join(name)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    fn open(&mut self, name: &str, text: &str) {
        let language = Path::new(name).extension().and_then(|e| e.to_str()).expect("an extension").to_owned();
        let document = json!({ "uri": self.uri(name), "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Types in place of some characters of a line.
    fn edit(&mut self, name: &str, line: u32, from: u32, to: u32, text: &str) {
        self.version += 1;
        let range = json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } });
        let document = json!({ "uri": self.uri(name), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "range": range, "text": text }] });
        self.tell("textDocument/didChange", params);
    }

    /// What is wrong with this version of a text, each as line, code and first line of the message.
    fn wrong(&mut self, name: &str, version: i32) -> Vec<String> {
        let uri = self.uri(name);
        let is_it = |said: &Value| said["uri"] == uri.as_str() && said["version"] == version;
        let said = self.heard("textDocument/publishDiagnostics", is_it);
        let all = said["diagnostics"].as_array().expect("a list").iter();
        let text =
            |d: &Value| d["message"].as_str().and_then(|text| text.lines().next()).unwrap_or_default().to_owned();
        all.map(|d| format!("{} {} {}", d["range"]["start"]["line"], d["code"].as_str().unwrap_or(""), text(d)))
            .collect()
    }

    fn at(&self, name: &str, line: u32, character: u32) -> Value {
        json!({ "textDocument": { "uri": self.uri(name) }, "position": { "line": line, "character": character } })
    }

    fn lenses(&mut self, name: &str) -> Vec<(String, Value)> {
        let params = json!({ "textDocument": { "uri": self.uri(name) } });
        let lenses = self.ask("textDocument/codeLens", params);
        let of =
            |lens: &Value| (lens["command"]["title"].as_str().expect("a title").to_owned(), lens["command"].clone());
        lenses.as_array().expect("a list").iter().map(of).collect()
    }

    /// Ends the conversation; the server ends as one should.
    fn leave(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let code = self.process.wait().expect("it ends");
        assert!(code.success(), "{code}");
    }
}

#[test]
fn a_session_with_a_model() {
    let mut editor = Editor::new();
    editor.open("mine.cat", MODEL);
    assert_eq!(editor.wrong("mine.cat", 1), Vec::<String>::new());

    // An error is typed, and seen; its help line mends it.
    editor.edit("mine.cat", 3, 14, 17, "comm");
    assert_eq!(editor.wrong("mine.cat", 2), ["3 C301 `comm` is not defined (unknown name)"]);
    let range = json!({ "start": { "line": 3, "character": 15 }, "end": { "line": 3, "character": 15 } });
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": { "uri": editor.uri("mine.cat") }, "range": range, "context": context });
    let actions = editor.ask("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Replace `comm` by `com`");
    let edit = actions[0]["edit"]["changes"][editor.uri("mine.cat")][0].clone();
    assert_eq!((&edit["newText"], &edit["range"]["start"]["character"]), (&json!("com"), &json!(14)));

    // While the model is wrong its names are known all the same.
    let hover = editor.ask("textDocument/hover", editor.at("mine.cat", 4, 9));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("What happens before.")), "{hover}");
    editor.edit("mine.cat", 3, 14, 18, "com");
    assert_eq!(editor.wrong("mine.cat", 3), Vec::<String>::new());

    // Kind, definition and comment; also of what a file defines that is included, and of what executions give.
    let shown = |value: &Value| value["contents"]["value"].as_str().expect("a text").to_owned();
    let hover = shown(&editor.ask("textDocument/hover", editor.at("mine.cat", 3, 15)));
    assert!(hover.contains("**com**, a relation, `") && hover.contains("com = rf | co | fr"), "{hover}");
    assert!(hover.contains("Communication."), "{hover}");
    let hover = shown(&editor.ask("textDocument/hover", editor.at("mine.cat", 3, 10)));
    assert!(hover.starts_with("**po**, a relation of the execution"), "{hover}");

    let found = editor.ask("textDocument/definition", editor.at("mine.cat", 3, 15));
    assert_eq!((&found[0]["uri"], &found[0]["range"]["start"]["line"]), (&json!(editor.uri("base.cat")), &json!(2)));
    let file = editor.ask("textDocument/definition", editor.at("mine.cat", 1, 12));
    assert_eq!(file[0]["uri"], editor.uri("base.cat"));
    editor.open("base.cat", BASE);
    assert_eq!(editor.wrong("base.cat", 1), Vec::<String>::new());
    let bundled = editor.ask("textDocument/definition", editor.at("base.cat", 2, 21));
    let path = bundled[0]["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file").to_owned();
    assert!(std::fs::read_to_string(&path).is_ok_and(|text| text.contains("fr")), "{path}");

    let places = |found: &Value| {
        let all = found.as_array().expect("a list").iter();
        let place = |at: &Value| {
            let file = at["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).unwrap_or_default().to_owned();
            (file, at["range"]["start"]["line"].as_u64().expect("a line"))
        };
        let mut all: Vec<(String, u64)> = all.map(place).collect();
        all.sort();
        all
    };
    let mut params = editor.at("base.cat", 2, 5);
    params["context"] = json!({ "includeDeclaration": true });
    let found = places(&editor.ask("textDocument/references", params));
    assert_eq!(found, [("base.cat".to_owned(), 2), ("mine.cat".to_owned(), 3)]);

    editor.leave();
}

#[test]
fn names_are_changed_where_nothing_else_changes() {
    let mut editor = Editor::new();
    editor.open("base.cat", BASE);
    let new = |editor: &Editor, file, line, column, name: &str| {
        let mut params = editor.at(file, line, column);
        params["newName"] = json!(name);
        params
    };
    let prepared = editor.ask("textDocument/prepareRename", editor.at("base.cat", 2, 5));
    assert_eq!(prepared["start"], json!({ "line": 2, "character": 4 }));
    // The model that includes the file is not open, and is changed as well.
    let edit = editor.ask("textDocument/rename", new(&editor, "base.cat", 2, 5, "communication"));
    let changes = edit["changes"].as_object().expect("changes");
    assert_eq!(changes.len(), 2);
    assert_eq!(changes[&editor.uri("mine.cat")][0]["range"]["start"], json!({ "line": 3, "character": 14 }));

    // Names that mean something else there are taken, also in the other file; words of the language are no names.
    let why = editor.refusal("textDocument/rename", new(&editor, "base.cat", 2, 5, "po"));
    assert!(why.contains("`po` is taken"), "{why}");
    let why = editor.refusal("textDocument/rename", new(&editor, "base.cat", 2, 5, "acyclic"));
    assert!(why.contains("no name"), "{why}");
    let why = editor.refusal("textDocument/rename", new(&editor, "base.cat", 2, 11, "reads"));
    assert!(why.contains("executions give it"), "{why}");
    let why = editor.refusal("textDocument/rename", new(&editor, "base.cat", 2, 21, "later"));
    assert!(why.contains("cos.cat"), "{why}");

    editor.open("sb.litmus", TEST);
    let edit = editor.ask("textDocument/rename", new(&editor, "sb.litmus", 3, 6, "flag"));
    assert_eq!(edit["changes"][editor.uri("sb.litmus")].as_array().map(Vec::len), Some(2));
    let why = editor.refusal("textDocument/rename", new(&editor, "sb.litmus", 3, 6, "y"));
    assert_eq!(why, "`y` is taken");
    let why = editor.refusal("textDocument/rename", new(&editor, "sb.litmus", 3, 2, "x"));
    assert_eq!(why, "`MOV` is a name of the language");
    editor.leave();
}

#[test]
fn what_can_be_written_is_offered_by_architecture() {
    let mut editor = Editor::new();
    editor.open("arm.cat", ARM);
    editor.open("power.cat", "PPC mine\nacyclic \ninclude \"\n");
    editor.open("sb.litmus", TEST);
    let mut offered = |name, line, column| {
        let items = editor.ask("textDocument/completion", editor.at(name, line, column));
        let label = |item: &Value| item["label"].as_str().expect("a label").to_owned();
        items.as_array().expect("a list").iter().map(label).collect::<Vec<_>>()
    };
    let arm = offered("arm.cat", 3, 8);
    let has = |all: &[String], name: &str| all.iter().any(|own| own == name);
    assert!(has(&arm, "own") && has(&arm, "po") && has(&arm, "DMB.SY") && !has(&arm, "LWSYNC"));
    assert!(offered("arm.cat", 2, 4).is_empty(), "a name is being given");
    let power = offered("power.cat", 1, 8);
    assert!(has(&power, "LWSYNC") && !has(&power, "DMB.SY"));
    let files = offered("power.cat", 2, 9);
    assert!(has(&files, "base.cat") && has(&files, "cos.cat") && !has(&files, "po"));
    let test = offered("sb.litmus", 3, 1);
    assert!(has(&test, "mfence") || has(&test, "MFENCE"), "{test:?}");
    editor.leave();
}

#[test]
fn tests_run_from_their_lenses() {
    let mut editor = Editor::new();
    editor.open("sb.litmus", TEST);
    editor.open("mine.cat", MODEL);
    let titles = |lenses: Vec<(String, Value)>| lenses.into_iter().map(|(title, _)| title).collect::<Vec<_>>();
    let lenses = editor.lenses("sb.litmus");
    assert_eq!(titles(lenses.clone()), ["▶ Run this test under x86tso", "▶ Run this test under mine"]);
    for (_, command) in &lenses {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        editor.ask("workspace/executeCommand", params);
    }
    for said in ["Sometimes, 4 executions", "Never, 3 executions"] {
        editor.heard("window/logMessage", |log| log["message"].as_str().is_some_and(|text| text.contains(said)));
    }
    assert_eq!(titles(editor.lenses("sb.litmus")), ["x86tso: Sometimes, 4 executions", "mine: Never, 3 executions"]);
    // What was said of a text is not said of the next one.
    editor.edit("sb.litmus", 5, 0, 6, "forall");
    assert!(titles(editor.lenses("sb.litmus")).iter().all(|title| title.starts_with('▶')));
    editor.edit("sb.litmus", 3, 1, 4, "MVO");
    let wrong = editor.wrong("sb.litmus", 3);
    assert!(wrong.len() == 1 && wrong[0].contains("litmus::"), "{wrong:?}");
    editor.leave();
}

#[test]
fn texts_are_formatted_and_odd_questions_refused() {
    let mut editor = Editor::new();
    editor.open("odd.cat", "\"odd\"\nlet a=po|rf\nacyclic   a as b\n");
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": editor.uri("odd.cat") }, "options": options });
    let edits = editor.ask("textDocument/formatting", params);
    assert_eq!(edits[0]["newText"], "\"odd\"\nlet a = po | rf\nacyclic a as b\n");
    assert!(editor.refusal("textDocument/nosuch", Value::Null).contains("not answered"));
    assert!(!editor.refusal("textDocument/hover", json!({ "nothing": 1 })).is_empty());
    let params = json!({ "command": "hmc.run", "arguments": ["untitled:1", "sc"] });
    assert!(editor.refusal("workspace/executeCommand", params).contains("no open test"));
    editor.leave();
}

/// What an editor and the server say to each other, for `docs/day.md`.
pub fn transcript() -> String {
    let mut editor = Editor::new();
    let mut said = String::new();
    editor.open("mine.cat", &MODEL.replace("| com", "| comm"));
    said += "→ open mine.cat\n";
    editor.wrong("mine.cat", 1).iter().for_each(|line| said += &format!("← wrong: line {line}\n"));
    editor.edit("mine.cat", 3, 14, 18, "com");
    said += &format!("→ change comm into com\n← wrong: {} lines\n", editor.wrong("mine.cat", 2).len());
    let hover = editor.ask("textDocument/hover", editor.at("mine.cat", 3, 5));
    let text =
        hover["contents"]["value"].as_str().expect("a text").replace(&editor.path("").display().to_string(), "DIR/");
    said += &format!("→ hover over hb\n← {}\n", text.replace("\n", "\n  "));
    let mut rename = editor.at("mine.cat", 3, 5);
    rename["newName"] = json!("before");
    let edit = editor.ask("textDocument/rename", rename);
    let count = edit["changes"][editor.uri("mine.cat")].as_array().map_or(0, Vec::len);
    said += &format!("→ rename hb to before\n← {count} changes in mine.cat\n");
    let mut rename = editor.at("mine.cat", 3, 10);
    rename["newName"] = json!("program-order");
    let why = editor.refusal("textDocument/rename", rename);
    said += &format!("→ rename po to program-order\n← refused: {why}\n");
    editor.open("sb.litmus", TEST);
    let lenses = editor.lenses("sb.litmus");
    lenses.iter().for_each(|(title, _)| said += &format!("← lens: {title}\n"));
    let params = json!({ "command": lenses[1].1["command"], "arguments": lenses[1].1["arguments"] });
    editor.ask("workspace/executeCommand", params);
    editor.heard("window/logMessage", |_| true);
    said += &format!("→ run\n← lens: {}\n", editor.lenses("sb.litmus")[1].0);
    editor.leave();
    said
}
