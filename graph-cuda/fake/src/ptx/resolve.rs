//! From operands to register numbers. Constants and special registers become registers with known contents.

use super::literal::Literal;
use super::names::Name;
use super::operand::{AddressBase, Operand};
use super::{Body, Type};
use crate::code::{Address, Alu, Inst, Reg, Slice, Special};
use crate::windows;

/// An address as an instruction writes it.
pub(crate) enum WrittenAddress {
    Memory(Address),
    /// An address without a register, which only local memory has.
    Number(Address),
    Parameter(Slice),
}

impl Body<'_> {
    /// The register of an operand of this type.
    pub(crate) fn source(&mut self, operand: &Operand, of: Type) -> Result<Reg, String> {
        self.source_if(operand, of, Type::serves)
    }

    /// Like `source`, for instructions that also take wider registers.
    pub(crate) fn wide_source(&mut self, operand: &Operand, of: Type) -> Result<Reg, String> {
        self.source_if(operand, of, Type::holds)
    }

    fn source_if(
        &mut self,
        operand: &Operand,
        of: Type,
        fits: fn(Type, Type) -> bool,
    ) -> Result<Reg, String> {
        match operand {
            Operand::Literal(literal) => self.literal(*literal, of),
            Operand::Name(name) => {
                let (register, is) = self.register(name)?;
                if fits(is, of) {
                    Ok(register)
                } else {
                    Err(format!("`{name}` has another type"))
                }
            }
            Operand::Not(name) if of == Type::PRED => {
                let a = self.source(&Operand::Name(name.clone()), of)?;
                self.computed(crate::alu::bits::not_predicate, a)
            }
            other => Err(format!("{other:?} can't be an operand here")),
        }
    }

    /// A temporary that a step before the instruction computes.
    fn computed(&mut self, f: Alu, a: Reg) -> Result<Reg, String> {
        let d = self.temporary()?;
        self.push(Inst::Alu { f, d, s: [a; 4] });
        Ok(d)
    }

    fn literal(&mut self, literal: Literal, of: Type) -> Result<Reg, String> {
        let bits = literal
            .bits(of)
            .ok_or_else(|| format!("{literal:?} isn't of the operand's type"))?;
        self.constant(bits)
    }

    /// A register that contains a constant.
    pub(crate) fn constant(&mut self, bits: u64) -> Result<Reg, String> {
        if let Some(&known) = self.constants.get(&bits) {
            return Ok(known);
        }
        let register = self.new_registers(1)?;
        self.function.registers[usize::from(register)] = bits;
        self.constants.insert(bits, register);
        Ok(register)
    }

    /// A declared register and its type.
    fn register(&self, name: &str) -> Result<(Reg, Type), String> {
        match self.names.find(name) {
            Some(Name::Register(register, of)) => Ok((register, of)),
            _ if special(name).is_some() => Err(format!("`{name}` can't be an operand here")),
            _ => Err(format!("`{name}` isn't a register")),
        }
    }

    /// Like `source`, for moves, which also take special registers.
    pub(crate) fn special_or_source(&mut self, operand: &Operand, of: Type) -> Result<Reg, String> {
        match self.special_source(operand, of)? {
            Some(register) => Ok(register),
            None => self.source(operand, of),
        }
    }

    /// The register of a special register of 32 bits, if the operand names one.
    pub(crate) fn special_source(
        &mut self,
        operand: &Operand,
        of: Type,
    ) -> Result<Option<Reg>, String> {
        let Operand::Name(name) = operand else {
            return Ok(None);
        };
        match special(name) {
            Some(_) if !Type::U32.serves(of) => Err(format!("`{name}` has another type")),
            Some(special) => self.special(special).map(Some),
            None => Ok(None),
        }
    }

    fn special(&mut self, special: Special) -> Result<Reg, String> {
        if let Some(&known) = self.specials.get(&special) {
            return Ok(known);
        }
        let register = self.new_registers(1)?;
        self.function.specials.push((register, special));
        self.specials.insert(special, register);
        Ok(register)
    }

    /// Like `dest`; `_` is a register that nobody reads.
    pub(crate) fn dest_or_sink(&mut self, operand: &Operand, of: Type) -> Result<Reg, String> {
        if is_sink(operand) {
            self.sink()
        } else {
            self.dest(operand, of)
        }
    }

    /// The register that an instruction of this type writes.
    pub(crate) fn dest(&mut self, operand: &Operand, of: Type) -> Result<Reg, String> {
        self.dest_if(operand, of, Type::serves)
    }

    /// Like `dest`, for instructions that also write wider registers.
    pub(crate) fn wide_dest(&mut self, operand: &Operand, of: Type) -> Result<Reg, String> {
        self.dest_if(operand, of, Type::holds)
    }

    fn dest_if(
        &mut self,
        operand: &Operand,
        of: Type,
        fits: fn(Type, Type) -> bool,
    ) -> Result<Reg, String> {
        match operand {
            Operand::Name(name) => match self.names.find(name) {
                Some(Name::Register(register, is)) if fits(is, of) => Ok(register),
                Some(Name::Register(..)) => Err(format!("`{name}` has another type")),
                _ => Err(format!("`{name}` isn't a register")),
            },
            other => Err(format!("{other:?} can't be written")),
        }
    }

    /// The two predicates that a comparison writes; the second may be missing.
    pub(crate) fn dest_pair(
        &mut self,
        operand: &Operand,
        first: Type,
        second: Type,
    ) -> Result<(Reg, Reg), String> {
        match operand {
            Operand::Pair(p, q) => {
                let p = self.dest_or_sink(&Operand::Name(p.clone()), first)?;
                Ok((p, self.dest_or_sink(&Operand::Name(q.clone()), second)?))
            }
            single => Ok((self.dest(single, first)?, self.sink()?)),
        }
    }

    /// A register with the address of a variable, if the operand names one. The address is that in the variable's own space.
    pub(crate) fn variable_address(&mut self, operand: &Operand) -> Result<Option<Reg>, String> {
        let Operand::Name(name) = operand else {
            return Ok(None);
        };
        let found = self
            .names
            .find(name)
            .or_else(|| self.symbols.variables.get(name).cloned());
        Ok(match found {
            Some(Name::Local { offset }) => Some(self.special(Special::Local(offset))?),
            Some(Name::Shared { offset }) => Some(self.constant(u64::from(offset))?),
            Some(Name::DynamicShared) => Some(self.special(Special::DynamicShared)?),
            Some(Name::Table(number)) => Some(self.table(number)?),
            Some(Name::Parameter(_)) => {
                return Err(format!(
                    "the address of the parameter `{name}` can't be taken"
                ));
            }
            Some(Name::Register(..)) | None => None,
        })
    }

    fn table(&mut self, number: usize) -> Result<Reg, String> {
        if let Some(&known) = self.tables.get(&number) {
            return Ok(known);
        }
        let register = self.new_registers(1)?;
        self.function.table_addresses.push((register, number));
        self.tables.insert(number, register);
        Ok(register)
    }

    /// Where an address operand points.
    pub(crate) fn place(&mut self, operand: &Operand) -> Result<WrittenAddress, String> {
        let Operand::Address(base, offset) = operand else {
            return Err("an address is needed".to_owned());
        };
        let offset = i32::try_from(*offset).map_err(|_| "the offset is too large".to_owned())?;
        match base {
            AddressBase::Number(at) => Ok(WrittenAddress::Number(Address {
                base: self.constant(*at)?,
                offset,
                narrow: false,
            })),
            AddressBase::Name(name) => {
                if let Some(Name::Parameter(slice)) = self.names.find(name) {
                    let inside = u32::try_from(offset).ok().filter(|&o| o < slice.bytes);
                    let inside =
                        inside.ok_or_else(|| format!("the offset is outside of `{name}`"))?;
                    return Ok(WrittenAddress::Parameter(Slice {
                        offset: slice.offset + inside,
                        bytes: slice.bytes - inside,
                    }));
                }
                if let Some(base) = self.variable_address(&Operand::Name(name.clone()))? {
                    return Ok(WrittenAddress::Memory(Address {
                        base,
                        offset,
                        narrow: false,
                    }));
                }
                let (base, of) = self.register(name)?;
                if of.is_float() || of.bits < 32 {
                    return Err(format!("`{name}` can't be an address"));
                }
                Ok(WrittenAddress::Memory(Address {
                    base,
                    offset,
                    narrow: of.bits == 32,
                }))
            }
        }
    }
}

