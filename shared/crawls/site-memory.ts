import { flagOf, membersOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';

/** A page that crawls have stored in an index, remembered for the next crawl. */
export interface RememberedPage {
  readonly hash: string;
  readonly url: string;
  /** Links from the first page of the crawl that found it last. */
  readonly depth: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly textHash: string;
  /** When the page was last requested; absent for pages of an external crawler. */
  readonly checkedAt?: string | null;
  /** Attributes of the stored document. */
  readonly filename: string;
  readonly contentType: string;
  readonly title: string | null;
  readonly canonical: string | null;
  /** Whether the page was stored despite its canonical, because different pages name the same canonical. */
  readonly isDisputed?: boolean;
  /** Links of the page. */
  readonly links: readonly string[];
  /** Fewest links from the first page of each crawl that found it, by the hash of that first page. */
  readonly starts: ReadonlyMap<string, number>;
}

export const siteSourceId = (site: string): string => `web-${site}`;

export const memoryPartition = (organizationId: string, indexId: string, site: string): string =>
  `SITE#${organizationId}#${indexId}#${site}`;

/** Maximum total characters of the links that are stored with a page. */
const maxLinksLength = 150_000;

/** Returns the links that fit the maximum. */
export const rememberedLinks = (links: readonly string[]): readonly string[] => {
  let room = maxLinksLength;
  return links.filter((link) => {
    const fits = link.length <= room;
    if (fits) room -= link.length;
    return fits;
  });
};

/** Encodes first pages and their distances as members of a set. */
export const toStartMembers = (starts: RememberedPage['starts']): ReadonlySet<string> =>
  new Set([...starts].map(([hash, depth]) => `${hash}#${depth}`));

/** Maximum number of first pages stored with a page. */
const maxStarts = 200;

/**
 * Merges stored and new first pages, with the fewest links from each.
 * Beyond the maximum, those that follow the new one in hash order are dropped, so that each merge drops others.
 */
export const joinStarts = (known: RememberedPage['starts'], found: RememberedPage['starts']) => {
  const starts = new Map(known);
  for (const [hash, depth] of found) starts.set(hash, Math.min(depth, known.get(hash) ?? Infinity));
  const [newest = ''] = found.keys();
  const others = [...known.keys()].filter((hash) => !found.has(hash)).toSorted();
  const place = others.filter((hash) => hash < newest).length;
  const fromNewest = [...others.slice(place), ...others.slice(0, place)];
  for (const hash of fromNewest.slice(0, Math.max(0, starts.size - maxStarts))) starts.delete(hash);
  return starts;
};

/** Decodes first pages. Merges have added several distances of one. */
const toStarts = (members: ReadonlySet<string>): RememberedPage['starts'] => {
  const starts = new Map<string, number>();
  for (const member of members) {
    const [hash = '', depth] = member.split('#');
    starts.set(hash, Math.min(Number(depth), starts.get(hash) ?? Infinity));
  }
  return starts;
};

export const toRemembered = (item: Item): RememberedPage => ({
  hash: item.sk,
  url: item['url'] as string,
  depth: item['depth'] as number,
  etag: textOf(item, 'etag'),
  lastModified: textOf(item, 'last_modified'),
  textHash: item['text_hash'] as string,
  checkedAt: textOf(item, 'checked_at'),
  filename: item['filename'] as string,
  contentType: item['content_type'] as string,
  title: textOf(item, 'title'),
  canonical: textOf(item, 'canonical'),
  isDisputed: flagOf(item, 'disputed'),
  links: JSON.parse(item['links'] as string) as string[],
  starts: toStarts(membersOf(item, 'starts')),
});

export const toRememberedAttributes = (page: RememberedPage) => ({
  url: page.url,
  depth: page.depth,
  etag: page.etag ?? undefined,
  last_modified: page.lastModified ?? undefined,
  text_hash: page.textHash,
  checked_at: page.checkedAt ?? undefined,
  filename: page.filename,
  content_type: page.contentType,
  title: page.title ?? undefined,
  canonical: page.canonical ?? undefined,
  disputed: page.isDisputed === true ? true : undefined,
  links: JSON.stringify(page.links),
});
