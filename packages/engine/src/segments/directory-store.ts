import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ByteRange, ObjectPart, ObjectStore } from './object-store.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const isPresent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** End of the names of files that are being written. */
const unfinished = '.part';

/** Writes a file and its name to the disk. */
const writeSynced = async (path: string, parts: readonly Buffer[]): Promise<void> => {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(parts);
    await file.sync();
  } finally {
    await file.close();
  }
};

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};

/** Creates the directories of a path, and writes their names to the disk. */
const createDirectories = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made));
};

/** Returns the result of reading files. Null: they do not exist. */
const orNull = async <Result>(reading: Promise<Result>): Promise<Result | null> => {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const readFile = async (path: string, range: ByteRange): Promise<ObjectPart> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const at = 'last' in range ? Math.max(0, size - range.last) : range.at;
    const bytes = Buffer.allocUnsafeSlow(Math.min('last' in range ? range.last : range.bytes, size - at));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    return { bytes: bytes.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
};

/** Removes a directory and those above it, up to a root, that are empty. */
const removeEmpty = async (path: string, root: string): Promise<void> => {
  for (let empty = path; empty.length > root.length; empty = dirname(empty)) {
    try {
      await rmdir(empty);
    } catch {
      return;
    }
  }
};

/** Times that a file is written again because its empty directory was removed. */
const maxCreations = 5;

const createFile = async (path: string, body: readonly Buffer[]): Promise<boolean> => {
  for (let time = 1; time < maxCreations; time += 1) {
    try {
      return await createOnce(path, body);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return createOnce(path, body);
};

const createOnce = async (path: string, body: readonly Buffer[]): Promise<boolean> => {
  await createDirectories(dirname(path));
  const draft = `${path}.${randomUUID()}${unfinished}`;
  try {
    await writeSynced(draft, body);
    // Unlike a rename, a link fails if the name is taken.
    await link(draft, path);
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (isPresent(error)) return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
};

const listFiles = async (path: string): Promise<readonly { readonly path: string; readonly writtenAt: Date }[]> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(unfinished))
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = paths.map(async (file) => {
    const status = await orNull(stat(file));
    return status === null ? [] : [{ path: file, writtenAt: status.mtime }];
  });
  return (await Promise.all(found)).flat();
};

/** Opens objects that are files of a directory. A file appears complete or not at all. */
export const directoryStore = (directory: string): ObjectStore => {
  const pathOf = (key: string): string => join(directory, key);
  return {
    name: directory,
    read: (key, range) => orNull(readFile(pathOf(key), range)),
    create: (key, body) => createFile(pathOf(key), body),
    list: async (prefix) =>
      ((await orNull(listFiles(pathOf(prefix)))) ?? [])
        .map(({ path, writtenAt }) => ({ key: relative(directory, path), writtenAt }))
        .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    remove: async (keys) => {
      await Promise.all(keys.map((key) => rm(pathOf(key), { force: true })));
      for (const path of new Set(keys.map((key) => dirname(pathOf(key))))) await removeEmpty(path, directory);
    },
  };
};
