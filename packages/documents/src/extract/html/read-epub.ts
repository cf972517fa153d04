import { oneLine } from '../../../../../shared/kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { openZip, type Archive } from '../containers/open-zip.ts';
import { resolvePart } from '../office/open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, parseXml, textIn, type XmlElement } from '../parse-xml.ts';
import { UnreadableFile } from '../port.ts';
import { pageBlocks } from './read-html.ts';

const isPage = (item: XmlElement): boolean => /html/.test(attributeOf(item, 'media-type') ?? '');

const partOf = (from: string, href: string): string => {
  try {
    return resolvePart(from, decodeURIComponent(href.split('#')[0] ?? ''));
  } catch {
    return resolvePart(from, href);
  }
};

const requireText = async (archive: Archive, part: string): Promise<string> => {
  const text = await archive.text(part);
  if (text === null) throw new UnreadableFile(`The book is damaged: its part ${part.slice(0, 100)} is missing`);
  return text;
};

/** Encrypted parts (DRM). Fonts may be obfuscated in free books too. */
const lockedParts = async (archive: Archive): Promise<ReadonlySet<string>> => {
  const text = await archive.text('META-INF/encryption.xml');
  const references = text === null ? [] : findAll(await parseXml(text), 'CipherReference');
  return new Set(references.map((reference) => partOf('', attributeOf(reference, 'URI') ?? '')));
};

/** Title of each part that the table of contents links to. */
type Contents = ReadonlyMap<string, string>;

const navigationPoints = (parent: XmlElement | undefined): readonly XmlElement[] =>
  childrenOf(parent, 'navPoint').flatMap((point) => [point, ...navigationPoints(point)]);

const isContents = (nav: XmlElement): boolean => /\btoc\b/.test(attributeOf(nav, 'type') ?? '');

/** Entries of a table of contents with their targets, as EPUB 3 or EPUB 2 writes them. */
const entriesOf = (root: XmlElement): readonly (readonly [string | undefined, XmlElement | undefined])[] => [
  ...findAll(findAll(root, 'nav').find(isContents), 'a').map((link) => [attributeOf(link, 'href'), link] as const),
  ...navigationPoints(findAll(root, 'navMap')[0]).map(
    (point) => [attributeOf(childOf(point, 'content'), 'src'), childOf(point, 'navLabel')] as const,
  ),
];

const readContents = async (archive: Archive, opf: string, items: Iterable<XmlElement>): Promise<Contents> => {
  const contents = new Map<string, string>();
  for (const item of items) {
    const isNavigation = /\bnav\b/.test(attributeOf(item, 'properties') ?? '');
    if (!isNavigation && !/dtbncx/.test(attributeOf(item, 'media-type') ?? '')) continue;
    const part = partOf(opf, attributeOf(item, 'href') ?? '');
    for (const [href, label] of entriesOf(await parseXml((await archive.text(part)) ?? ''))) {
      const target = partOf(part, href ?? '');
      if (!contents.has(target)) contents.set(target, oneLine(textIn(label)));
    }
  }
  return contents;
};

/**
 * Blocks of a page. Without a heading it gets its title from the table of contents. A page that is not in the table
 * continues the chapter before it, unless there is no table.
 */
const chapterBlocks = (blocks: readonly Block[], part: string, contents: Contents): readonly Block[] => {
  const [first, ...rest] = blocks;
  const title = contents.get(part) ?? '';
  if (first === undefined || first.level !== null || (contents.size > 0 && !contents.has(part))) return blocks;
  if (title === '' || rest.some(({ level }) => level !== null)) return [{ ...first, isApart: true }, ...rest];
  return [{ text: title, level: 1 }, ...(oneLine(first.text) === title ? rest : blocks)];
};

/** Reads EPUB in the order of its spine; the book's title is the outermost heading. */
export const readEpub: FormatReader = async ({ bytes }) => {
  const archive = await openZip(bytes);
  const container = await parseXml(await requireText(archive, 'META-INF/container.xml'));
  const opf = partOf('', attributeOf(findAll(container, 'rootfile')[0], 'full-path') ?? '');
  const book = childOf(await parseXml(await requireText(archive, opf)), 'package');
  const items = new Map(findAll(childOf(book, 'manifest'), 'item').map((item) => [attributeOf(item, 'id'), item]));
  const locked = await lockedParts(archive);
  const contents = await readContents(archive, opf, items.values());
  const title = oneLine(textIn(findAll(childOf(book, 'metadata'), 'title')[0]));
  const blocks: Block[] = title === '' ? [] : [{ text: title, level: 0 }];
  for (const reference of childrenOf(childOf(book, 'spine'), 'itemref')) {
    const item = items.get(attributeOf(reference, 'idref'));
    if (item === undefined || !isPage(item)) continue;
    const part = partOf(opf, attributeOf(item, 'href') ?? '');
    if (locked.has(part)) throw new UnreadableFile('The book is protected by its seller (DRM)');
    const page = await archive.text(part);
    if (page === null) continue;
    for (const block of chapterBlocks([...(await pageBlocks(page))], part, contents)) blocks.push(block);
  }
  return openBlocks(blocks);
};
