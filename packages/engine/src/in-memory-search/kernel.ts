import { lazy } from '../../../../shared/kernel/memoize.ts';
import { compareWasm } from './compare-wasm.ts';

/** Exports of compare.as. Addresses and lengths are bytes. */
interface Exports {
  compare(
    rows: number,
    scales: number,
    count: number,
    bytes: number,
    query: number,
    out: number,
    euclidean: boolean,
  ): void;
  squaredLengths(rows: number, count: number, bytes: number, out: number): void;
}

/** A range of memory. */
interface Part {
  readonly at: number;
  readonly bytes: number;
}

/** The compiled functions with a memory of their own. */
interface Kernel<Name extends string> {
  readonly run: Exports;
  readonly parts: Readonly<Record<Name, Part>>;
  readonly floats: (part: Part) => Float32Array;
}

const pageBytes = 65_536;
/** Rows begin at a line of the processor's cache. */
const lineBytes = 64;

const upTo = (bytes: number, unit: number): number => Math.ceil(bytes / unit) * unit;

/** Returns the bytes of memory that parts of these sizes take. */
const extentOf = (sizes: Readonly<Record<string, number>>): number =>
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
  };
};
