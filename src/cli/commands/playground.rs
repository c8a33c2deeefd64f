//! `hmc playground`: the page on which memory models are learnt, for a browser on this machine.
//!
//! A plain server of the files of one folder: to this machine only, and for nothing but reading. The page itself runs in the browser.

use crate::cli::args::PlaygroundArgs;
use crate::cli::output::out::{say, tell};
use crate::cli::output::page;
use crate::driver::inputs::messages::bare;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Longer requests are not read.
const LONGEST: u64 = 16 << 10;
/// Connections that are served at the same time.
const MOST: usize = 64;
/// A browser that says nothing for so long is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs the subcommand; it ends when the program is ended.
pub fn run(args: &PlaygroundArgs) -> u8 {
    let folder = match page::folder(args.page.as_deref()) {
        Ok(folder) => folder,
        Err(message) => return page::refused(&message),
    };
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)) {
        Ok(listener) => listener,
        Err(e) => {
            let message = format!("port {} cannot be listened on: {e}", args.port);
            let help = "`--port 0` takes any that is free";
            return page::refused(&bare("hmc::page-port", message, Some(help)));
        }
    };
    let port = listener.local_addr().map_or(args.port, |address| address.port());
    say(&format!("http://127.0.0.1:{port}/\n"));
    tell("hmc: the page is served to this machine until Ctrl-C ends that\n");
    serve(&listener, &folder, port);
    0
}

/// Answers for ever, a thread a connection.
fn serve(listener: &TcpListener, folder: &Path, port: u16) {
    let open = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for stream in listener.incoming().flatten() {
            if open.fetch_add(1, Ordering::Relaxed) >= MOST {
                open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let answer = || {
                // A browser that has gone away has no complaint.
                let _ = answered(stream, folder, port);
                open.fetch_sub(1, Ordering::Relaxed);
            };
            if std::thread::Builder::new().spawn_scoped(scope, answer).is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
}

fn answered(mut stream: TcpStream, folder: &Path, port: u16) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.try_clone()?.take(LONGEST)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut host = String::new();
    for line in lines {
        let line = line?;
        if line.is_empty() {
            break;
        }
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("host") => value.trim().clone_into(&mut host),
            _ => {}
        }
    }
    let response = respond(&first, &host, folder, port);
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
        response.status,
        response.kind,
        response.body.len()
    );
    stream.write_all(head.as_bytes())?;
    if !first.starts_with("HEAD ") {
        stream.write_all(&response.body)?;
    }
    stream.flush()
}

struct Response {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

fn refusal(status: &'static str) -> Response {
    Response { status, kind: "text/plain; charset=utf-8", body: status.into() }
}

/// What a request gets. A name of this machine that another host has given it is none of its own.
fn respond(request: &str, host: &str, folder: &Path, port: u16) -> Response {
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let mut words = request.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return refusal("400 Bad Request") };
    if !own.iter().any(|own| own == host) {
        return refusal("403 Forbidden");
    }
    if !["GET", "HEAD"].contains(&method) {
        return refusal("405 Method Not Allowed");
    }
    let path = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    match std::fs::read(folder.join(path)) {
        Ok(body) if is_plain => Response { status: "200 OK", kind: kind(path), body },
        _ => refusal("404 Not Found"),
    }
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::commands::playground::*;

    #[test]
    fn files_of_the_folder_are_served_to_this_machine_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("secret"), "no").expect("a file");
        let page = folder.path().join("page");
        std::fs::create_dir_all(page.join("assets")).expect("a folder");
        std::fs::write(page.join("index.html"), "yes").expect("a file");
        std::fs::write(page.join("assets/hmc.wasm"), "module").expect("a file");
        let ask = |request: &str, host: &str| respond(request, host, &page, 80);
        let whole = ask("GET / HTTP/1.1", "localhost:80");
        assert_eq!(
            (whole.status, whole.kind, whole.body.as_slice()),
            ("200 OK", "text/html; charset=utf-8", &b"yes"[..])
        );
        assert_eq!(ask("GET /assets/hmc.wasm?1 HTTP/1.1", "127.0.0.1:80").kind, "application/wasm");
        for path in ["/../secret", "/assets/../../secret", "//etc/passwd", "/assets", "/nothing"] {
            let told = ask(&format!("GET {path} HTTP/1.1"), "localhost:80");
            assert_eq!(told.status, "404 Not Found", "{path}");
        }
        assert_eq!(ask("GET / HTTP/1.1", "elsewhere.example:80").status, "403 Forbidden");
        assert_eq!(ask("POST / HTTP/1.1", "localhost:80").status, "405 Method Not Allowed");
        assert_eq!(ask("", "localhost:80").status, "400 Bad Request");
    }
}
