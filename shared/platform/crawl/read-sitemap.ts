import { gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';

/** What a sitemap lists: pages, or further sitemaps. */
export interface Sitemap {
  readonly kind: 'pages' | 'sitemaps';
  readonly urls: readonly string[];
}

/** Most bytes of a sitemap after decompression, and most addresses of one. Source: sitemaps.org, "Sitemap file location". */
const sitemapBytes = 50 * 1024 * 1024;
const sitemapUrls = 50_000;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const inflate = (bytes: Uint8Array): Uint8Array | null => {
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: sitemapBytes });
  } catch {
    return null;
  }
};

const readXml = (text: string): Sitemap => {
  const urls: string[] = [];
  const open: string[] = [];
  let kind: Sitemap['kind'] = 'pages';
  let value = '';
  const parser = new Parser(
    {
      onopentagname: (name) => {
        open.push(name.replace(/^.*:/, ''));
        if (open.length === 1 && open[0] === 'sitemapindex') kind = 'sitemaps';
        value = '';
      },
      ontext: (part) => {
        if (open.at(-1) === 'loc') value += part;
      },
      onclosetag: () => {
        const [name, parent] = [open.pop(), open.at(-1)];
        const counts = name === 'loc' && (parent === 'url' || parent === 'sitemap');
        if (counts && urls.length < sitemapUrls) urls.push(value.trim());
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return { kind, urls };
};

/**
 * Reads a sitemap: XML, an index of sitemaps, or plain text with an address a line; gzipped or not. Null for what is none
 * or too large. The addresses are as they are listed; not checked.
 */
export const readSitemap = (bytes: Uint8Array): Sitemap | null => {
  const inflated = inflate(bytes);
  if (inflated === null || inflated.length > sitemapBytes) return null;
  const text = new TextDecoder().decode(inflated);
  if (/<(?:\w+:)?(?:urlset|sitemapindex)\b/.test(text.slice(0, 4096))) return readXml(text);
  const lines = text.slice(0, sitemapBytes).split(/\r?\n/).slice(0, sitemapUrls);
  const urls = lines.map((line) => line.trim()).filter((line) => /^https?:\/\//i.test(line));
  return urls.length === 0 ? null : { kind: 'pages', urls };
};
