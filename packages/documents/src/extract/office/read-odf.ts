import { ListCounter } from './list-numbers.ts';
import { openBlocks, openPages, type Block } from '../cut-units.ts';
import { noteHiddenSlides, noteHiddenText } from './hidden-notes.ts';
import type { FormatReader, OpenedFile } from '../format.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openZip } from '../containers/open-zip.ts';
import { attributeOf, childOf, childrenOf, findAll, parseXml, type XmlElement } from '../parse-xml.ts';
import { UnreadableFile } from '../port.ts';
import { readSheets } from './odf-sheets.ts';
import { slideBlocks } from './odf-slides.ts';
import { readOdfStyles, runningIn, type OdfStyles } from './odf-styles.ts';
import { blocksIn, type OdfReading } from './odf-text.ts';

/** Blocks of headers or footers, each text once. */
const runningBlocks = (parts: readonly XmlElement[], reading: OdfReading): readonly Block[] => {
  const blocks = new Map<string, Block>();
  for (const part of parts)
    for (const block of blocksIn(part, { ...reading, isRunning: true }))
      blocks.set(block.text, { ...block, level: null, isApart: true });
  return [...blocks.values()];
};

const openText = (text: XmlElement, stylesPart: XmlElement | undefined, styles: OdfStyles): OpenedFile => {
  let hasHidden = false;
  const reading: OdfReading = {
    styles,
    counters: new Map(),
    headings: new ListCounter(styles.outline),
    onHidden: () => {
      hasHidden = true;
    },
  };
  const file = openBlocks([
    ...runningBlocks(runningIn(stylesPart, styles, 'header'), reading),
    ...blocksIn(text, reading),
    ...runningBlocks(runningIn(stylesPart, styles, 'footer'), reading),
  ]);
  return hasHidden ? { ...file, notes: [...file.notes, noteHiddenText] } : file;
};

const openSlides = (presentation: XmlElement, styles: OdfStyles): OpenedFile => {
  const pages = findAll(presentation, 'page');
  const hidden = pages.flatMap((page, index) =>
    styles.isHiddenSlide(attributeOf(page, 'style-name')) ? [index + 1] : [],
  );
  const isHidden = new Set(hidden);
  const file = openPages(
    pages.map((page, index) => (isHidden.has(index + 1) ? [] : slideBlocks(page, index + 1, { styles }))),
  );
  return { ...file, notes: [...file.notes, ...noteHiddenSlides(hidden)] };
};

/**
 * Reads ODT (headings, lists, tables, headers and footers once), ODS (sheet by sheet, row by row) and ODP (slide by slide,
 * in reading order). Hidden text and slides are left out.
 */
export const readOdf: FormatReader = async ({ bytes }) => {
  const archive = await openZip(bytes);
  if (/<(?:\w+:)?encryption-data\b/.test((await archive.text('META-INF/manifest.xml')) ?? '')) {
    throw new UnreadableFile('The document is protected by a password');
  }
  const partOf = async (name: string, root: string): Promise<XmlElement | undefined> => {
    const text = await archive.text(name);
    return text === null ? undefined : childOf(await parseXml(text), root);
  };
  if (!archive.names.has('content.xml'))
    throw new UnreadableFile('The file is damaged: its part content.xml is missing');
  const content = await partOf('content.xml', 'document-content');
  const [document] = childrenOf(childOf(content, 'body'));
  if (document === undefined) return noteUnreadPictures(openBlocks([]), archive);
  if (document.name === 'spreadsheet') {
    const { blocks, notes } = readSheets(childrenOf(document, 'table'), childOf(content, 'automatic-styles'));
    return noteUnreadPictures({ ...openBlocks(blocks), notes }, archive);
  }
  const stylesPart = await partOf('styles.xml', 'document-styles');
  const styles = readOdfStyles([stylesPart, content].filter((part) => part !== undefined));
  const file = document.name === 'presentation' ? openSlides(document, styles) : openText(document, stylesPart, styles);
  return noteUnreadPictures(file, archive);
};
