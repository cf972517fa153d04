import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chunkSections, readDocument, type Chunk } from '#documents';
import { englishModel } from '../../shared/platform/models/assets.ts';
import { chooseFusion } from '../../shared/search/index.ts';
import { indexTexts, openEmbedder, type Ask } from '../quality/index-collection.ts';
import { writeTable } from './make-documents.ts';
import { cellsIn } from './measure.ts';

const projectDirectory = join(import.meta.dirname, '../..');

/** Search modes whose first result is checked. */
export const searchModes = ['dense', 'sparse', 'hybrid'] as const;

type SearchMode = (typeof searchModes)[number];

/** Queries for cells of one file, and how many of them found a chunk with the cell first. */
export interface FoundCells {
  readonly format: string;
  readonly chunks: number;
  readonly queries: number;
  readonly found: Readonly<Partial<Record<SearchMode, number>>>;
}

const columns = ['Station', 'Height', 'Rainfall', 'Temperature', 'Opened'] as const;
const beginnings = ['Bran', 'Cor', 'Del', 'Fen', 'Gar', 'Hol', 'Kil', 'Lan', 'Mor', 'Nor'] as const;
const endings = [
  'dale',
  'wick',
  'stead',
  'combe',
  'mere',
  'thorpe',
  'ford',
  'bury',
  'holm',
  'gate',
  'ness',
  'ham',
] as const;

/** 120 weather stations with similar names and numbers. */
const stations = beginnings.flatMap((beginning, at) =>
  endings.map((ending, place) => [
    beginning + ending,
    String(100 + ((at * 37 + place * 91) % 800)),
    String(400 + ((at * 53 + place * 17) % 900)),
    (5 + ((at * 7 + place * 3) % 90) / 10).toFixed(1),
    String(1850 + ((at * 13 + place * 29) % 150)),
  ]),
);

/** One cell of each fifth station, in all columns by turns. */
const cells = stations.flatMap(([station = '', ...values], row) => {
  const column = row % values.length;
  const [name = '', value = ''] = [columns[column + 1], values[column]];
  return row % 5 === 2 ? [{ text: `${name} of ${station}`, cell: [station, name, value].join('\t') }] : [];
});

const readChunks = async (filename: string, bytes: Uint8Array): Promise<readonly Chunk[]> => {
  const file = { filename, bytes, contentType: '', maySupplyRows: false };
  const { sections } = await readDocument(file, join(projectDirectory, 'node_modules'), null);
  return chunkSections(sections);
};

const firstText = async (ask: Ask, mode: SearchMode, text: string): Promise<string> => {
  const fusion = chooseFusion(null, { embeddingModel: englishModel, textLanguage: 'english' }, text);
  const { hits } = await ask({ mode, text, top_k: 1, fusion });
  return hits[0]?.row.text ?? '';
};

/** Returns an embedder that keeps vectors in memory: most formats have the same chunks, and all the same queries. */
const openCachedEmbedder = () => {
  const vectors = new Map<string, Uint8Array>();
  return openEmbedder({
    get: async (key) => vectors.get(key) ?? null,
    put: async (key, body) => void vectors.set(key, body),
  });
};

/**
 * Searches a table of 120 rows in ten formats for cells by the names of row and column. It uses the reader, the
 * chunks, the embedded model and the engine of the service. A result counts if its text contains row, column and value.
 * @param step 1 searches for all 24 cells, 2 for each second one.
 */
export const findCells = async (modes: readonly SearchMode[], step: number): Promise<readonly FoundCells[]> => {
  const embedder = openCachedEmbedder();
  const directory = await mkdtemp(join(tmpdir(), 'bench-cells-'));
  const wanted = cells.filter((_, at) => at % step === 0);
  const results: FoundCells[] = [];
  try {
    for (const [format, bytes] of await writeTable('Weather stations', [columns, ...stations])) {
      const chunks = await readChunks(`stations.${format}`, bytes);
      const texts = chunks.map(({ text, headingPath }, at) => ({
        id: String(at),
        text,
        metadata: { heading_path: headingPath },
      }));
      const ask = await indexTexts(join(directory, format), texts, embedder);
      const found: Partial<Record<SearchMode, number>> = {};
      for (const mode of modes) {
        const firsts = await Promise.all(wanted.map(({ text }) => firstText(ask, mode, text)));
        found[mode] = wanted.filter(({ cell }, at) => cellsIn(firsts[at] ?? '', columns).includes(cell)).length;
      }
      results.push({ format, chunks: chunks.length, queries: wanted.length, found });
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return results;
};
