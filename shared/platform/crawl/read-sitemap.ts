import { Readable } from 'node:stream';
import { Parser } from 'htmlparser2';
import { decodeBody } from '../../kernel/decode-body.ts';
import { hourMs } from '../../kernel/durations.ts';

/** Content of a sitemap: pages, or further sitemaps. */
export interface Sitemap {
  readonly kind: 'pages' | 'sitemaps';
  readonly urls: readonly string[];
  /** Latest time at which a page may have changed (ISO 8601), by address, as far as the sitemap states it. */
  readonly modified?: Readonly<Record<string, string>>;
}

/**
 * Maximum bytes of a sitemap after decompression, and maximum addresses. Source: sitemaps.org, "Sitemap file location".
 */
export const sitemapBytes = 50 * 1024 * 1024;
const sitemapUrls = 50_000;

const pieceBytes = 64 * 1024;
/** Maximum length of a line or element; longer ones contain no usable address. */
const maxLineLength = 4096;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const piecesOf = function* (bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
};

/** Detects UTF-16 by its byte order mark, or by the bytes of the first character of XML. */
const charsetOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff || (first === 0x3c && second === 0)) return 'utf-16le';
  return first === 0xfe || (first === 0 && second === 0x3c) ? 'utf-16be' : 'utf-8';
};

/** Yields the text of a sitemap in pieces, decompressed as it is read. Ends at damaged data. */
const textsOf = async function* (bytes: Uint8Array): AsyncIterable<string> {
  const packed = isGzip(bytes) ? decodeBody(Readable.from([bytes]), 'gzip', { mayLackEnd: true }) : null;
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let left = sitemapBytes;
  try {
    for await (const piece of packed ?? piecesOf(bytes)) {
      // Decompressed chunks are bytes.
      const part = (piece as Uint8Array).subarray(0, left);
      decoder ??= new TextDecoder(charsetOf(part));
      yield decoder.decode(part, { stream: true });
      left -= part.byteLength;
      if (left === 0) return;
    }
  } catch {
    // The text before the damage is valid.
  }
};

interface Reader {
  /** Whether it is a sitemap even if it lists nothing. */
  readonly isNamed: () => boolean;
  readonly kind: () => Sitemap['kind'];
  readonly urls: string[];
  readonly modified: Map<string, string>;
  readonly take: (text: string) => void;
}

/** Maximum depth that is parsed. Sitemaps are flatter, and the parser's time grows with the depth. */
const maxDepth = 100;

const roots: ReadonlyMap<string, Sitemap['kind']> = new Map([
  ['urlset', 'pages'],
  ['sitemapindex', 'sitemaps'],
  // Feeds are sitemaps too. Source: sitemaps.org, "Other Sitemap formats".
  ['rss', 'pages'],
  ['RDF', 'pages'],
  ['feed', 'pages'],
]);

/** Elements of feeds that have a page. */
const entries: ReadonlySet<string | undefined> = new Set(['item', 'entry']);

/** Hours by which the date of a place may end after that of UTC. */
const dateLagHours = 12;

/**
 * Returns the end of the time that a sitemap or feed states: of a date its end anywhere on earth. Null for less than a
 * date. Source: W3C, "Date and Time Formats".
 */
