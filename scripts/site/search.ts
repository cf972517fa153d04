// Search of the guides, which runs in the browser and in a test.
import MiniSearch, { type Options } from 'minisearch';

/** A section of a page: what stands below one heading. */
export interface Section {
  /** Address with the anchor of the heading. */
  readonly id: string;
  /** Title of the page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** Factor of the score: pages for a task come before those for details. */
  readonly weight: number;
}

export interface Hit extends Section {
  readonly score: number;
  /** Words of the section that matched. */
  readonly terms: readonly string[];
}

/** Words that questions have and that say nothing. */
const stopWords = new Set(
  'a an and are be by can do does for from how i in is it my of on or that the to we what which with'.split(' '),
);

/** Removes endings, so that "backups" finds "backup", and "isolated" finds "isolate". */
const stem = (word: string): string =>
  word.length < 5 ? word : word.replace(/(?:ies|y)$/, 'i').replace(/(?:ing|ed|es|s|e)$/, '');

const options: Options<Section> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading', 'text', 'weight'],
  processTerm: (term) => {
    const word = term.toLowerCase();
    return stopWords.has(word) ? null : stem(word);
  },
  searchOptions: {
    boost: { page: 4, heading: 3 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    boostDocument: (_, __, stored) => Number(stored?.['weight'] ?? 1),
  },
};

export const writeIndex = (sections: readonly Section[]): string => {
  const index = new MiniSearch<Section>(options);
  index.addAll(sections);
  return JSON.stringify(index);
};

/** Reads an index. Returns a search for the sections that suit words, the best first. */
export const readIndex = (json: string): ((query: string) => readonly Hit[]) => {
  const index = MiniSearch.loadJSON(json, options);
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' });
    // Cast: the index stores the fields of a section.
    return (all.length > 0 ? all : index.search(query)) as unknown as readonly Hit[];
  };
};
