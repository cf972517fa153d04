import { openBlocks, openPages, type Block } from '../cut-units.ts';
import type { FormatReader, OpenedFile } from '../format.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openZip } from '../containers/open-zip.ts';
import { attributeOf, childOf, childrenOf, findAll, parseXml, type XmlElement } from '../parse-xml.ts';
import { UnreadableFile } from '../port.ts';
import { readSheets } from './odf-sheets.ts';
import { blocksIn, paragraphsIn } from './odf-text.ts';

const slideBlocks = (page: XmlElement, slide: number): readonly Block[] => {
  const place = { slide };
  const isTitle = (shape: XmlElement): boolean => attributeOf(shape, 'class') === 'title';
  const shapes = childrenOf(page).filter(({ name }) => name !== 'notes');
  const title = shapes.filter(isTitle).flatMap(paragraphsIn).join(' ').trim();
  const bodies = shapes.filter((shape) => !isTitle(shape)).flatMap(blocksIn);
  const notes = childrenOf(page, 'notes')
    .flatMap(paragraphsIn)
    .filter((text) => text !== '');
  return [
    ...(title === '' ? [] : [{ text: title, level: 1, place }]),
    ...bodies.map(({ text }) => ({ text, level: null, place })),
    ...(notes.length === 0 ? [] : [{ text: `Notes: ${notes.join('\n')}`, level: null, place }]),
  ];
};

const openDocument = (document: XmlElement | undefined, styles: XmlElement | undefined): OpenedFile => {
  if (document?.name === 'spreadsheet') {
    const { blocks, notes } = readSheets(childrenOf(document, 'table'), styles);
    return { ...openBlocks(blocks), notes };
  }
  if (document?.name !== 'presentation') return openBlocks(document === undefined ? [] : blocksIn(document));
  return openPages(findAll(document, 'page').map((page, index) => slideBlocks(page, index + 1)));
};

/** Reads ODT (headings, lists, tables), ODS (sheet by sheet, row by row) and ODP (slide by slide). */
export const readOdf: FormatReader = async ({ bytes }) => {
  const archive = await openZip(bytes);
  if (/<(?:\w+:)?encryption-data\b/.test((await archive.text('META-INF/manifest.xml')) ?? '')) {
    throw new UnreadableFile('The document is protected by a password');
  }
  const content = await archive.text('content.xml');
  if (content === null) throw new UnreadableFile('The file is damaged: its part content.xml is missing');
  const root = childOf(await parseXml(content), 'document-content');
  const [document] = childrenOf(childOf(root, 'body'));
  return noteUnreadPictures(openDocument(document, childOf(root, 'automatic-styles')), archive);
};
