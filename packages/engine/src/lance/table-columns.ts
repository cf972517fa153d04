import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { memoize, memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { collectColumn, type FacetColumn, keptColumns } from '../facet-column.ts';
import type { IndexRef } from '../port.ts';
import type { IsMasked } from '../segments/base-table.ts';
import { columnOf } from './decode-rows.ts';

/** Numbers of rows by their addresses: the number of a fragment in the upper half, and of a row in it in the lower. */
interface RowNumbers {
  readonly rows: number;
  readonly of: (address: bigint) => number;
}

const rowBits = 32n;

/** Numbers the rows of a table in the order in which it is read. */
const rowNumbers = memoizePerOwner(async (table: Table): Promise<RowNumbers> => {
  const fragments = new Map<number, number[]>();
  let rows = 0;
  for await (const batch of table.query().select(['_rowid']).withRowId()) {
    const address = columnOf<bigint>(batch, '_rowid');
    for (let at = 0; at < batch.numRows; at += 1) {
      const found = address(at);
      const [fragment, row] = [Number(found >> rowBits), Number(BigInt.asUintN(32, found))];
      let numbers = fragments.get(fragment);
      if (numbers === undefined) fragments.set(fragment, (numbers = []));
      numbers[row] = rows;
      rows += 1;
    }
  }
  const packed = new Map([...fragments].map(([fragment, numbers]) => [fragment, Uint32Array.from(numbers)]));
  const of = (address: bigint): number =>
    packed.get(Number(address >> rowBits))?.[Number(BigInt.asUintN(32, address))] ?? 0;
  return { rows, of };
});

const maskedRows = memoizePerOwner<IsMasked, Map<Table, Promise<Uint8Array>>>(() => new Map());

/** Returns 1 for each row of a table that segments above it mask. */
const masksOf = (table: Table, isMasked: IsMasked): Promise<Uint8Array> =>
  memoize(maskedRows(isMasked), table, async () => {
    const { rows, of } = await rowNumbers(table);
    const masked = new Uint8Array(rows);
    for await (const batch of table.query().select(['id', '_rowid']).withRowId()) {
      const [id, address] = [columnOf<string>(batch, 'id'), columnOf<bigint>(batch, '_rowid')];
      for (let at = 0; at < batch.numRows; at += 1) if (isMasked(id(at))) masked[of(address(at))] = 1;
      await nextTurn();
    }
    return masked;
  });

/** Returns the numbers of the rows that satisfy a condition and are not masked. */
export const numbersOf = async (table: Table, where: string | undefined, isMasked: IsMasked): Promise<Uint32Array> => {
  const [{ rows, of }, masked] = await Promise.all([rowNumbers(table), masksOf(table, isMasked)]);
  const numbers = new Uint32Array(rows);
  let count = 0;
  const add = (number: number): void => {
    if (masked[number] === 1) return;
    numbers[count] = number;
    count += 1;
  };
  if (where === undefined) for (let number = 0; number < rows; number += 1) add(number);
  else
    for await (const batch of table.query().where(where).select(['_rowid']).withRowId()) {
      const address = columnOf<bigint>(batch, '_rowid');
      for (let at = 0; at < batch.numRows; at += 1) add(of(address(at)));
    }
  return numbers.subarray(0, count);
};

const columnsOf = memoizePerOwner<Table, LRUCache<string, Promise<{ readonly column: FacetColumn | null }>>>(
  () => new LRUCache({ max: keptColumns }),
);

/** Returns the values of a key in the rows of a table, by their numbers. Null: they are more than are counted. */
export const facetColumn = async (table: Table, ref: IndexRef, key: string): Promise<FacetColumn | null> => {
  const { column } = await memoize(columnsOf(table), key, async () => {
    const { add, column: collected } = collectColumn(ref, key);
    const { of } = await rowNumbers(table);
    let number = 0;
    for await (const batch of table.query().select(['meta', '_rowid']).withRowId()) {
      const [meta, address] = [columnOf<string>(batch, 'meta'), columnOf<bigint>(batch, '_rowid')];
      for (let at = 0; at < batch.numRows; at += 1, number += 1) {
        if (of(address(at)) !== number) throw new Error('two reads of a table had different orders');
        // Cast: the engine stored the JSON of an object.
        add(JSON.parse(meta(at)) as JsonObject);
      }
      await nextTurn();
    }
    return { column: collected() };
  });
  return column;
};
