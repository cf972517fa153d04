import { defaultReadMs } from '../../shared/kernel/config.ts';
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { embeddedText } from '../../shared/kernel/row-metadata.ts';
import { currentAnalyzer, openReader, openWriter, type IndexRef, type Row, type TextLanguage } from '#engine';
import { createCachedEmbedder, type VectorStore } from '../../shared/platform/models/cache.ts';
import { englishModel, isEmbeddedModel } from '../../shared/platform/models/assets.ts';
import { createEmbeddedEmbedder, createFolderEmbedder } from '../../shared/platform/models/embedded.ts';
import type { Embedder } from '../../shared/platform/models/port.ts';
import type { Rerankers } from '../../shared/platform/rerank/port.ts';
import { handleReaderRequest, type ReaderResponses, type SearchOperation } from '../../shared/reader/index.ts';
import type { Collection } from './read-collection.ts';

const dimensions = 1_536;

/** Stores vectors as files of a directory. */
export const directoryStore = (directory: string): VectorStore => ({
  get: async (key) => {
    const file = join(directory, key);
    return existsSync(file) ? readFileSync(file) : null;
  },
  put: async (key, body) => {
    const file = join(directory, key);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  },
});

/**
 * Opens a model with a cache, since embedding a collection takes minutes.
 * @param name Name of an embedded model, or a folder.
 */
export const openEmbedder = (store: VectorStore, name: string = englishModel): Embedder => {
  const assetsDirectory = join(import.meta.dirname, '..', '..');
  const model = isEmbeddedModel(name)
    ? createEmbeddedEmbedder({ assetsDirectory, model: name })
    : createFolderEmbedder(name, `model-folder/${basename(name)}`);
  return createCachedEmbedder(model, store, {
    tenant: 'quality',
    payer: 'quality',
    onPaid: () => Promise.resolve(),
    onMissing: () => Promise.resolve(),
  });
};

/** Searches an index as the API functions do, by requests to the reader. */
export type Ask = (
  search: Partial<SearchOperation> & { readonly mode: SearchOperation['mode'] },
) => Promise<ReaderResponses['search']>;

/** Embeds texts as the worker does, writes them to an index of their own and runs maintenance. */
export const indexTexts = async (
  uri: string,
  texts: readonly (Pick<Row, 'id' | 'text' | 'metadata'> & Partial<Pick<Row, 'jobId'>>)[],
  embedder: Embedder,
  textLanguage: TextLanguage = 'english',
): Promise<Ask> => {
  const [writer, reader] = [openWriter({ uri }), openReader({ uri })];
  const at = (version: number): IndexRef => ({
    dimensions,
    metric: 'cosine',
    nonFilterableKeys: [],
    textLanguage,
    analyzer: currentAnalyzer,
    layers: [{ table: 'documents', version }],
  });
  let { version } = await writer.create(at(0));
  const { vectors } = await embedder.embed(texts.map(embeddedText), dimensions);
  const rows = texts.map((text, position) => {
    const vector = vectors[position];
    if (vector === undefined) throw new Error('the model gave fewer vectors than there are texts');
    return { jobId: null, ...text, vector, filename: null, pageStart: null, pageEnd: null };
  });
  ({ version } = (await writer.commit(at(version), [{ kind: 'upsert', rows }])).state);
  ({ version } = await writer.maintain(at(version), { keepSeconds: 0, keepVersions: [] }));
  const rerankers: Rerankers = () => ({ score: () => Promise.reject(new Error('searches have no reranker')) });
  const deps = { engines: () => reader, embedders: () => embedder, rerankers, readMs: defaultReadMs };
  return async (search) => {
    const operation: SearchOperation = {
      op: 'search',
      highlight: null,
      context: null,
      text: null,
      vector: null,
      top_k: 10,
      filter: null,
      exact: false,
      include_vector: false,
      include_text: true,
      include_metadata: true,
      fusion: { method: 'rrf', k: 60, denseWeight: 0.5 },
      ranking: null,
      ...search,
    };
    const request = {
      organization_id: 'org',
      model: embedder.model,
      ref: {
        ...at(version),
        engine: 'lance' as const,
        nonFilterableKeys: [],
        textLanguage,
        analyzer: currentAnalyzer,
        layers: [{ table: 'documents', version }] as [{ table: string; version: number }],
      },
      operation,
      within: null,
    };
    // Cast: the response to a search is that of a search.
    return (await handleReaderRequest(deps, request)) as ReaderResponses['search'];
  };
};

/** Writes a collection to an index of its own and runs maintenance. */
export const indexCollection = async (uri: string, collection: Collection, embedder: Embedder): Promise<Ask> => {
  const { documents, headings, language } = collection;
  const texts = [...documents].map(([id, text]) => ({
    id,
    text,
    metadata: { heading_path: [...(headings?.get(id) ?? [])] },
    jobId: headings === undefined ? null : 'job_quality',
  }));
  return indexTexts(uri, texts, embedder, language);
};
