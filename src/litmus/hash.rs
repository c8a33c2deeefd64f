pub fn of(
    _m: &[(String, String)],
    _i: &super::init::Initial,
    _l: &super::threads::Listing,
    _t: &str,
    _o: &[super::Item],
    _w: &[super::Watch],
) -> String {
    String::new()
}
