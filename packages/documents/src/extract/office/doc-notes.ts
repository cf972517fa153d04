import type { DocFile, TextRange } from './doc-file.ts';

/** Texts of footnotes, endnotes and comments, by the position of their reference. */
export type DocNotes = ReadonlyMap<number, string>;

const commentBytes = 30;
const authorAt = 20;
const dateBytes = 18;

/** Names of the authors of comments, one after the other with their lengths. */
const readAuthors = (list: Buffer): readonly string[] => {
  const authors: string[] = [];
  for (let at = 0; at + 2 <= list.length;) {
    const end = at + 2 + 2 * list.readUInt16LE(at);
    authors.push(list.toString('utf16le', at + 2, end));
    at = end;
  }
  return authors;
};

/** Day of a date, as `2004-03-31`; empty if none is stated. Source: [MS-DOC] 2.9.65. */
const dayOf = (date: number): string => {
  const [year, month, day] = [1900 + ((date >>> 20) & 0x1ff), (date >>> 16) & 0xf, (date >>> 11) & 0x1f];
  const isDay = month >= 1 && month <= 12 && day >= 1;
  return isDay ? `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` : '';
};

/** Author and day of a comment. */
const sourceOf = (comment: Buffer, date: Buffer, authors: readonly string[]): string =>
  [
    comment.length < commentBytes ? '' : (authors[comment.readUInt16LE(authorAt)] ?? ''),
    date.length < dateBytes ? '' : dayOf(date.readUInt32LE(0)),
  ]
    .filter((part) => part !== '')
    .join(', ');

/** Reads the notes and comments of a DOC. @param textOf Returns the text of a range in one line. */
export const readDocNotes = (file: DocFile, textOf: (range: TextRange) => string): DocNotes => {
  const notes = new Map<number, string>();
  const [authors, dates] = [readAuthors(file.structure('authors')), file.structure('commentDates')];
  const kinds = [
    ['footnotes', 'footnoteMarks', 2],
    ['endnotes', 'endnoteMarks', 2],
    ['comments', 'commentMarks', commentBytes],
  ] as const;
  for (const [name, marksName, bytes] of kinds) {
    const [marks, texts, story] = [file.structure(marksName), file.structure(name), file.story(name)];
    const count = Math.max(0, Math.floor((marks.length - 4) / (4 + bytes)));
    for (let index = 0; index < count && 4 * index + 8 <= texts.length; index += 1) {
      const start = story.start + texts.readUInt32LE(4 * index);
      const end = Math.min(story.end, story.start + texts.readUInt32LE(4 * index + 4));
      const text = textOf({ start, end });
      const at = 4 * (count + 1) + bytes * index;
      const from =
        name === 'comments'
          ? sourceOf(
              marks.subarray(at, at + bytes),
              dates.subarray(dateBytes * index, dateBytes * (index + 1)),
              authors,
            )
          : '';
      if (text !== '') notes.set(marks.readUInt32LE(4 * index), from === '' ? text : `${from}: ${text}`);
    }
  }
  return notes;
};
