import { loadPackage } from '../data/install.ts';
import type { Orama } from '../peers/orama.ts';
import type { Collection } from './read-collection.ts';

/** Another search over the same documents, with its default settings; ids of the best documents first. */
export interface TextPeer {
  readonly title: string;
  readonly ask: (question: string, limit: number) => Promise<readonly string[]>;
}

interface MiniSearch {
  addAll(documents: readonly object[]): void;
  search(question: string): readonly { readonly id: string }[];
}

type Open = (cacheDirectory: string, documents: Collection['documents']) => Promise<TextPeer['ask']>;

const rowsOf = (documents: Collection['documents']): readonly { readonly id: string; readonly text: string }[] =>
  [...documents].map(([id, text]) => ({ id, text }));

const openMiniSearch: Open = async (cacheDirectory, documents) => {
  // Cast: the package has no types that this loader could see.
  const Library = (await loadPackage(cacheDirectory, 'minisearch')) as new (options: object) => MiniSearch;
  const index = new Library({ fields: ['text'] });
  index.addAll(rowsOf(documents));
  return async (question, limit) =>
    index
      .search(question)
      .slice(0, limit)
      .map(({ id }) => id);
};

const openOrama: Open = async (cacheDirectory, documents) => {
  // Cast: the package has no types that this loader could see.
  const library = (await loadPackage(cacheDirectory, '@orama/orama')) as Orama;
  const database = library.create({ schema: { id: 'string', text: 'string' } });
  await library.insertMultiple(database, rowsOf(documents), documents.size);
  return async (question, limit) => {
    const { hits } = await library.search(database, { term: question, properties: ['text'], limit });
    return hits.map(({ id }) => id);
  };
};

const known: Readonly<Record<string, Open>> = { MiniSearch: openMiniSearch, Orama: openOrama };

/** Opens other text searches for one process. A peer that cannot be installed is reported as missing. */
export const openTextPeers = async (
  cacheDirectory: string,
  documents: Collection['documents'],
  say: (text: string) => void,
): Promise<readonly TextPeer[]> => {
  const peers: TextPeer[] = [];
  for (const [title, open] of Object.entries(known)) {
    try {
      peers.push({ title, ask: await open(cacheDirectory, documents) });
    } catch (error) {
      say(`${title} is missing: ${String(error)}`);
    }
  }
  return peers;
};
