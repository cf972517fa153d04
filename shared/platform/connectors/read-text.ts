import type { JsonObject } from '../../kernel/json.ts';

/** Returns the string at a name of an object; empty if there is none. */
export const textAt = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

const fileNameLength = 120;

/** Converts a title to a file name; `untitled` if no characters remain. */
export const fileNameOf = (title: string, ending: string): string => {
  const name = title
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[ .]+/, '')
    .slice(0, fileNameLength)
    .trim()
    .toWellFormed();
  return `${name === '' ? 'untitled' : name}${ending}`;
};

/** Splits a file name into base and extension. */
export const splitFileName = (name: string): readonly [string, string] => {
  const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? '';
  return [name.slice(0, name.length - ending.length), ending];
};
