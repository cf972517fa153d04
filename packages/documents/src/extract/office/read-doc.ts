import { oneLine } from '../../../../../shared/kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { composeBlocks, lineOf, withoutLook, type Piece } from './compose-blocks.ts';
import { openDocFile, type DocFile, type TextRange } from './doc-file.ts';
import { readDocLists } from './doc-lists.ts';
import { readDocNotes, type DocNotes } from './doc-notes.ts';
import { readDocStyles } from './doc-styles.ts';
import { DocStory, type DocContext } from './doc-story.ts';
import { noteHiddenText } from './hidden-notes.ts';
import { UnreadableFile } from '../port.ts';

/** Header stories of a section: of even, odd and first pages, each after the separators of notes. */
const separators = 6;
const headerKinds = new Set([0, 1, 4]);

const rangesOf = (positions: Buffer, { start, end }: TextRange): readonly TextRange[] =>
  Array.from({ length: Math.max(0, Math.floor(positions.length / 4) - 1) }, (_, at) => ({
    start: Math.min(end, start + positions.readUInt32LE(4 * at)),
    end: Math.min(end, start + positions.readUInt32LE(4 * (at + 1))),
  }));

/** Blocks of headers and of footers. Text that several of them share is read once. */
const runningBlocks = (file: DocFile, context: DocContext): readonly [readonly Block[], readonly Block[]] => {
  const [headers, footers] = [new Map<string, Block>(), new Map<string, Block>()];
  for (const [index, range] of rangesOf(file.structure('headers'), file.story('headers')).entries()) {
    if (index < separators) continue;
    const isHeader = headerKinds.has((index - separators) % 6);
    const pieces = new DocStory({ ...context, isRunning: true }).read(range).map(withoutLook);
    for (const { text, head } of composeBlocks(pieces)) {
      const block = { text, level: null, isApart: true, ...(head !== undefined && { head }) };
      if (text !== '') (isHeader ? headers : footers).set(text, block);
    }
  }
  return [[...headers.values()], [...footers.values()]];
};

const readBlocks = (bytes: Uint8Array): { readonly blocks: readonly Block[]; readonly hasHidden: boolean } => {
  const file = openDocFile(bytes);
  let hasHidden = false;
  const onHidden = (): void => {
    hasHidden = true;
  };
  const numbering = readDocLists(file);
  const bare = { file, styles: readDocStyles(file), numbering, notes: new Map(), onHidden };
  const textOf = (range: TextRange): string => oneLine(lineOf(new DocStory(bare).read(range)));
  const notes: DocNotes = readDocNotes(file, textOf);
  const pieces: Piece[] = [...new DocStory({ ...bare, notes }).read(file.story('body'))];
  // A line in a box introduces no text after the box.
  for (const piece of new DocStory(bare).read(file.story('boxes'))) pieces.push(withoutLook(piece));
  const [headers, footers] = runningBlocks(file, bare);
  return { blocks: [...headers, ...composeBlocks(pieces), ...footers], hasHidden };
};

/**
 * Reads DOC of Word 97 to 2003: headings by style, outline level or bold type, lists with their numbers, tables with merged
 * cells, then text boxes. Notes and comments are in parentheses at their reference. Headers are read once before the text,
 * footers after it. Hidden and deleted text is left out.
 */
export const readDoc: FormatReader = async ({ bytes }) => {
  try {
    const { blocks, hasHidden } = readBlocks(bytes);
    const file = openBlocks(blocks);
    return hasHidden ? { ...file, notes: [...file.notes, noteHiddenText] } : file;
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('The Word document is damaged', error);
  }
};
