import * as z from 'zod';
import { floatsOf, fromWireWrite, rowOf, type RowWrite, WireWrite, writeOf } from './wire.ts';

/** A row to write with the count of its numbers in place of these. */
const CountedWrite = WireWrite.extend({ vector: z.number().int() });

const [headBytes, floatBytes] = [4, 4];
/** How a part begins that was kept as JSON, as they were before their numbers stood apart. */
const beginningOfJson = '['.codePointAt(0);

/**
 * Rows as one part: the length of what follows as a 32-bit number, JSON of the rows with the counts of their numbers, and
 * all numbers one after another; everything little-endian. As text the numbers take a third more room, and time to match.
 */
export const packRows = (rows: readonly RowWrite[]): Uint8Array => {
  const json = Buffer.from(JSON.stringify(rows.map((row) => writeOf(row, row.vector.length))));
  const numbers = rows.reduce((sum, { vector }) => sum + vector.length, 0);
  // One byte before the length tells the part from JSON.
  const part = Buffer.alloc(1 + headBytes + json.length + numbers * floatBytes);
  part.writeUInt32LE(json.length, 1);
  let at = 1 + headBytes + json.copy(part, 1 + headBytes);
  for (const { vector } of rows) {
    part.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), at);
    at += vector.byteLength;
  }
  return part;
};

/** The rows of a part. Their vectors share memory. */
export const unpackRows = (part: Uint8Array): readonly RowWrite[] => {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  if (bytes[0] === beginningOfJson) return z.array(WireWrite).parse(JSON.parse(bytes.toString())).map(fromWireWrite);
  const numbersAt = 1 + headBytes + bytes.readUInt32LE(1);
  const writes = z.array(CountedWrite).parse(JSON.parse(bytes.toString('utf8', 1 + headBytes, numbersAt)));
  const numbers = floatsOf(bytes.subarray(numbersAt));
  let at = 0;
  const rows = writes.map((write) => {
    const vector = numbers.subarray(at, at + write.vector);
    at += write.vector;
    return rowOf(write, vector);
  });
  if (at !== numbers.length) throw new Error(`a part has ${numbers.length} numbers for rows of ${at}`);
  return rows;
};
