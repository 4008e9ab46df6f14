//! Leaves code of thorough tests out where `RETROGRADE_TESTS` does not ask for them: `cfg(thorough)`.

fn main() {
    println!("cargo::rerun-if-env-changed=RETROGRADE_TESTS");
    println!("cargo::rustc-check-cfg=cfg(thorough)");
    if std::env::var("RETROGRADE_TESTS").is_ok_and(|effort| effort == "ci" || effort == "release") {
        println!("cargo::rustc-cfg=thorough");
    }
}
