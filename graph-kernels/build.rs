//! Tells the crate how it is compiled, which it can't find out itself: [`graph_kernels::OPTIMIZED`].

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(optimized)");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    // Loops become vector code from level 2 on, and where size counts.
    if ["2", "3", "s"].contains(&level.as_str()) {
        println!("cargo::rustc-cfg=optimized");
    }
}
