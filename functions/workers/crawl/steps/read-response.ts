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
import type { PageResponse } from '../../../../shared/platform/crawl/port.ts';
import type { PageFacts } from '../../../../shared/platform/crawl/read-page.ts';
import { forbidsIndex } from '../../../../shared/platform/crawl/robots-directives.ts';
import { judgeCanonical } from './judge-canonical.ts';
import { endRedirectLoop, followTarget, refreshTarget, maxRedirects } from './redirects.ts';
import { type SiteCrawl, generationOf, isIncluded, memoryOf, requestTo, sourceOf, startOf } from './crawl-context.ts';

const mebibyte = 1024 * 1024;

const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/** File name extensions of the documents that pages link to. */
const officeTypes: Readonly<Record<string, string>> = {
  [`${openXml}.wordprocessingml.document`]: '.docx',
  [`${openXml}.spreadsheetml.sheet`]: '.xlsx',
  [`${openXml}.presentationml.presentation`]: '.pptx',
  'application/msword': '.doc',
  [`${openDocument}.text`]: '.odt',
  [`${openDocument}.spreadsheet`]: '.ods',
  [`${openDocument}.presentation`]: '.odp',
  'application/rtf': '.rtf',
  'application/epub+zip': '.epub',
};

/** Maximum bytes by content type. Content without a type is read as a page. */
const maxBytesByType: ReadonlyMap<string, number> = new Map([
  ['', 10 * mebibyte],
  ['text/html', 10 * mebibyte],
  ['application/xhtml+xml', 10 * mebibyte],
  ['text/plain', 10 * mebibyte],
  ['text/markdown', 10 * mebibyte],
  ['application/pdf', 32 * mebibyte],
  ...Object.keys(officeTypes).map((type) => [type, 32 * mebibyte] as const),
]);

const typeOf = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

export const maxBytesOf = (contentType: string): number => maxBytesByType.get(typeOf(contentType)) ?? 0;

const extensions: Readonly<Record<string, string>> = {
  'text/plain': '.txt',
  'text/markdown': '.md',
  'application/pdf': '.pdf',
  ...officeTypes,
};

const maxNameLength = 200;

