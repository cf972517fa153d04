import {
  type Ending,
  type FrontierEntry,
  type PageAddress,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import type { PageFacts } from '../../../../shared/platform/crawl/read-page.ts';
import { isSimilar } from '../../../../shared/platform/crawl/text-fingerprint.ts';
import { maxRedirects, requeued } from './redirects.ts';
import { type SiteCrawl, memoryOf, ownSite } from './crawl-context.ts';

/** Returns the canonical page on this site that a page names; null if it names itself or another site. */
const namedOriginal = ({ state }: SiteCrawl, entry: FrontierEntry, canonical: string | null): PageAddress | null => {
  const target = canonical === null ? null : toPageAddress(canonical);
  return target === null || target.hash === entry.hash || siteOf(target.url) !== state.site ? null : target;
};

const pathOf = (url: string): string => new URL(url).pathname;

/**
 * Whether pages contradict each other about their canonical: two with different texts, at different paths, name the
 * same.
 * Templates often name the home page on every page, so such a canonical is ignored.
 * Pages that were left out for it are queued again.
 */
const isDisputed = async (
  crawl: SiteCrawl,
  entry: FrontierEntry,
  { canonical, fingerprint }: PageFacts,
  target: PageAddress,
): Promise<boolean> => {
  const { deps, lease, frontier } = crawl;
  /** A variant with other parameters, or a page that the canonical redirects to, is no contradiction. */
  const isOwn = ({ url, hash }: FrontierEntry): boolean =>
    pathOf(url) === pathOf(target.url) || frontier.leadsTo(target.hash, hash);
  if (fingerprint === null || isOwn(entry)) return false;
  const others = frontier
    .naming(target.hash)
    .filter(
      (other) =>
        other.hash !== entry.hash && !isOwn(other) && !isSimilar(other.fingerprint ?? fingerprint, fingerprint),
    );
  for (const other of others)
    if (other.reason === 'canonical') await frontier.change(other, { ...requeued, stands: true });
  if (others.length > 0) return true;
  const remembered = await deps.store.remembered(memoryOf(lease.address, ownSite(entry)), entry.hash);
  return remembered?.isDisputed === true && remembered.canonical === canonical;
};

/** Queues the canonical page and returns its hash; null if the page itself is to be read. */
const originalOf = async (
  { frontier }: SiteCrawl,
  entry: FrontierEntry,
  target: PageAddress,
): Promise<string | null> => {
  if (entry.stands || entry.redirects >= maxRedirects) return null;
  await frontier.follow(entry, target);
  const outcome = frontier.get(target.hash)?.outcome ?? null;
  return outcome === null || outcome === 'stored' || outcome === 'unchanged' ? target.hash : null;
};

/** Decision about the canonical that a page names. */
interface Judgement {
  /** Hash of the page that is read in place of this one; null if this one is read. */
  readonly gaveWayTo: string | null;
  /** Whether other pages contradict the canonical. */
  readonly isDisputed: boolean;
  /** Attributes of the ending with which later pages are compared. */
  readonly named: Pick<Ending, 'original' | 'fingerprint'>;
}

/** Decides whether a page is left out in favor of its canonical. */
export const judgeCanonical = async (crawl: SiteCrawl, entry: FrontierEntry, facts: PageFacts): Promise<Judgement> => {
  const original = namedOriginal(crawl, entry, facts.canonical);
  if (original === null) return { gaveWayTo: null, isDisputed: false, named: {} };
  const named = facts.fingerprint === null ? {} : { original: original.hash, fingerprint: facts.fingerprint };
  const disputed = await isDisputed(crawl, entry, facts, original);
  return { gaveWayTo: disputed ? null : await originalOf(crawl, entry, original), isDisputed: disputed, named };
};
