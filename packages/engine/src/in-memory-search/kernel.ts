import { lazy } from '../../../../shared/kernel/memoize.ts';
import { compareWasm } from './compare-wasm.ts';

/** Exports of compare.as. Addresses and lengths are bytes. */
interface Exports {
  compare(
    rows: number,
    scales: number,
    places: number,
    count: number,
    bytes: number,
    query: number,
    out: number,
    euclidean: boolean,
  ): void;
  squaredLengths(rows: number, count: number, bytes: number, out: number): void;
  addUp(rows: number, scales: number, count: number, bytes: number, out: number): void;
  sketch(
    row: number,
    scale: number,
    mean: number,
    signs: number,
    bytes: number,
    scratch: number,
    size: number,
    bits: number,
    out: number,
    first: number,
    firstBytes: number,
  ): number;
  estimate(
    sketches: number,
    bytes: number,
    classes: number,
    radii: number,
    places: number,
    count: number,
    query: number,
    twice: number,
    lowest: number,
    perBin: number,
    lastBin: number,
    bins: number,
    histogram: number,
  ): void;
  pick(
    first: number,
    firstBytes: number,
    classes: number,
    count: number,
    query: number,
    limits: number,
    out: number,
  ): number;
  collect(bins: number, places: number, count: number, last: number, out: number): number;
}

/** A range of memory. */
export interface Part {
  readonly at: number;
  readonly bytes: number;
}

/** The compiled functions with a memory of their own. */
export interface Kernel<Name extends string> {
  readonly run: Exports;
  readonly parts: Readonly<Record<Name, Part>>;
  readonly floats: (part: Part) => Float32Array;
  readonly integers: (part: Part) => Uint32Array;
  readonly halves: (part: Part) => Uint16Array;
  readonly bytes: (part: Part) => Uint8Array;
}

const pageBytes = 65_536;
/** Rows begin at a line of the processor's cache. */
const lineBytes = 64;

const upTo = (bytes: number, unit: number): number => Math.ceil(bytes / unit) * unit;

/** Returns the bytes of memory that parts of these sizes take. */
export const extentOf = (sizes: Readonly<Record<string, number>>): number =>
  upTo(
    Object.values(sizes).reduce((sum, bytes) => sum + upTo(bytes, lineBytes), lineBytes),
    pageBytes,
  );

const compiled = lazy(() => new WebAssembly.Module(Buffer.from(compareWasm, 'base64')));

/** Allocates memory with a part of each size. Throws a RangeError if the machine does not have that much memory. */
export const openKernel = <Name extends string>(sizes: Readonly<Record<Name, number>>): Kernel<Name> => {
  const pages = extentOf(sizes) / pageBytes;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(compiled(), { env: { memory } });
  let at = lineBytes;
  const parts: Partial<Record<Name, Part>> = {};
  for (const name of Object.keys(sizes) as Name[]) {
    parts[name] = { at, bytes: sizes[name] };
    at += upTo(sizes[name], lineBytes);
  }
  return {
    // Cast: these are the functions of the module.
    run: exports as unknown as Exports,
    parts: parts as Record<Name, Part>,
    floats: (part) => new Float32Array(memory.buffer, part.at, part.bytes / 4),
    integers: (part) => new Uint32Array(memory.buffer, part.at, part.bytes / 4),
    halves: (part) => new Uint16Array(memory.buffer, part.at, part.bytes / 2),
    bytes: (part) => new Uint8Array(memory.buffer, part.at, part.bytes),
  };
};