const endOfTime = (text: string): string | null => {
  const [, day, time = '', zone = ''] = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const lagMs = zone === '' ? (dateLagHours + (time === '' ? 24 : 0)) * hourMs : 0;
  const at = Date.parse(time === '' ? day : `${day}${time}${zone === '' ? 'Z' : zone}`) + lagMs;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

/** Elements with the time of the last change of a page: of sitemaps, and of entries of Atom. */
const timed: ReadonlyMap<string, string> = new Map([
  ['lastmod', 'url'],
  ['updated', 'entry'],
]);

/** Reads XML incrementally. An address counts once its element has ended. */
const xmlReader = (): Reader => {
  const urls: string[] = [];
  const modified = new Map<string, string>();
  /** Addresses of the current element before it began, and its time. */
  let [listed, changedAt]: [number, string | null] = [0, null];
  const open: string[] = [];
  let kind: Sitemap['kind'] | null = null;
  let value = '';
  const parser = new Parser(
    {
      onopentag: (name, { href, rel = 'alternate' }) => {
        const local = name.replace(/^.*:/, '');
        // The link of an entry of Atom.
        if (name === 'link' && href !== undefined && rel === 'alternate' && entries.has(open.at(-1)))
          urls.push(href.slice(0, maxLineLength).trim());
        open.push(local);
        if (open.length === 2 || entries.has(local)) [listed, changedAt] = [urls.length, null];
        kind ??= roots.get(local) ?? null;
        value = '';
      },
      ontext: (part) => {
        const name = open.at(-1) ?? '';
        if ((name === 'loc' || name === 'link' || timed.has(name)) && value.length <= maxLineLength) value += part;
      },
      onclosetag: () => {
        const [name, parent] = [open.pop(), open.at(-1)];
        const isLoc = name === 'loc' && (parent === 'url' || parent === 'sitemap');
        const isLink = name === 'link' && parent === 'item';
        if ((isLoc || isLink) && value.trim() !== '' && value.length <= maxLineLength) urls.push(value.trim());
        if (name !== undefined && timed.get(name) === parent) changedAt = endOfTime(value);
        if ((name === 'url' || name === 'entry') && changedAt !== null)
          for (const url of urls.slice(listed)) modified.set(url, changedAt);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return {
    isNamed: () => kind !== null,
    kind: () => kind ?? 'pages',
    urls,
    modified,
    take: (text) => {
      if (open.length <= maxDepth) parser.write(text);
    },
  };
};

const isAddress = /^\s*https?:\/\//i;

/** Reads one address for each line. A line counts once it has ended. */
const lineReader = (): Reader => {
  const urls: string[] = [];
  let rest = '';
  return {
    isNamed: () => false,
    kind: () => 'pages',
    urls,
    modified: new Map(),
    take: (text) => {
      const [first = '', ...others] = text.split(/\r?\n/);
      // A line that is too long already is not extended with each piece.
      const begun = rest.length > maxLineLength ? rest : `${rest}${first}`;
      const lines = others.length === 0 ? [] : [begun, ...others.slice(0, -1)];
      rest = others.at(-1) ?? begun;
      urls.push(
        ...lines.filter((line) => line.length <= maxLineLength && isAddress.test(line)).map((line) => line.trim()),
      );
    },
  };
};

/**
 * Whether a text is XML. An XML declaration or comment may precede the root by any length; other text is searched
 * briefly.
 */
const isXml = (text: string): boolean =>
  /^\s*<[?!]/.test(text) || /<(?:\w+:)?(?:urlset|sitemapindex|rss|RDF|feed)\b/.test(text.slice(0, 4096));

/**
 * Reads a sitemap: XML, a sitemap index, or plain text with one address for each line; gzipped or not. Null if it is
 * none.
 * Of a file that is too large or damaged, the beginning is read. The addresses are not validated.
 * @param isCut Whether the bytes are only the beginning.
 */
export const readSitemap = async (bytes: Uint8Array, isCut = false): Promise<Sitemap | null> => {
  let reader: Reader | null = null;
  for await (const text of textsOf(bytes)) {
    reader ??= isXml(text) ? xmlReader() : lineReader();
    reader.take(text);
    if (reader.urls.length >= sitemapUrls) break;
  }
  // The last line of a file need not end.
  if (!isCut) reader?.take('\n');
  if (reader === null || (!reader.isNamed() && reader.urls.length === 0)) return null;
  const { urls, modified } = reader;
  const times = modified.size === 0 ? {} : { modified: Object.fromEntries(modified) };
  return { kind: reader.kind(), urls: urls.slice(0, sitemapUrls), ...times };
};
