import type { JsonObject } from '../../kernel/json.ts';

/** The text at a name of an object; empty where there is none. */
export const textAt = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

const fileNameLength = 120;

/** A name that people give things, as that of a file; `untitled` where nothing of it is left. */
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
