//! What a user meets at the compiler: programs that must be refused, with the message in the `.stderr` beside each, and programs that
//! must compile and run. `TRYBUILD=overwrite cargo test -p graph-ui-tests` writes the messages anew; read them before keeping them.

#[test]
fn messages_and_programs() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("cases/fail/*/*.rs");
    cases.pass("cases/pass/*/*.rs");
}
