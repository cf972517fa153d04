import * as z from 'zod';
import { floatsOf, fromWireWrite, rowOf, type RowWrite, WireWrite, writeOf } from './wire.ts';

/** A row to write with the count of its numbers in place of these. */
const CountedWrite = WireWrite.extend({ vector: z.number().int() });

/** The first byte is zero; parts that were kept as JSON, as they were before their numbers stood apart, begin otherwise. */
const lengthAt = 1;
const jsonAt = lengthAt + 4;
const floatBytes = 4;
const beginningOfJson = '['.codePointAt(0);

/**
 * Rows as one part: a zero, the length of the JSON as a 32-bit number, JSON of the rows with the counts of their numbers, and
 * all numbers one after another; everything little-endian. As text the numbers take a third more room, and time to match.
 */
export const packRows = (rows: readonly RowWrite[]): Uint8Array => {
  const json = Buffer.from(JSON.stringify(rows.map((row) => writeOf(row, row.vector.length))));
  const numbers = rows.reduce((sum, { vector }) => sum + vector.length, 0);
  const part = Buffer.alloc(jsonAt + json.length + numbers * floatBytes);
  part.writeUInt32LE(json.length, lengthAt);
  let at = jsonAt + json.copy(part, jsonAt);
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
  const numbersAt = jsonAt + bytes.readUInt32LE(lengthAt);
  const writes = z.array(CountedWrite).parse(JSON.parse(bytes.toString('utf8', jsonAt, numbersAt)));
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
