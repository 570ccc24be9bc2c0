//! The code of reads and writes of arrays and lists.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, SigRef, Signature, Value, types};
use graph_kernels::{DType, Rows};

use super::Translator;
use crate::access::access;
use crate::code::grow_list;
use crate::kind::Kind;
use crate::row::ListRow;

impl Translator<'_> {
    /// Reads a value by the position of its row.
    pub(super) fn read(
        &mut self,
        at: usize,
        (from, element): (Rows, u16),
        dtype: DType,
    ) -> Option<()> {
        let access = access(&self.source.steps[at], self.memory)?;
        let (index, to) = (self.get(access.reads[0]), access.writes?);
        let mut index = self.position(index, dtype)?;
        let element = i64::from(element);
        let (data, len, first) = match from {
            Rows::List(list) => {
                let [data, len] = [ListRow::DATA, ListRow::LEN].map(|f| self.field(list, f));
                let (_, values) = *self.memory.lists.get(usize::from(list))?;
                let values = i64::try_from(values).ok().filter(|n| element < *n)?;
                (data, len, self.builder.ins().imul_imm_u(index, values))
            }
            Rows::Array(array) | Rows::Fixed(array) => {
                let [data, len, values] = *self.rows.get(usize::from(array))?;
                if matches!(from, Rows::Array(_)) {
                    let b = &mut self.builder;
                    let from_end = b.ins().iadd(index, len);
                    let negative = b.ins().icmp_imm_s(IntCC::SignedLessThan, index, 0);
                    index = b.ins().select(negative, from_end, index);
                }
                if element > 0 {
                    let condition = IntCC::UnsignedLessThanOrEqual;
                    let missing = self.builder.ins().icmp_imm_u(condition, values, element);
                    self.fail_if(missing);
                }
                (data, len, self.builder.ins().imul(index, values))
            }
        };
        let b = &mut self.builder;
        let outside = b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, len);
        self.fail_if(outside);
        let (address, within) = self.address(data, first, element, to.1)?;
        let flags = MemFlagsData::trusted();
        let value = self.builder.ins().load(to.1.ty(), flags, address, within);
        self.set(to, value);
        Some(())
    }

    /// Writes a row of a list.
    pub(super) fn write(&mut self, at: usize, list: u8, dtype: DType, grows: bool) -> Option<()> {
        let access = access(&self.source.steps[at], self.memory)?;
        let (_, size) = *self.memory.lists.get(usize::from(list))?;
        let (index, values) = access.reads.split_first()?;
        let index = self.get(*index);
        let index = self.position(index, dtype)?;
        if values.len() != size {
            return None;
        }
        match grows {
            true => self.make_room(list, index)?,
            false => {
                let len = self.field(list, ListRow::LEN);
                let condition = IntCC::UnsignedGreaterThanOrEqual;
                let outside = self.builder.ins().icmp(condition, index, len);
                self.fail_if(outside);
            }
        }
        let data = self.field(list, ListRow::DATA);
        let size = i64::try_from(size).ok()?;
        let first = self.builder.ins().imul_imm_u(index, size);
        for (element, typed) in (0..).zip(values) {
            let value = self.get(*typed);
            let (address, within) = self.address(data, first, element, typed.1)?;
            let flags = MemFlagsData::trusted();
            self.builder.ins().store(flags, value, address, within);
        }
        let written = self.builder.ins().iconst(types::I64, 1);
        self.set_field(list, ListRow::WRITTEN, written);
        Some(())
    }

    /// Makes a list at least so long that it has a row at a position: in its room, or by a call for more room.
    fn make_room(&mut self, list: u8, index: Value) -> Option<()> {
        let [call, go_on] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(call);
        let room = self.field(list, ListRow::ROOM);
        let fits = self
            .builder
            .ins()
            .icmp(IntCC::UnsignedLessThan, index, room);
        self.builder.ins().brif(fits, go_on, &[], call, &[]);
        self.builder.switch_to_block(call);
        let signature = self.growing();
        let address = i64::try_from(grow_list as *const () as usize).ok()?;
        let function = self.builder.ins().iconst(types::I64, address);
        let offset = i64::from(list) * i64::from(ListRow::BYTES);
        let row = self.builder.ins().iadd_imm_u(self.lists, offset);
        let call = self
            .builder
            .ins()
            .call_indirect(signature, function, &[row, index]);
        let failed = self.builder.inst_results(call)[0];
        self.fail_if(failed);
        self.builder.ins().jump(go_on, &[]);
        self.builder.switch_to_block(go_on);
        let len = self.field(list, ListRow::LEN);
        let needed = self.builder.ins().iadd_imm_u(index, 1);
        let len = self.builder.ins().umax(len, needed);
        self.set_field(list, ListRow::LEN, len);
        Some(())
    }

    /// The signature of [`grow_list`].
    fn growing(&mut self) -> SigRef {
        if let Some(signature) = self.growing {
            return signature;
        }
        let mut signature = Signature::new(self.target.default_call_conv);
        signature.params = vec![AbiParam::new(types::I64); 2];
        signature.returns.push(AbiParam::new(types::I32));
        *self
            .growing
            .insert(self.builder.import_signature(signature))
    }

    /// A position as 64 bits.
    fn position(&mut self, index: Value, dtype: DType) -> Option<Value> {
        match dtype {
            DType::I32 => Some(self.builder.ins().sextend(types::I64, index)),
            DType::I64 => Some(index),
            _ => None,
        }
    }

    /// The address of the value with a number in the row whose first value has the number `first` in the array, and what is to be added to the address.
    fn address(
        &mut self,
        data: Value,
        first: Value,
        element: i64,
        kind: Kind,
    ) -> Option<(Value, i32)> {
        let bytes = i64::from(kind.ty().bytes());
        let offset = self.builder.ins().imul_imm_u(first, bytes);
        let address = self.builder.ins().iadd(data, offset);
        Some((address, i32::try_from(element.checked_mul(bytes)?).ok()?))
    }

    /// A field of the row of a list. It is read each time, because calls change it.
    fn field(&mut self, list: u8, field: i32) -> Value {
        let flags = MemFlagsData::trusted();
        let offset = i32::from(list) * ListRow::BYTES + field;
        let lists = self.lists;
        self.builder.ins().load(types::I64, flags, lists, offset)
    }

    fn set_field(&mut self, list: u8, field: i32, value: Value) {
        let flags = MemFlagsData::trusted();
        let offset = i32::from(list) * ListRow::BYTES + field;
        let lists = self.lists;
        self.builder.ins().store(flags, value, lists, offset);
    }
}
