import type { JsonObject } from './json.ts';

/** Metadata names for the location of a file's row in its source. */
export const locationNames = [
  'slide',
  'sheet',
  'row_start',
  'row_end',
  'line_start',
  'line_end',
  'start_seconds',
  'end_seconds',
  'message',
  'attachment',
  'ocr_confidence',
] as const;

/** Metadata names that the service sets for chunks. Those of a location are set only if the source has it. */
export const ownNames = ['heading_path', 'chunk', 'start', 'end', ...locationNames] as const;

/**
 * Metadata name under which a row is stored with the time at which it expires, in milliseconds since 1970. Callers see it beside
 * the metadata.
 */
export const expiryKey = '$expires_at';

/** Maximum bytes of the metadata of a row or document as JSON. */
export const maxMetadataBytes = 40 * 1024;

/**
 * Allowance for metadata that the service sets: about seven titles and two names of 200 characters, at six bytes of
 * JSON each.
 */
const ownBytes = 16 * 1024;

const own: ReadonlySet<string> = new Set([...ownNames, expiryKey]);

const bytesOf = (entries: readonly (readonly [string, unknown])[]): number =>
  Buffer.byteLength(JSON.stringify(Object.fromEntries(entries)));

/**
 * Returns the bytes of a row's metadata as JSON that count against `maxMetadataBytes`.
 * Metadata that the service sets is excluded, so that every row of a file can be changed and written back.
 */
export const rowMetadataBytes = (metadata: JsonObject): number => {
  const { custom = [], system = [] } = Object.groupBy(Object.entries(metadata), ([name]) =>
    own.has(name) ? 'system' : 'custom',
  );
  return bytesOf(custom) + Math.max(0, bytesOf(system) - ownBytes);
};

/** Maximum characters of the headings that are searched with a text. */
const maxHeadingCharacters = 1_000;

/** Returns the headings above a chunk, outermost first. Callers can write this metadata too, so it is checked. */
export const headingPathOf = ({ heading_path: path }: JsonObject): readonly string[] =>
  Array.isArray(path) ? path.filter((heading) => typeof heading === 'string') : [];

/**
 * Returns the headings that are embedded and searched with the text of a file's row, outermost first. Headings that the
 * text contains are left out, and outer ones beyond a total of 1,000 characters.
 */
export const searchedHeadings = (metadata: JsonObject, text: string): readonly string[] => {
  if (text === '') return [];
  const headings: string[] = [];
  let room = maxHeadingCharacters;
  for (const heading of headingPathOf(metadata).toReversed()) {
    room -= heading.length;
    if (room < 0) break;
    if (heading.trim() !== '' && !text.includes(heading)) headings.unshift(heading);
  }
  return headings;
};

/** Returns a text under its headings, one line each, as it is embedded. */
export const embeddedText = ({
  text,
  metadata,
}: {
  readonly text: string | null;
  readonly metadata: JsonObject;
}): string => [...searchedHeadings(metadata, text ?? ''), text ?? ''].join('\n');
