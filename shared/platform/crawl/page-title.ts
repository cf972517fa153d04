import { oneLine } from '../../kernel/text.ts';

/** Maximum characters of a title, which is stored with every chunk of its page. */
export const maxTitleLength = 500;

/** Returns a title in one line, cut to the maximum; null if it is empty. */
export const cleanTitle = (title: string): string | null => {
  const text = oneLine(title).slice(0, maxTitleLength).toWellFormed();
  return text === '' ? null : text;
};
