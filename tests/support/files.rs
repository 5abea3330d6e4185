//! Files for one test.

use outflank::eval::network::Parameters;
use outflank::eval::{Weights, format};
use std::fs;
use std::path::PathBuf;

/// A folder that is empty at first and goes with the value.
pub struct Folder(PathBuf);

impl Folder {
    /// A folder for the test of this name.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("outflank-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The path of a file, whether there or not.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// Writes weights that call every position even.
    pub fn even_weights(&self) -> String {
        let weights = Weights::new(Parameters::default());
        self.file("even weights.bin", format::encode(weights.parameters()).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
