//! `chronotap-glue MODULE FOLDER`: the engine for a page, from the WebAssembly that cargo built: the
//! module and the script that calls it, with the types of its functions.

use std::env::args_os;
use std::path::PathBuf;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = args_os().skip(1).map(PathBuf::from).collect();
    let [module, folder] = &paths[..] else {
        eprintln!("usage: chronotap-glue MODULE FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("engine").typescript(true);
    let made = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error:#}", module.display());
            ExitCode::from(2)
        }
    }
}
