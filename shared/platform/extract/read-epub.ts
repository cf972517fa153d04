import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { openZip, type Archive } from './open-zip.ts';
import { resolvePart } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, parseXml, textIn, type XmlElement } from './parse-xml.ts';
import { UnreadableFile } from './port.ts';
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

/** Parts that only a reader with the key can open; fonts may be veiled in books that are free to read. */
const lockedParts = async (archive: Archive): Promise<ReadonlySet<string>> => {
  const text = await archive.text('META-INF/encryption.xml');
  const references = text === null ? [] : findAll(await parseXml(text), 'CipherReference');
  return new Set(references.map((reference) => partOf('', attributeOf(reference, 'URI') ?? '')));
};

/** Reads EPUB in the order of its spine; the book's title is the outermost heading. */
export const readEpub: FormatReader = async ({ bytes }) => {
  const archive = await openZip(bytes);
  const container = await parseXml(await requireText(archive, 'META-INF/container.xml'));
  const opf = partOf('', attributeOf(findAll(container, 'rootfile')[0], 'full-path') ?? '');
  const book = childOf(await parseXml(await requireText(archive, opf)), 'package');
  const items = new Map(findAll(childOf(book, 'manifest'), 'item').map((item) => [attributeOf(item, 'id'), item]));
  const locked = await lockedParts(archive);
  const title = textIn(findAll(childOf(book, 'metadata'), 'title')[0])
    .replace(/\s+/g, ' ')
    .trim();
  const blocks: Block[] = title === '' ? [] : [{ text: title, level: 0 }];
  for (const reference of childrenOf(childOf(book, 'spine'), 'itemref')) {
    const item = items.get(attributeOf(reference, 'idref'));
    if (item === undefined || !isPage(item)) continue;
    const part = partOf(opf, attributeOf(item, 'href') ?? '');
    if (locked.has(part)) throw new UnreadableFile('The book is protected by its seller (DRM)');
    const page = await archive.text(part);
    if (page === null) continue;
    for (const block of await pageBlocks(page)) blocks.push(block);
  }
  return openBlocks(blocks);
};
