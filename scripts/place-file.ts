import { createHash, randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** SHA-256 in hexadecimal. */
export const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Whoever reads `path` meanwhile sees the old file or the new one, never a part. */
const replace = async (path: string, make: (temporary: string) => Promise<void>): Promise<void> => {
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await make(temporary);
  await rename(temporary, path);
};

/** Writes a file, unless it has this content already. */
export const writeIfChanged = async (path: string, content: Uint8Array): Promise<void> => {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(content)) return;
  await replace(path, (temporary) => writeFile(temporary, content));
};

/** Makes `to` the same file as `from`, or a copy of it where the file system has no hard links. */
export const linkFile = async (from: string, to: string): Promise<void> => {
  const [source, target] = await Promise.all([stat(from), stat(to).catch(() => null)]);
  if (target?.ino === source.ino && target.dev === source.dev) return;
  await replace(to, (temporary) => link(from, temporary).catch(() => copyFile(from, temporary)));
};
