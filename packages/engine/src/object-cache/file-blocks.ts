import { LRUCache } from 'lru-cache';

/** Bytes of a block, the unit of the cache. */
const blockBytes = 64 * 1024;
/**
 * Bytes that are read around a block of a file. Wider reads of scattered blocks would fill the network with unused
 * bytes.
 */
const readAheadBytes = 1024 * 1024;
const maxReadAheadFile = 64 * 1024 * 1024;
/** Bytes before the first range of a file that are read with it. Files of that size are read whole, from their end. */
const firstReadBytes = 1024 * 1024;
/** Longer ranges are not cached: compactions and builds read them once, and they would evict all others. */
const maxCachedRange = 2 * 1024 * 1024;
/** Larger files are not cached when they are written. */
export const maxAddedBytes = 16 * 1024 * 1024;

/** A range of bytes, inclusive as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes of a file from `start` on, and the size of the whole file. */
export interface FilePart {
  readonly start: number;
  readonly size: number;
  readonly bytes: Buffer;
}

/** Reads a range of a file, or all of it, from the object store. Throws if the response has no bytes. */
type ReadPart = (range: ByteRange | null) => Promise<FilePart>;

/** Blocks of immutable files, in memory. */
export interface FileBlocks {
  /** Returns a range of a file, or all of it, with the size of the file. */
  readonly read: (path: string, range: ByteRange | null, readPart: ReadPart) => Promise<FilePart>;
  /** Size of a file; null if it is not known. */
  readonly sizeOf: (path: string) => number | null;
  /** Adds a file that has been written. */
  readonly add: (path: string, bytes: Buffer) => void;
  readonly forget: (path: string) => void;
}

const blockOf = (position: number): number => Math.floor(position / blockBytes);

/** Returns the range to read for a range that is not cached. */
const widened = ({ start, end }: ByteRange, size: number | null): ByteRange => {
  if (size === null)
    return {
      start: Math.max(0, blockOf(start) * blockBytes - firstReadBytes),
      end: (blockOf(end) + 1) * blockBytes - 1,
    };
  const unit = size <= maxReadAheadFile ? readAheadBytes : blockBytes;
  return { start: Math.floor(start / unit) * unit, end: Math.min(size, Math.ceil((end + 1) / unit) * unit) - 1 };
};

/** Known blocks and sizes of files. */
interface KnownFiles {
  readonly blocks: LRUCache<string, Buffer>;
  readonly sizes: LRUCache<string, number>;
  /** Blocks that are being read. */
  readonly pending: Map<string, Promise<unknown>>;
}

const keep = ({ blocks, sizes }: KnownFiles, path: string, { start, size, bytes }: FilePart): void => {
  sizes.set(path, size);
  for (let block = Math.ceil(start / blockBytes); block * blockBytes < start + bytes.length; block += 1) {
    const from = block * blockBytes - start;
    const isWhole = from + blockBytes <= bytes.length || start + bytes.length === size;
    // A copy: a slice would keep all bytes that were read with it.
    if (isWhole) blocks.set(`${path}#${block}`, Buffer.from(bytes.subarray(from, from + blockBytes)));
  }
};

/** Returns the bytes of a range that a part contains. */
const cut = ({ start, size, bytes }: FilePart, range: ByteRange): FilePart => {
  const from = range.start - start;
  return { start: range.start, size, bytes: bytes.subarray(from, from + range.end - range.start + 1) };
};

/** Returns a range of a file from the cache. Null if a block of it is missing. */
const cached = ({ blocks }: KnownFiles, path: string, range: ByteRange, size: number): FilePart | null => {
  const [first, last] = [blockOf(range.start), blockOf(Math.min(range.end, size - 1))];
  const found: Buffer[] = [];
  for (let block = first; block <= last; block += 1) {
    const bytes = blocks.get(`${path}#${block}`);
    if (bytes === undefined) return null;
    found.push(bytes);
  }
  const bytes = found.length === 1 && found[0] !== undefined ? found[0] : Buffer.concat(found);
  return cut({ start: first * blockBytes, size, bytes }, range);
};

/** Reads a range from the store, with the bytes around it. */
const fetchPart = async (
  files: KnownFiles,
  path: string,
  range: ByteRange | null,
  readPart: ReadPart,
): Promise<FilePart> => {
  const part = await readPart(range && widened(range, files.sizes.get(path) ?? null));
  keep(files, path, part);
  return range === null ? part : cut(part, range);
};

const readFrom = async (
  files: KnownFiles,
  path: string,
  range: ByteRange | null,
  readPart: ReadPart,
): Promise<FilePart> => {
  const { sizes, pending } = files;
  for (;;) {
    const size = sizes.get(path);
    const wanted = range ?? (size === undefined ? null : { start: 0, end: size - 1 });
    const known = size === undefined || wanted === null ? null : cached(files, path, wanted, size);
    if (known !== null) return known;
    if (range !== null && range.end - range.start >= maxCachedRange) return readPart(range);
    // Sequential requests find out the size of a file. Then there is one request for each group of blocks.
    const key = size === undefined || wanted === null ? path : `${path}#${widened(wanted, size).start}`;
    const other = pending.get(key);
    if (other === undefined) {
      const reading = fetchPart(files, path, range, readPart);
      pending.set(key, reading);
      return reading.finally(() => pending.delete(key));
    }
    await other.catch(() => undefined);
  }
};

/** @param maxBytes Memory for all blocks together. The least recently read are evicted. */
export const fileBlocks = (maxBytes: number): FileBlocks => {
  const files: KnownFiles = {
    blocks: new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ length }) => length + 100 }),
    sizes: new LRUCache({ max: 20_000 }),
    pending: new Map(),
  };
  return {
    read: (path, range, readPart) => readFrom(files, path, range, readPart),
    sizeOf: (path) => files.sizes.get(path) ?? null,
    add: (path, bytes) => {
      if (bytes.length <= maxAddedBytes) keep(files, path, { start: 0, size: bytes.length, bytes });
    },
    forget: (path) => {
      const size = files.sizes.get(path) ?? 0;
      for (let block = 0; block * blockBytes < size; block += 1) files.blocks.delete(`${path}#${block}`);
      files.sizes.delete(path);
    },
  };
};
