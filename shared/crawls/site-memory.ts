import { membersOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/table.ts';

/** What crawls of an index remember of a page that is in it, for the next time. */
export interface RememberedPage {
  readonly hash: string;
  readonly url: string;
  readonly depth: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly textHash: string;
  /** As the document was stored: version, title and the like. */
  readonly filename: string;
  readonly contentType: string;
  readonly title: string | null;
  readonly canonical: string | null;
  /** Where the page leads. */
  readonly links: readonly string[];
  /** Hashes of the first pages of the crawls that found it. */
  readonly starts: ReadonlySet<string>;
}

export const siteSourceId = (site: string): string => `web-${site}`;

export const memoryPartition = (organizationId: string, indexId: string, site: string): string =>
  `SITE#${organizationId}#${indexId}#${site}`;

/** Most characters of links that are remembered of a page. */
const longestLinks = 150_000;

/** As many links as there is room for. */
export const rememberedLinks = (links: readonly string[]): readonly string[] => {
  let room = longestLinks;
  return links.filter((link) => {
    const fits = link.length <= room;
    if (fits) room -= link.length;
    return fits;
  });
};

export const toRemembered = (item: Item): RememberedPage => ({
  hash: item.sk,
  url: item['url'] as string,
  depth: item['depth'] as number,
  etag: textOf(item, 'etag'),
  lastModified: textOf(item, 'last_modified'),
  textHash: item['text_hash'] as string,
  filename: item['filename'] as string,
  contentType: item['content_type'] as string,
  title: textOf(item, 'title'),
  canonical: textOf(item, 'canonical'),
  links: JSON.parse(item['links'] as string) as string[],
  starts: membersOf(item, 'starts'),
});

export const toRememberedAttributes = (page: RememberedPage) => ({
  url: page.url,
  depth: page.depth,
  etag: page.etag ?? undefined,
  last_modified: page.lastModified ?? undefined,
  text_hash: page.textHash,
  filename: page.filename,
  content_type: page.contentType,
  title: page.title ?? undefined,
  canonical: page.canonical ?? undefined,
  links: JSON.stringify(page.links),
});
