import type { JsonObject } from '../../../shared/kernel/json.ts';
import { ownNames } from '../../../shared/kernel/row-metadata.ts';
import { headOf, oneLine } from '../../../shared/kernel/text.ts';
import { documentOfChunk } from './item-id.ts';

/** Item that a result cites: a document, or a row of an index. */
interface Cited {
  readonly indexId: string;
  readonly itemId: string;
  readonly metadata: JsonObject;
  readonly file: { readonly job_id: string; readonly filename: string | null } | null;
  readonly text?: string | null;
}

const maxTitleCharacters = 200;
const maxMetadataBytes = 2_000;

const textAt = (metadata: JsonObject, name: string): string | null => {
  const value = metadata[name];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
};

/** Returns the title of an item: that in its metadata, its file name, or the beginning of its text. */
export const titleOf = ({ itemId, metadata, file, text = null }: Cited): string =>
  headOf(oneLine(textAt(metadata, 'title') ?? file?.filename ?? text ?? itemId), maxTitleCharacters);

/** Returns a text as a parameter of the console, which parses parameters that are JSON. */
const parameter = (text: string): string => {
  try {
    JSON.parse(text);
    return encodeURIComponent(JSON.stringify(text));
  } catch {
    return encodeURIComponent(text);
  }
};

/**
 * Returns an address that a person can open: that of the item at its source, or its page of the console. The page shows a
 * passage with the words of a query marked.
 */
export const urlOf = ({ indexId, itemId, metadata, file }: Cited, origin: string, query?: string): string => {
  const url = textAt(metadata, 'url');
  if (url !== null && /^https?:\/\//i.test(url)) return url;
  const index = `${origin}/console#/indexes/${indexId}`;
  if (file === null) return `${index}/rows`;
  const document = `${index}/files/${file.job_id}`;
  if (documentOfChunk(itemId) !== file.job_id) return document;
  const passage = `${document}?row=${parameter(itemId)}`;
  return query === undefined ? passage : `${passage}&q=${parameter(query)}`;
};

/** Returns an address at which browsers open a PDF at a page, or a recording at a second. Other addresses stay as they are. */
export const atPassage = (url: string, page: number | null, second: number | undefined): string => {
  if (url.includes('#')) return url;
  if (page !== null && /\.pdf(?:\?|$)/i.test(url)) return `${url}#page=${page}`;
  return second !== undefined && /\.(?:mp[34]|webm|ogg|m4a|wav)(?:\?|$)/i.test(url)
    ? `${url}#t=${Math.floor(second)}`
    : url;
};

const own: ReadonlySet<string> = new Set(ownNames);

/** Returns the metadata that callers gave an item; none if it is too large for a conversation. */
export const givenMetadata = (metadata: JsonObject): JsonObject => {
  const given = Object.fromEntries(Object.entries(metadata).filter(([name]) => !own.has(name)));
  return Buffer.byteLength(JSON.stringify(given)) > maxMetadataBytes ? {} : given;
};
