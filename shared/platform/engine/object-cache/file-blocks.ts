import { LRUCache } from 'lru-cache';

/** Bytes of a block, the unit of the cache. */
export const blockBytes = 64 * 1024;
/** Bytes that are read around a block of a file. Scattered reads of larger files would fill the network with what is not used. */
const readAheadBytes = 1024 * 1024;
const maxReadAheadFile = 64 * 1024 * 1024;
/** Bytes before the first range of a file that are read with it. Files of that size are read whole, from their end on. */
const firstReadBytes = 1024 * 1024;
/** Longer ranges are read once, by compactions and builds, and would displace all others. */
const maxCachedRange = 2 * 1024 * 1024;
/** Larger files that are written are not cached. */
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

/** Reads a range of a file, or all of it, from the object store. Throws where it is not answered with bytes. */
export type ReadPart = (range: ByteRange | null) => Promise<FilePart>;

/** Blocks of files that never change, in memory. */
export interface FileBlocks {
  /** A range of a file, or all of it, with the size of the file. */
  readonly read: (path: string, range: ByteRange | null, readPart: ReadPart) => Promise<FilePart>;
  /** Size of a file; null if it is not known. */
  readonly sizeOf: (path: string) => number | null;
  /** Adds a file that has been written. */
  readonly add: (path: string, bytes: Buffer) => void;
  readonly forget: (path: string) => void;
}

const blockOf = (position: number): number => Math.floor(position / blockBytes);

/** The range that is read for one that is not cached. */
const widened = ({ start, end }: ByteRange, size: number | null): ByteRange => {
  if (size === null)
    return {
      start: Math.max(0, blockOf(start) * blockBytes - firstReadBytes),
      end: (blockOf(end) + 1) * blockBytes - 1,
    };
  const unit = size <= maxReadAheadFile ? readAheadBytes : blockBytes;
  return { start: Math.floor(start / unit) * unit, end: Math.min(size, Math.ceil((end + 1) / unit) * unit) - 1 };
};

/** @param maxBytes Memory for all blocks together; those that were read longest ago are removed. */
export const fileBlocks = (maxBytes: number): FileBlocks => {
  const blocks = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length + 100 });
  const sizes = new LRUCache<string, number>({ max: 20_000 });
  /** Blocks that are being read. */
  const pending = new Map<string, Promise<unknown>>();

  const keep = (path: string, { start, size, bytes }: FilePart): void => {
    sizes.set(path, size);
    for (let block = Math.ceil(start / blockBytes); block * blockBytes < start + bytes.length; block += 1) {
      const from = block * blockBytes - start;
      const isWhole = from + blockBytes <= bytes.length || start + bytes.length === size;
      // A copy: a slice would keep all bytes that were read with it.
      if (isWhole) blocks.set(`${path}#${block}`, Buffer.from(bytes.subarray(from, from + blockBytes)));
    }
  };

  /** The blocks of a range; null if one of them is missing. */
  const cached = (path: string, range: ByteRange, size: number): FilePart | null => {
    const [first, last] = [blockOf(range.start), blockOf(Math.min(range.end, size - 1))];
    const found: Buffer[] = [];
    for (let block = first; block <= last; block += 1) {
      const bytes = blocks.get(`${path}#${block}`);
      if (bytes === undefined) return null;
      found.push(bytes);
    }
    const from = range.start - first * blockBytes;
    const all = found.length === 1 && found[0] !== undefined ? found[0] : Buffer.concat(found);
    return { start: range.start, size, bytes: all.subarray(from, from + range.end - range.start + 1) };
  };

  /** Reads a range with what lies around it. Readers of the same blocks wait for one request. */
  const fetch = async (path: string, range: ByteRange | null, readPart: ReadPart): Promise<FilePart> => {
    const wide = range && widened(range, sizes.get(path) ?? null);
    const part = await readPart(wide);
    keep(path, part);
    if (range === null) return part;
    const from = range.start - part.start;
    return {
      start: range.start,
      size: part.size,
      bytes: part.bytes.subarray(from, from + range.end - range.start + 1),
    };
  };

  const read: FileBlocks['read'] = async (path, range, readPart) => {
    for (;;) {
      const size = sizes.get(path);
      const wanted = range ?? (size === undefined ? null : { start: 0, end: size - 1 });
      const known = size === undefined || wanted === null ? null : cached(path, wanted, size);
      if (known !== null) return known;
      if (range !== null && range.end - range.start >= maxCachedRange) return readPart(range);
      // One request after the other finds out how large a file is; then one for each group of blocks.
      const key = size === undefined || wanted === null ? path : `${path}#${widened(wanted, size).start}`;
      const other = pending.get(key);
      if (other === undefined) {
        const reading = fetch(path, range, readPart);
        pending.set(key, reading);
        return reading.finally(() => pending.delete(key));
      }
      await other.catch(() => undefined);
    }
  };

  return {
    read,
    sizeOf: (path) => sizes.get(path) ?? null,
    add: (path, bytes) => {
      if (bytes.length <= maxAddedBytes) keep(path, { start: 0, size: bytes.length, bytes });
    },
    forget: (path) => {
      const size = sizes.get(path) ?? 0;
      for (let block = 0; block * blockBytes < size; block += 1) blocks.delete(`${path}#${block}`);
      sizes.delete(path);
    },
  };
};
