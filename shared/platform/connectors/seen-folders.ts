import { createHash } from 'node:crypto';

/** Digests of folders of a scope, twelve characters each; null if there are too many. */
export type SeenFolders = string | null;

const keyLetters = 8;
const rowLetters = 12;

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

/** A folder, and what of it decides where its contents are, such as name and parent. */
export interface SeenFolder {
  readonly id: string;
  readonly looks: readonly unknown[];
}

const looksOf = ({ looks }: SeenFolder): string => digest(JSON.stringify(looks), rowLetters - keyLetters);

/** Adds a folder; null if that exceeds `maxLength` characters. */
export const withSeen = (seen: SeenFolders, folder: SeenFolder, maxLength: number): SeenFolders => {
  if (seen === null || seen.length >= maxLength) return null;
  return `${seen}${digest(folder.id, keyLetters)}${looksOf(folder)}`;
};

/** Compares a folder with its state when it was added. */
export const recall = (seen: string, folder: SeenFolder): 'unknown' | 'same' | 'changed' => {
  const key = digest(folder.id, keyLetters);
  for (let at = 0; at < seen.length; at += rowLetters)
    if (seen.startsWith(key, at)) return seen.startsWith(looksOf(folder), at + keyLetters) ? 'same' : 'changed';
  return 'unknown';
};
