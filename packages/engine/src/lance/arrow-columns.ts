import type { Data, FixedSizeList, Float32, Vector } from 'apache-arrow';

/**
 * Builds Arrow columns from values. The builders of the library work value by value, which takes five times as long.
 */
export interface ArrowColumns {
  readonly texts: (values: readonly (string | null)[]) => Vector;
  /** 32 bits each. */
  readonly integers: (values: readonly (number | null)[]) => Vector;
  readonly textLists: (values: readonly (readonly string[])[]) => Vector;
  /** Lists of 64-bit numbers. */
  readonly numberLists: (values: readonly (readonly number[])[]) => Vector;
  /** If a vector is shorter than the column's type, the rest is zero. */
  readonly vectors: (values: readonly Float32Array[], type: FixedSizeList<Float32>) => Vector;
}

/** Packs flags into bits, padded to the buffer length of Arrow. */
const bitsOf = (flags: readonly boolean[]): Uint8Array => {
  const bits = new Uint8Array(Math.ceil(flags.length / 64) * 8);
  flags.forEach((flag, at) => {
    if (flag) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  });
  return bits;
};

const validity = (values: readonly unknown[]) => {
  const present = values.map((value) => value !== null);
  return {
    length: values.length,
    nullCount: present.reduce((count, isThere) => count + (isThere ? 0 : 1), 0),
    nullBitmap: bitsOf(present),
  };
};

/** Returns the offset of each part, and the end of the last one. */
const offsetsOf = (lengths: readonly number[]): Int32Array => {
  const offsets = new Int32Array(lengths.length + 1);
  lengths.forEach((length, at) => {
    offsets[at + 1] = (offsets[at] ?? 0) + length;
  });
  return offsets;
};

/** Loads apache-arrow at the first call, because modules that only read the declarations do not need it. */
export const arrowColumns = async (): Promise<ArrowColumns> => {
  const { Field, Float32, Float64, Int32, List, makeData, makeVector, Utf8 } = await import('apache-arrow');

  const textData = (values: readonly (string | null)[]): Data => {
    const offsets = offsetsOf(values.map((value) => (value === null ? 0 : Buffer.byteLength(value))));
    const data = Buffer.alloc(offsets.at(-1) ?? 0);
    values.forEach((value, at) => {
      if (value !== null) data.write(value, offsets[at] ?? 0);
    });
    return makeData({ type: new Utf8(), ...validity(values), valueOffsets: offsets, data });
  };

  const lists = (values: readonly (readonly unknown[])[], child: Data): Vector =>
    makeVector(
      makeData({
        type: new List(new Field('item', child.type, true)),
        length: values.length,
        nullCount: 0,
        valueOffsets: offsetsOf(values.map(({ length }) => length)),
        child,
      }),
    );

  return {
    texts: (values) => makeVector(textData(values)),
    integers: (values) => {
      const data = Int32Array.from(values, (value) => value ?? 0);
      return makeVector(makeData({ type: new Int32(), ...validity(values), data }));
    },
    textLists: (values) => lists(values, textData(values.flat())),
    numberLists: (values) => lists(values, makeData({ type: new Float64(), data: Float64Array.from(values.flat()) })),
    vectors: (values, type) => {
      const data = new Float32Array(values.length * type.listSize);
      values.forEach((value, at) => {
        data.set(value, at * type.listSize);
      });
      const child = makeData({ type: new Float32(), data });
      return makeVector(makeData({ type, length: values.length, nullCount: 0, child }));
    },
  };
};
