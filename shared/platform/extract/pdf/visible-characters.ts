import type { PageCharacters, PageHandles } from './page-characters.ts';

/** Returns the characters of a page that a reader can see. */
export const visibleCharacters = (_page: PageHandles, characters: PageCharacters): PageCharacters => characters;
