import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Consecutive bytes of an object: one whole blob file. */
export interface Segment {
  readonly blob: string;
  readonly size: number;
}

export interface BlobFiles {
  /** Streams to a new file and resolves to its name once the bytes are on disk. A failure leaves no file. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<string>;
  /** Yields the bytes `first` to `last` (inclusive) of the joined segments. The blobs have to be held meanwhile. */
  read(segments: readonly Segment[], first: number, last: number): AsyncIterable<Uint8Array>;
  /** Keeps the files until the returned function is called, even if they are removed. */
  hold(blobs: readonly string[]): () => void;
  /** Removes files that no row refers to any more. */
  remove(blobs: readonly string[]): void;
  /** Removes every file for which `isReferenced` is false. Only for a store that serves no requests yet. */
  sweep(isReferenced: (blob: string) => boolean): Promise<void>;
}

/**
 * Opens bodies as files with random names in one directory. A file is invisible until a database row refers to it, so it
 * is written in place. A file that a crash left incomplete has no row, and the next sweep removes it.
 */
export const openBlobFiles = (directory: string, onError: (error: unknown) => void): BlobFiles => {
  mkdirSync(directory, { recursive: true });
  const readers = new Map<string, number>();
  const doomed = new Set<string>();
  const path = (blob: string): string => join(directory, blob);
  const unlink = (blob: string): Promise<void> => rm(path(blob), { force: true }).catch(onError);

  const write = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
    const blob = randomUUID();
    try {
      await pipeline(chunks, createWriteStream(path(blob), { flags: 'wx', flush: true, highWaterMark: 1_048_576 }));
      await syncDirectory(directory);
      return blob;
    } catch (error) {
      await unlink(blob);
      throw error;
    }
  };

  const release = (blob: string): void => {
    const left = (readers.get(blob) ?? 1) - 1;
    if (left > 0) readers.set(blob, left);
    else {
      readers.delete(blob);
      if (doomed.delete(blob)) void unlink(blob);
    }
  };

  return {
    write,
    read: (segments, first, last) => readSegments(segments, first, last, path),
    hold: (blobs) => {
      for (const blob of blobs) readers.set(blob, (readers.get(blob) ?? 0) + 1);
      return () => blobs.forEach(release);
    },
    remove: (blobs) => {
      for (const blob of blobs) {
        if (readers.has(blob)) doomed.add(blob);
        else void unlink(blob);
      }
    },
    sweep: async (isReferenced) => {
      const orphans = (await readdir(directory)).filter((blob) => !isReferenced(blob));
      for (const blob of orphans) await unlink(blob);
    },
  };
};

async function* readSegments(
  segments: readonly Segment[],
  first: number,
  last: number,
  path: (blob: string) => string,
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const { blob, size } of segments) {
    const start = Math.max(first - offset, 0);
    const end = Math.min(last - offset, size - 1);
    if (start <= end) yield* createReadStream(path(blob), { start, end, highWaterMark: 262_144 });
    offset += size;
  }
}

// A new file's name is durable only once its directory is. Windows has no such call and refuses to open one.
const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
