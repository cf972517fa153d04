import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, copyFile, link, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** SHA-256 in hexadecimal. */
export const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

const allMayRead = 0o444;

/** Lambda runs as another user, and a deployment keeps file modes. With umask 077 Lambda could not read its own code. */
const isPrivate = ({ mode }: Stats): boolean => (mode & allMayRead) !== allMayRead;

/** Replaces `path` atomically: a reader sees the old or the new file. All users may read the new one. */
const replace = async (path: string, make: (temporary: string) => Promise<void>): Promise<void> => {
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await make(temporary);
  const made = await stat(temporary);
  if (isPrivate(made)) await chmod(temporary, made.mode | allMayRead);
  await rename(temporary, path);
};

/** Writes a file, unless it has this content already. */
export const writeIfChanged = async (path: string, content: Uint8Array): Promise<void> => {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(content)) return;
  await replace(path, (temporary) => writeFile(temporary, content));
};

/** Whether `target` was written since `source` changed, and so is the copy of it that was made. */
const isCopy = (target: Stats, source: Stats): boolean =>
  target.size === source.size && target.mtimeMs >= source.ctimeMs && !isPrivate(target);

/** Makes `to` the same file as `from`, or a copy where the file system has no hard links or not all may read the file. */
export const linkFile = async (from: string, to: string): Promise<void> => {
  const [source, target] = await Promise.all([stat(from), stat(to).catch(() => null)]);
  const copy = (temporary: string): Promise<void> => copyFile(from, temporary);
  if (isPrivate(source)) {
    if (target === null || !isCopy(target, source)) await replace(to, copy);
  } else if (target?.ino !== source.ino || target.dev !== source.dev) {
    await replace(to, (temporary) => link(from, temporary).catch(() => copy(temporary)));
  }
};
