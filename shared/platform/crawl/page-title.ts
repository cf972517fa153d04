import { oneLine } from '../../kernel/text.ts';

/** Most characters of a title, which goes with every chunk of its page. */
export const maxTitleLength = 500;

/** The title of a page as it is kept: in one line, its beginning where it is too long; null where nothing is left. */
export const cleanTitle = (title: string): string | null => {
  const text = oneLine(title).slice(0, maxTitleLength).toWellFormed();
  return text === '' ? null : text;
};
