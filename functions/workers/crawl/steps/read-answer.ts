import { createHash } from 'node:crypto';
import {
  type Discovery,
  type Ending,
  type FrontierEntry,
  rememberedLinks,
  type RememberedPage,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import { putDocument } from '../../../../shared/documents/index.ts';
import type { PageAnswer } from '../../../../shared/platform/crawl/port.ts';
import type { PageFacts } from '../../../../shared/platform/crawl/read-page.ts';
import { forbidsIndex } from '../../../../shared/platform/crawl/robots-directives.ts';
import { judgeCanonical } from './judge-canonical.ts';
import { endlessRedirect, leadOn, leadsTo, maxHops } from './lead-on.ts';
import { type Crawling, generationOf, memoryOf, sourceOf, startOf } from './working.ts';

const mebibyte = 1024 * 1024;

/** Most bytes of each kind of content that is taken; what has no type is looked at as a page. */
const longestByType: ReadonlyMap<string, number> = new Map([
  ['', 10 * mebibyte],
  ['text/html', 10 * mebibyte],
  ['application/xhtml+xml', 10 * mebibyte],
  ['text/plain', 10 * mebibyte],
  ['text/markdown', 10 * mebibyte],
  ['application/pdf', 32 * mebibyte],
]);

const typeOf = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

export const limitBytes = (contentType: string): number => longestByType.get(typeOf(contentType)) ?? 0;

const extensions: Readonly<Record<string, string>> = {
  'text/plain': '.txt',
  'text/markdown': '.md',
  'application/pdf': '.pdf',
};

const longestName = 200;

/** A label for the file job: the last part of the path, with an extension that says what it is. */
const filenameOf = (url: string, type: string): string => {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  const extension = extensions[type] ?? '.html';
  const stem = last
    .replace(/[^\w.%~-]/g, '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, longestName);
  return stem.toLowerCase().endsWith(extension) ? stem : `${stem}${extension}`;
};

const nothing = (outcome: Ending['outcome'], why: Pick<Ending, 'reason' | 'detail'> = {}): Ending => ({
  outcome,
  textHash: null,
  ...why,
});

/** Goes on with the links of a page, as far as they are of the site and not too deep. */
const addLinks = async (
  { state, frontier }: Crawling,
  from: FrontierEntry,
  links: readonly string[],
): Promise<void> => {
  const found = links.flatMap((link): readonly Discovery[] => {
    const address = toPageAddress(link);
    return address === null ? [] : [{ address, kind: 'page', depth: from.depth + 1, from }];
  });
  const isOwn = ({ address }: Discovery): boolean => siteOf(address.url) === state.site;
  const own = found.filter(isOwn);
  const isTooDeep = from.depth >= state.maxDepth;
  if (!isTooDeep) await frontier.add(own);
  await frontier.passOver(
    found.filter((discovery) => !isOwn(discovery)),
    'out_of_scope',
  );
  if (isTooDeep) await frontier.passOver(own, 'max_depth');
};

type Kept = Omit<RememberedPage, 'hash' | 'depth' | 'url' | 'starts'>;

/** Puts a page into the index, remembers it for the next crawl, and goes on with its links. */
const keep = async (
  crawling: Crawling,
  entry: FrontierEntry,
  page: Kept,
  body: Uint8Array | (() => Promise<Uint8Array | null>),
): Promise<Ending> => {
  const { deps, hold, state, run, frontier } = crawling;
  const holder = frontier.holderOf(page.textHash);
  if (holder !== null && holder.hash !== entry.hash) return nothing('duplicate', { detail: holder.url });
  const metadata = {
    url: entry.url,
    ...(page.title === null ? {} : { title: page.title }),
    ...(page.canonical === null ? {} : { canonical_url: page.canonical }),
  };
  const { filename, contentType, title, textHash } = page;
  const document = { externalId: entry.key, version: textHash, filename, contentType, body, metadata, title };
  const { outcome } = await putDocument(
    deps,
    sourceOf(crawling, state),
    { ...document, url: entry.url, generation: generationOf(state) },
    run.clock,
  );
  if (outcome === 'gone') return nothing('refused');
  const { hash, url, depth } = entry;
  const starts = new Map([[startOf(state), depth]]);
  await deps.work.remember(memoryOf(hold.address, state), { ...page, hash, url, depth, starts });
  await addLinks(crawling, entry, page.links);
  return { outcome, textHash };
};

/** The same of web pages alone, which may ask in themselves not to be indexed. */
export const webPageBytes = (contentType: string): number =>
  extensions[typeOf(contentType)] === undefined ? limitBytes(contentType) : 0;

/** Whether an answer asks not to be indexed, in its headers or as a page. */
export const asksNotToBeIndexed = async (
  { deps }: Crawling,
  { url }: FrontierEntry,
  answer: PageAnswer,
): Promise<boolean> => {
  const { status, body, contentType, robotsTag } = answer;
  if (forbidsIndex(robotsTag)) return true;
  if (status !== 200 || body === null || webPageBytes(contentType) === 0) return false;
  return (await deps.reader.page({ url, bytes: body, contentType, robotsTag }))?.noindex ?? false;
};

const followed = (facts: PageFacts): readonly string[] => (facts.nofollow ? [] : rememberedLinks(facts.links));

const readHtml = async (
  crawling: Crawling,
  entry: FrontierEntry,
  answer: PageAnswer,
  bytes: Uint8Array,
): Promise<Ending> => {
  const { contentType, robotsTag, refresh, etag, lastModified } = answer;
  const facts = await crawling.deps.reader.page({ url: entry.url, bytes, contentType, robotsTag, refresh });
  if (facts === null) return nothing('unsupported', { detail: contentType });
  const target = leadsTo(crawling, entry, facts);
  if (target !== null && entry.hops >= maxHops) return endlessRedirect(crawling, entry, target);
  if (target !== null) return leadOn(crawling, entry, target);
  const links = followed(facts);
  const { gaveWayTo, isDisputed, named } = await judgeCanonical(crawling, entry, facts);
  if (gaveWayTo !== null) {
    // A later part of a list names the first as its original; what it lists is nowhere else.
    await addLinks(crawling, entry, links);
    const why = { reason: 'canonical', detail: facts.canonical ?? '' } as const;
    return { ...nothing('duplicate', why), gaveWayTo, ...named };
  }
  if (facts.noindex || facts.textHash === null) {
    await addLinks(crawling, entry, links);
    if (facts.noindex) return nothing('noindex');
    return nothing('empty', facts.hasScripts ? { reason: 'needs_javascript' } : {});
  }
  const { title, canonical, textHash } = facts;
  const filename = filenameOf(entry.url, 'text/html');
  const type = contentType === '' ? 'text/html' : contentType;
  const page = {
    etag,
    lastModified,
    textHash,
    filename,
    contentType: type,
    title,
    canonical,
    links,
    isDisputed,
  };
  return { ...(await keep(crawling, entry, page, bytes)), ...named };
};

/** What becomes of a page that was read. */
export const readAnswer = async (crawling: Crawling, entry: FrontierEntry, answer: PageAnswer): Promise<Ending> => {
  const { body, contentType, tooLarge, etag, lastModified } = answer;
  if (tooLarge) return nothing('too_large', { detail: `over ${limitBytes(contentType)} bytes` });
  const type = typeOf(contentType);
  if (body === null || limitBytes(contentType) === 0) return nothing('unsupported', { detail: contentType });
  if (extensions[type] === undefined) return readHtml(crawling, entry, answer, body);
  if (forbidsIndex(answer.robotsTag)) return nothing('noindex');
  if (body.length === 0) return nothing('empty');
  const textHash = createHash('sha256').update(body).digest('hex');
  const filename = filenameOf(entry.url, type);
  const page = { etag, lastModified, textHash, filename, contentType, title: null, canonical: null, links: [] };
  return keep(crawling, entry, page, body);
};

/** What becomes of a page that is as it was. Its content is asked for again only where the index has lost it. */
export const readUnchanged = async (crawling: Crawling, entry: FrontierEntry): Promise<Ending> => {
  const { deps, hold, state, cookies } = crawling;
  const page = await deps.work.remembered(memoryOf(hold.address, state), entry.hash);
  if (page === null) return nothing('refused');
  return keep(crawling, entry, page, async () => {
    const answer = await deps.web.fetch({ url: entry.url, limitBytes, cookie: cookies.headerFor(entry.url) });
    return 'failure' in answer || answer.status !== 200 ? null : answer.body;
  });
};
