import type { VectorRecord } from '#client';

// A line end after a long line, before a word.
const softBreak = /(?<=[^\n]{45,})\n(?=[\p{L}\p{N}(“"'])/gu;

/**
 * Returns a text of a paged file with the line ends of its page as spaces, because a column of the console has another
 * width. The length stays, so that marks fit.
 */
export const reflowed = (text: string, file: VectorRecord['file']): string =>
  file?.page_start == null ? text : text.replaceAll(softBreak, ' ');
