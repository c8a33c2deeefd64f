// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- --cfg=wrong => violated kind=assertion
//
// A channel with one sender keeps the order of what is sent, one with two does not.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (to, from) = mpsc::channel();
    let first = thread::spawn({
        let to = to.clone();
        move || to.send(1).unwrap()
    });
    if !cfg!(wrong) {
        first.join().unwrap();
        to.send(2).unwrap();
        drop(to);
        assert_eq!(from.recv().unwrap(), 1);
    } else {
        to.send(2).unwrap();
        assert_eq!(from.recv().unwrap(), 1); // HERE
        first.join().unwrap();
    }
}
