import * as z from 'zod';
import { floatsOf, rowOf, type RowWrite, WireWrite, writeOf } from './wire.ts';

/** Row to write, with the number of its dimensions in place of the vector. */
const CountedWrite = WireWrite.extend({ vector: z.number().int() });

const jsonAt = 4;
const floatBytes = 4;

/**
 * Packs rows into one part, little-endian: the length of the JSON as a 32-bit number, the rows as JSON without
 * vectors, and the float32 values of all vectors. As text, vectors would take a third more bytes, and more time to parse.
 */
export const packRows = (rows: readonly RowWrite[]): Uint8Array => {
  const json = Buffer.from(JSON.stringify(rows.map((row) => writeOf(row, row.vector.length))));
  const numbers = rows.reduce((sum, { vector }) => sum + vector.length, 0);
  const part = Buffer.alloc(jsonAt + json.length + numbers * floatBytes);
  part.writeUInt32LE(json.length);
  let at = jsonAt + json.copy(part, jsonAt);
  for (const { vector } of rows) {
    part.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), at);
    at += vector.byteLength;
  }
  return part;
};

/** Unpacks the rows of a part. Their vectors share memory. */
export const unpackRows = (part: Uint8Array): readonly RowWrite[] => {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  const numbersAt = jsonAt + bytes.readUInt32LE();
  const writes = z.array(CountedWrite).parse(JSON.parse(bytes.toString('utf8', jsonAt, numbersAt)));
  const numbers = floatsOf(bytes.subarray(numbersAt));
  let at = 0;
  const rows = writes.map((write) => {
    const vector = numbers.subarray(at, at + write.vector);
    at += write.vector;
    return rowOf(write, vector);
  });
  if (at !== numbers.length) throw new Error(`the part has ${numbers.length} numbers, but its rows need ${at}`);
  return rows;
};