/// Whether an operand is `_`.
pub(crate) fn is_sink(operand: &Operand) -> bool {
    matches!(operand, Operand::Name(name) if name == "_")
}

/// The special registers of 32 bits.
fn special(name: &str) -> Option<Special> {
    let name = name.strip_prefix('%')?;
    Some(match name {
        "laneid" => Special::Lane,
        "warpid" => Special::Warp,
        "lanemask_lt" => Special::LaneMask(1),
        "lanemask_eq" => Special::LaneMask(2),
        "lanemask_le" => Special::LaneMask(3),
        "lanemask_gt" => Special::LaneMask(4),
        "lanemask_ge" => Special::LaneMask(6),
        _ => {
            let (name, axis) = name.split_once('.')?;
            let axis = ["x", "y", "z"].iter().position(|a| *a == axis)? as u8;
            match name {
                "tid" => Special::Thread(axis),
                "ntid" => Special::BlockSize(axis),
                "ctaid" => Special::Block(axis),
                "nctaid" => Special::GridSize(axis),
                _ => return None,
            }
        }
    })
}

/// Whether PTX has a special register of this name, so that no other may have it.
pub(super) fn is_special(name: &str) -> bool {
    const NAMES: [&str; 20] = [
        "%tid",
        "%ntid",
        "%ctaid",
        "%nctaid",
        "%laneid",
        "%warpid",
        "%nwarpid",
        "%smid",
        "%nsmid",
        "%gridid",
        "%clock",
        "%clock_hi",
        "%clock64",
        "%globaltimer",
        "%lanemask_eq",
        "%lanemask_lt",
        "%lanemask_le",
        "%lanemask_gt",
        "%lanemask_ge",
        "%dynamic_smem_size",
    ];
    NAMES.contains(&name)
}

/// The offset that makes an address in a space a generic one.
pub(crate) fn generic_base(space: &str) -> Option<u64> {
    match space {
        "global" | "const" => Some(0),
        "shared" => Some(windows::SHARED),
        "local" => Some(windows::LOCAL),
        _ => None,
    }
}
