import * as z from 'zod';
import { HeaderName, HeaderValue } from '../http/request-headers.ts';

export type CrawlHeaders = Readonly<Record<string, string>>;

const maxHeaders = 20;
const maxCharacters = 16 * 1024;

/** Headers that identify the crawler or negotiate the response. */
const crawlerHeaders = /^(accept|accept-encoding|user-agent|range|if-.+)$/;

/** Headers by name in lower case. */
export const CrawlHeaders = z
  .record(HeaderName, HeaderValue)
  .superRefine((headers, context) => {
    const issue = (message: string, path: readonly string[] = []) =>
      context.addIssue({ code: 'custom', message, path: [...path], input: headers });
    const names = Object.keys(headers);
    if (names.length > maxHeaders) issue(`a crawl may have at most ${maxHeaders} headers`);
    if (JSON.stringify(headers).length > maxCharacters)
      issue(`the headers may have at most ${maxCharacters} characters together`);
    const seen = new Set<string>();
    for (const name of names) {
      const lower = name.toLowerCase();
      if (crawlerHeaders.test(lower)) issue('this header is set by the crawler', [name]);
      if (seen.has(lower)) issue('this header is given twice', [name]);
      seen.add(lower);
    }
  })
  .describe(
    'Headers of each request to the site of `url`, such as `authorization` or `cookie`. Stored encrypted, never returned, and sent to no other host.',
  );

/** Returns headers with their names in lower case. */
export const lowerNames = (headers: CrawlHeaders): CrawlHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
