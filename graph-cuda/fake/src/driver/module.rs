//! Modules: parsed programs whose tables have addresses.

use super::{Answer, Driver, code};
use crate::code::Program;
use crate::exec::memory::Allocation;
use crate::ptx;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

pub(crate) struct Module {
    pub program: Program,
    /// The address of each table.
    tables: Vec<u64>,
}

/// What a function handle stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    pub module: usize,
    pub function: usize,
    /// The most dynamic shared memory of a launch.
    pub dynamic_shared: u32,
}

/// Dynamic shared memory of a launch, unless a kernel asks for more.
pub(crate) const SHARED_LIMIT: u32 = 48 << 10;

impl Driver {
    /// The handle of the module that a text declares.
    pub(crate) fn load(&mut self, device: usize, text: &str) -> Answer<usize> {
        let mut program = match ptx::parse(text) {
            Ok(program) => program,
            Err(e) => return self.refuse(code::INVALID_PTX, format!("ptxas fatal   : {e}")),
        };
        if program.version > newest_ptx(self.settings.version) {
            let newest = newest_ptx(self.settings.version);
            let why = format!(
                "the text has PTX version {}, the driver knows up to {newest}",
                program.version
            );
            return self.refuse(code::UNSUPPORTED_PTX_VERSION, why);
        }
        keep(text);
        let (major, minor) = self.settings.capability;
        if program.target > major * 10 + minor {
            return self.refuse(
                code::NO_BINARY_FOR_GPU,
                format!(
                    "the text is for sm_{}, the device is sm_{major}{minor}",
                    program.target
                ),
            );
        }
        let mut tables = vec![];
        for table in &program.tables {
            let bytes = table.bytes.clone();
            tables.push(self.memory.insert(Allocation {
                bytes,
                device,
                constant: table.constant,
            }));
        }
        for f in &mut program.functions {
            for &(register, table) in &f.table_addresses {
                f.registers[usize::from(register)] = tables[table];
            }
        }
        let handle = self.handle();
        self.modules.insert(handle, Module { program, tables });
        self.count.modules += 1;
        Ok(handle)
    }

    pub(crate) fn unload(&mut self, module: usize) -> Answer {
        let Some(found) = self.modules.remove(&module) else {
            return self.refuse(code::INVALID_HANDLE, "not a module");
        };
        for at in found.tables {
            self.memory.remove(at);
        }
        self.functions.retain(|_, f| f.module != module);
        Ok(())
    }

    /// The handle of a kernel; the same for each call.
    pub(crate) fn kernel(&mut self, module: usize, name: &str) -> Answer<usize> {
        let Some(found) = self.modules.get(&module) else {
            return self.refuse(code::INVALID_HANDLE, "not a module");
        };
        let function = found
            .program
            .functions
            .iter()
            .position(|f| f.entry && f.name == name);
        let Some(function) = function else {
            return self.refuse(
                code::NOT_FOUND,
                format!("the module has no kernel `{name}`"),
            );
        };
        if let Some((&known, _)) = self
            .functions
            .iter()
            .find(|(_, h)| h.module == module && h.function == function)
        {
            return Ok(known);
        }
        let handle = self.handle();
        self.functions.insert(
            handle,
            Handle {
                module,
                function,
                dynamic_shared: SHARED_LIMIT,
            },
        );
        Ok(handle)
    }

    /// The address and the size of a table.
    pub(crate) fn table(&mut self, module: usize, name: &str) -> Answer<(u64, usize)> {
        let found = self.modules.get(&module).and_then(|m| {
            let at = m.program.tables.iter().position(|t| t.name == name)?;
            Some((m.tables[at], m.program.tables[at].bytes.len()))
        });
        match found {
            Some(found) => Ok(found),
            None => self.refuse(
                code::NOT_FOUND,
                format!("the module has no variable `{name}`"),
            ),
        }
    }
}

/// The newest version of PTX that a driver knows, both as their numbers times ten.
fn newest_ptx(driver: u32) -> u32 {
    let (major, minor) = (driver / 1000, driver % 1000 / 10);
    match (major, minor) {
        (12, 0..=5) => 80 + minor,
        (12, 6) => 85,
        (12, _) => 80 + minor - 1,
        _ => (major - 4) * 10 + minor,
    }
}

/// Names a folder that gets each text which is loaded, so that an assembler can check them.
const FOLDER: &str = "FAKE_CUDA_TEXTS";

fn keep(text: &str) {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let file = std::path::Path::new(&folder).join(format!("{:016x}.ptx", hasher.finish()));
    if let Err(e) = std::fs::write(&file, text) {
        eprintln!("{}: {e}", file.display());
    }
}