/** Returns a file name for the file job: the last part of the path, with an extension that fits the type. */
const filenameOf = (url: string, type: string): string => {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  const extension = extensions[type] ?? '.html';
  const stem = last
    .replace(/[^\w.%~-]/g, '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, maxNameLength);
  return stem.toLowerCase().endsWith(extension) ? stem : `${stem}${extension}`;
};

const notStored = (outcome: Ending['outcome'], why: Pick<Ending, 'reason' | 'detail'> = {}): Ending => ({
  outcome,
  textHash: null,
  ...why,
});

/** Adds the links of a page that stay on the site and within the depth limit; records the others as skipped. */
const addLinks = async (crawl: SiteCrawl, from: FrontierEntry, links: readonly string[]): Promise<void> => {
  const { state, frontier } = crawl;
  const found = links.flatMap((link): readonly Discovery[] => {
    const address = toPageAddress(link);
    return address === null ? [] : [{ address, kind: 'page', depth: from.depth + 1, from }];
  });
  const isOwn = ({ address }: Discovery): boolean => siteOf(address.url) === state.site;
  const [own = [], excluded = []] = [true, false].map((isWanted) =>
    found.filter((discovery) => isOwn(discovery) && isIncluded(crawl, discovery.address.url) === isWanted),
  );
  const isTooDeep = from.depth >= state.maxDepth;
  if (!isTooDeep) await frontier.add(own);
  await frontier.skip(
    found.filter((discovery) => !isOwn(discovery)),
    'out_of_scope',
  );
  await frontier.skip(excluded, 'excluded');
  if (isTooDeep) await frontier.skip(own, 'max_depth');
};

type PageContent = Omit<RememberedPage, 'hash' | 'depth' | 'url' | 'starts'>;

/** Stores a page in the index and in the site memory, and adds its links. */
const storePage = async (
  crawl: SiteCrawl,
  entry: FrontierEntry,
  page: PageContent,
  body: Uint8Array | (() => Promise<Uint8Array | null>),
): Promise<Ending> => {
  const { deps, lease, state, run, frontier } = crawl;
  if (!isIncluded(crawl, entry.url)) {
    // The first page leads to the others.
    await addLinks(crawl, entry, page.links);
    return notStored('excluded');
  }
  const holder = frontier.holderOf(page.textHash);
  if (holder !== null && holder.hash !== entry.hash) return notStored('duplicate', { detail: holder.url });
  const metadata = {
    ...state.metadata,
    url: entry.url,
    ...(page.title === null ? {} : { title: page.title }),
    ...(page.canonical === null ? {} : { canonical_url: page.canonical }),
  };
  const { filename, contentType, title, textHash } = page;
  const document = { externalId: entry.key, version: textHash, filename, contentType, body, metadata, title };
  const { outcome } = await putDocument(
    deps,
    sourceOf(crawl, state),
    { ...document, url: entry.url, generation: generationOf(state) },
    run.clock,
  );
  if (outcome === 'gone') return notStored('refused');
  const { hash, url, depth } = entry;
  const starts = new Map([[startOf(state), depth]]);
  await deps.store.remember(memoryOf(lease.address, state), { ...page, hash, url, depth, starts });
  await addLinks(crawl, entry, page.links);
  return { outcome, textHash };
};

/** Maximum bytes of a web page, 0 for other content. Only web pages can contain a `noindex`. */
export const maxWebPageBytes = (contentType: string): number =>
  extensions[typeOf(contentType)] === undefined ? maxBytesOf(contentType) : 0;

/** Whether a response forbids indexing, in its headers or in the page. */
export const hasNoindex = async (
  { deps }: SiteCrawl,
  { url }: FrontierEntry,
  answer: PageResponse,
): Promise<boolean> => {
  const { status, body, contentType, robotsTag } = answer;
  if (forbidsIndex(robotsTag)) return true;
  if (status !== 200 || body === null || maxWebPageBytes(contentType) === 0) return false;
  return (await deps.reader.page({ url, bytes: body, contentType, robotsTag }))?.noindex ?? false;
};

const followed = (facts: PageFacts): readonly string[] => (facts.nofollow ? [] : rememberedLinks(facts.links));

const readHtml = async (
  crawl: SiteCrawl,
  entry: FrontierEntry,
  answer: PageResponse,
  bytes: Uint8Array,
): Promise<Ending> => {
  const { contentType, robotsTag, refresh, etag, lastModified } = answer;
  const facts = await crawl.deps.reader.page({ url: entry.url, bytes, contentType, robotsTag, refresh });
  if (facts === null) return notStored('unsupported', { detail: contentType });
  const target = refreshTarget(crawl, entry, facts);
  if (target !== null && entry.redirects >= maxRedirects) return endRedirectLoop(crawl, entry, target);
  if (target !== null) return followTarget(crawl, entry, target);
  const links = followed(facts);
  const { gaveWayTo, isDisputed, named } = await judgeCanonical(crawl, entry, facts);
  if (gaveWayTo !== null) {
    // A later page of a list names the first as its canonical. Its own links appear nowhere else.
    await addLinks(crawl, entry, links);
    const why = { reason: 'canonical', detail: facts.canonical ?? '' } as const;
    return { ...notStored('duplicate', why), gaveWayTo, ...named };
  }
  if (facts.noindex || facts.textHash === null) {
    await addLinks(crawl, entry, links);
    if (facts.noindex) return notStored('noindex');
    return notStored('empty', facts.hasScripts ? { reason: 'needs_javascript' } : {});
  }
  // The site says that it has no such page, although its status does not.
  if (facts.standIn === 'not_found') return notStored('gone', { reason: 'soft_404' });
  if (facts.standIn === 'login') return notStored('refused', { reason: 'login_required' });
  const { title, canonical, textHash } = facts;
  const filename = filenameOf(entry.url, 'text/html');
  const type = contentType === '' ? 'text/html' : contentType;
  const page = {
    etag,
    lastModified,
    textHash,
    checkedAt: crawl.run.clock.now().toISOString(),
    filename,
    contentType: type,
    title,
    canonical,
    links,
    isDisputed,
  };
  return { ...(await storePage(crawl, entry, page, bytes)), ...named };
};

/** Stores a page that was fetched and returns its ending. */
export const readResponse = async (crawl: SiteCrawl, entry: FrontierEntry, answer: PageResponse): Promise<Ending> => {
  const { body, contentType, tooLarge, etag, lastModified } = answer;
  if (tooLarge) return notStored('too_large', { detail: `over ${maxBytesOf(contentType)} bytes` });
  const type = typeOf(contentType);
  if (body === null || maxBytesOf(contentType) === 0) return notStored('unsupported', { detail: contentType });
  if (extensions[type] === undefined) return readHtml(crawl, entry, answer, body);
  if (forbidsIndex(answer.robotsTag)) return notStored('noindex');
  if (body.length === 0) return notStored('empty');
  const textHash = createHash('sha256').update(body).digest('hex');
  const filename = filenameOf(entry.url, type);
  const checkedAt = crawl.run.clock.now().toISOString();
  const facts = { title: null, canonical: null, links: [] };
  const page = { etag, lastModified, textHash, checkedAt, filename, contentType, ...facts };
  return storePage(crawl, entry, page, body);
};

/**
 * Stores a page that has not changed. Its content is fetched again only if the index has lost it.
 * @param isRequested Whether the site was asked now (304), and not its sitemap.
 */
export const storeUnchanged = async (
  crawl: SiteCrawl,
  entry: FrontierEntry,
  { isRequested }: { readonly isRequested: boolean },
): Promise<Ending> => {
  const { deps, lease, state } = crawl;
  const page = await deps.store.remembered(memoryOf(lease.address, state), entry.hash);
  if (page === null) return notStored('refused');
  const checked = isRequested ? { ...page, checkedAt: crawl.run.clock.now().toISOString() } : page;
  return storePage(crawl, entry, checked, async () => {
    const answer = await deps.web.fetch({ ...requestTo(crawl, entry.url), limitBytes: maxBytesOf });
    return 'failure' in answer || answer.status !== 200 ? null : answer.body;
  });
};
