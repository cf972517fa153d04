import type { Callbacks } from '@langchain/core/callbacks/manager';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { Embeddings, type EmbeddingsInterface } from '@langchain/core/embeddings';
import { cosineSimilarity, euclideanDistance } from '@langchain/core/utils/math';
import {
  type MaxMarginalRelevanceSearchOptions,
  VectorStore,
  type VectorStoreRetriever,
  type VectorStoreRetrieverInput,
} from '@langchain/core/vectorstores';
import type {
  DistanceMetric,
  MetadataFilter,
  SearchContext,
  SearchField,
  SearchRerank,
  SearchResponse,
  SearchResult,
  StrataClient,
  VectorUpsertItem,
} from 'strata-client';
import { abortable } from './abortable.js';

/** Search by meaning, by words, or by both. */
export type SearchMode = 'dense' | 'sparse' | 'hybrid';

export interface StrataVectorStoreOptions {
  readonly client: StrataClient;
  readonly indexId: string;
  /** Search of `similaritySearch` and `asRetriever`; `dense` if absent. */
  readonly mode?: SearchMode;
}

type Metadata = NonNullable<VectorUpsertItem['metadata']>;

const maxIds = 1_000;
/** Rows whose texts and metadata fit a response at any size. */
const maxFetchedIds = 40;
const defaultK = 4;
const defaultFetchK = 20;
const defaultLambda = 0.5;

/** Marks a store in which the service embeds the texts. */
class ServiceEmbeddings extends Embeddings {
  constructor() {
    super({});
  }

  override embedQuery(): Promise<number[]> {
    return Promise.reject(new Error('The service embeds the texts of this store. Pass embeddings to embed them here.'));
  }

  override embedDocuments(): Promise<number[][]> {
    return this.embedQuery() as never;
  }
}

const documentOf = ({ id, text, metadata, file, citation }: Omit<SearchResult, 'score'>): Document =>
  new Document({
    id,
    pageContent: text ?? '',
    metadata: {
      ...(file?.filename != null && { source: file.filename }),
      ...(file?.page_start != null && { page_start: file.page_start }),
      ...(file?.page_end != null && { page_end: file.page_end }),
      ...(file?.page_start != null && { page_label: String(file.page_start) }),
      ...(citation != null && { citation }),
      ...metadata,
    },
  });

/** Returns results with the text around them, if it was requested. Of those that share a text, the best is returned. */
const withContexts = ({ results, contexts = [] }: SearchResponse): readonly SearchResult[] => {
  const seen = new Set<number>();
  return results.flatMap((result) => {
    const { context } = result;
    const around = context == null ? undefined : contexts[context];
    if (context == null || around === undefined) return [result];
    if (seen.has(context)) return [];
    seen.add(context);
    return [{ ...result, text: around.text }];
  });
};

/** Returns a random id. Pages of a plain `http:` address have no `crypto.randomUUID`. */
const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Removes undefined fields of metadata, which loaders set for what they did not find. */
const withoutUndefined = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  // Other objects, such as dates, stay as they are.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.map(([key, field]) => [key, withoutUndefined(field)]));
};

function* partsOf<Item>(items: readonly Item[], size: number): Generator<Item[], void> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Returns a similarity of at most 1: the cosine, or the inverse of 1 plus the euclidean distance. */
const relevanceOf = (metric: DistanceMetric, score: number): number =>
  metric === 'cosine' ? score : 1 / (1 + Math.sqrt(Math.max(0, -score)));

const similaritiesTo = (metric: DistanceMetric, vector: number[], vectors: number[][]): readonly number[] => {
  if (metric === 'cosine') return cosineSimilarity([vector], vectors)[0] ?? [];
  return (euclideanDistance([vector], vectors)[0] ?? []).map((distance) => 1 / (1 + distance));
};

/** Selects by maximal marginal relevance: each result by its score less its similarity to those before it. */
const selectDiverse = (
  metric: DistanceMetric,
  results: readonly SearchResult[],
  k: number,
  lambda: number,
): readonly SearchResult[] => {
  const vectors = results.map(({ vector }) => vector ?? []);
  const redundancies: number[] = results.map(() => 0);
  const remaining = new Set(results.keys());
  const selected: SearchResult[] = [];
  while (selected.length < k && remaining.size > 0) {
    const valueOf = (at: number): number =>
      lambda * relevanceOf(metric, results[at]?.score ?? 0) - (1 - lambda) * (redundancies[at] ?? 0);
    const best = [...remaining].reduce((left, right) => (valueOf(right) > valueOf(left) ? right : left));
    remaining.delete(best);
    const similarities = similaritiesTo(metric, vectors[best] ?? [], vectors);
    for (const at of remaining) {
      const similarity = similarities[at] ?? 0;
      redundancies[at] = selected.length === 0 ? similarity : Math.max(redundancies[at] ?? 0, similarity);
    }
    selected.push(results[best] as SearchResult);
  }
  return selected;
};

/** Vector store on one index. Without embeddings the service embeds texts and queries by the model of the index. */
export class StrataVectorStore extends VectorStore {
  declare FilterType: MetadataFilter;
  override lc_namespace = ['strata', 'vectorstores'];
  readonly client: StrataClient;
  readonly indexId: string;
  readonly mode: SearchMode;
  #metric: Promise<DistanceMetric> | undefined;

  constructor(embeddings: EmbeddingsInterface | null, { client, indexId, mode = 'dense' }: StrataVectorStoreOptions) {
    super(embeddings ?? new ServiceEmbeddings(), { indexId, mode });
    this.client = client;
    this.indexId = indexId;
    this.mode = mode;
  }

  override _vectorstoreType(): string {
    return 'strata';
  }

  get #path() {
    return { path: { index_id: this.indexId } };
  }

  get #embedsHere(): boolean {
    return !(this.embeddings instanceof ServiceEmbeddings);
  }

  #readMetric(): Promise<DistanceMetric> {
    return (this.#metric ??= this.client
      .get('/v1/indexes/{index_id}', { params: this.#path })
      .then(({ distance_metric: metric }) => metric));
  }

  async #write(
    documents: readonly DocumentInterface[],
    vectors: readonly number[][] | null,
    ids: readonly (string | undefined)[] | undefined,
  ): Promise<string[]> {
    if (ids !== undefined && ids.length !== documents.length)
      throw new Error(`There are ${ids.length} ids for ${documents.length} documents.`);
    if (vectors !== null && vectors.length !== documents.length)
      throw new Error(`There are ${vectors.length} vectors for ${documents.length} documents.`);
    const rows = documents.map((document, at) => ({
      id: ids?.[at] ?? document.id ?? randomId(),
      text: document.pageContent,
      metadata: withoutUndefined(document.metadata) as Metadata,
      ...(vectors !== null && { vector: vectors[at] ?? null }),
    }));
    // A request may contain an id once. The last document with an id counts.
    const unique = new Map(rows.map((row) => [row.id, row]));
    // The service cannot embed an empty text.
    if (vectors === null) for (const { id, text } of rows) if (text === '') unique.delete(id);
    await this.client.upsertVectors(this.indexId, unique.values());
    return rows.map(({ id }) => id);
  }

  /**
   * Writes documents and returns their ids. A row with the same id is replaced; a missing id is generated. Without embeddings
   * a document with empty `pageContent` is left out.
   */
  override async addDocuments(
    documents: DocumentInterface[],
    { ids }: { readonly ids?: readonly (string | undefined)[] } = {},
  ): Promise<string[]> {
    const texts = documents.map(({ pageContent }) => pageContent);
    const vectors = this.#embedsHere ? await this.embeddings.embedDocuments(texts) : null;
    return this.#write(documents, vectors, ids);
  }

  /** Writes documents with their vectors, as `addDocuments`. */
  override addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    { ids }: { readonly ids?: readonly (string | undefined)[] } = {},
  ): Promise<string[]> {
    return this.#write(documents, vectors, ids);
  }

  /** Deletes by ids, by filter, or every row of the index. Throws Error without one of them. */
  override async delete({
    ids,
    filter,
    all,
  }: { readonly ids?: readonly string[]; readonly filter?: MetadataFilter; readonly all?: true } = {}): Promise<void> {
    const given = [ids, filter, all].filter((value) => value !== undefined);
    if (given.length !== 1) throw new Error('Give one of ids, filter and all.');
    const parts = ids === undefined ? [undefined] : partsOf(ids, maxIds);
    for (const part of parts) {
      const body = part === undefined ? { filter: filter ?? null, all: all ?? null } : { ids: part };
      await this.client.post('/v1/indexes/{index_id}/vectors/delete', { params: this.#path, body });
    }
  }

  /** Returns the documents of ids in their order, without those that do not exist. */
  async getByIds(ids: readonly string[]): Promise<Document[]> {
    const documents: Document[] = [];
    for (const part of partsOf(ids, maxFetchedIds)) {
      const body = { ids: part, include_vectors: false };
      const { vectors } = await this.client.post('/v1/indexes/{index_id}/vectors/fetch', { params: this.#path, body });
      documents.push(...vectors.map(documentOf));
    }
    return documents;
  }

  async #search(
    query: string,
    mode: SearchMode,
    request: {
      readonly top_k: number;
      readonly filter: MetadataFilter | null;
      readonly include: SearchField[];
      readonly rerank?: SearchRerank;
      readonly context?: SearchContext;
    },
  ): Promise<readonly SearchResult[]> {
    const params = this.#path;
    if (mode === 'sparse') {
      const body = { ...request, text: query };
      return withContexts(await this.client.post('/v1/indexes/{index_id}/search/sparse', { params, body }));
    }
    const vector = this.#embedsHere ? await this.embeddings.embedQuery(query) : null;
    if (mode === 'hybrid') {
      const body = { ...request, text: query, vector };
      return withContexts(await this.client.post('/v1/indexes/{index_id}/search/hybrid', { params, body }));
    }
    const body = { ...request, text: query, ...(vector === null ? {} : { vector }) };
    return withContexts(await this.client.post('/v1/indexes/{index_id}/search/dense', { params, body }));
  }

  /** Returns the best documents with their scores, by a mode. A higher score is better. */
  async searchWithScore(
    query: string,
    {
      k = defaultK,
      filter,
      mode = this.mode,
      rerank,
      context,
    }: {
      k?: number;
      filter?: MetadataFilter | undefined;
      mode?: SearchMode;
      rerank?: SearchRerank | undefined;
      context?: SearchContext | undefined;
    } = {},
  ): Promise<[Document, number][]> {
    const request = {
      top_k: k,
      filter: filter ?? null,
      include: ['text', 'metadata', 'citation'] satisfies SearchField[],
      ...(rerank !== undefined && { rerank }),
      ...(context !== undefined && { context }),
    };
    const results = await this.#search(query, mode, request);
    return results.map((result) => [documentOf(result), result.score]);
  }

  override similaritySearchWithScore(
    query: string,
    k: number = defaultK,
    filter?: MetadataFilter,
  ): Promise<[Document, number][]> {
    return this.searchWithScore(query, { k, filter });
  }

  override async similaritySearch(query: string, k: number = defaultK, filter?: MetadataFilter): Promise<Document[]> {
    const found = await this.similaritySearchWithScore(query, k, filter);
    return found.map(([document]) => document);
  }

  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: MetadataFilter,
  ): Promise<[Document, number][]> {
    const body = { vector: query, top_k: k, filter: filter ?? null };
    const { results } = await this.client.post('/v1/indexes/{index_id}/search/dense', { params: this.#path, body });
    return results.map((result) => [documentOf(result), result.score]);
  }

  /** Returns documents that are near to the query and differ from each other. It searches by meaning in every mode. */
  override async maxMarginalRelevanceSearch(
    query: string,
    { k, fetchK = defaultFetchK, lambda = defaultLambda, filter }: MaxMarginalRelevanceSearchOptions<MetadataFilter>,
  ): Promise<Document[]> {
    const include: SearchField[] = ['text', 'metadata', 'vector'];
    const request = { top_k: Math.max(k, fetchK), filter: filter ?? null, include };
    const results = await this.#search(query, 'dense', request);
    return selectDiverse(await this.#readMetric(), results, k, lambda).map(documentOf);
  }

  override asRetriever(
    kOrFields?: number | Partial<VectorStoreRetrieverInput<this>>,
    filter?: this['FilterType'],
    callbacks?: Callbacks,
    tags?: string[],
    metadata?: Record<string, unknown>,
    verbose?: boolean,
  ): VectorStoreRetriever<this> {
    return abortable(super.asRetriever(kOrFields, filter, callbacks, tags, metadata, verbose));
  }

  /** Returns a store with texts. Without `indexId` it creates an index. */
  static override fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: EmbeddingsInterface | null,
    options: NewStoreOptions,
  ): Promise<StrataVectorStore> {
    const documents = texts.map((pageContent, at) => {
      const metadata = (Array.isArray(metadatas) ? metadatas[at] : metadatas) as Record<string, unknown> | undefined;
      return new Document({ pageContent, metadata: metadata ?? {} });
    });
    return StrataVectorStore.fromDocuments(documents, embeddings, options);
  }

  /** Returns a store with documents. Without `indexId` it adds to the index of that name, or creates it. */
  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: EmbeddingsInterface | null,
    { client, indexId, name = 'langchain', mode, ids }: NewStoreOptions,
  ): Promise<StrataVectorStore> {
    const create = async (): Promise<string> => {
      const body =
        embeddings === null
          ? { name, embedding_model: 'default' }
          : { name, dimensions: (await embeddings.embedQuery(name)).length };
      return (await client.getOrCreateIndex(body)).id;
    };
    const options = { client, indexId: indexId ?? (await create()), ...(mode !== undefined && { mode }) };
    const store = new StrataVectorStore(embeddings, options);
    await store.addDocuments(documents, ids === undefined ? {} : { ids });
    return store;
  }
}

/** Options of `fromTexts` and `fromDocuments`. */
interface NewStoreOptions extends Omit<StrataVectorStoreOptions, 'indexId'> {
  readonly indexId?: string;
  /** Name of the index, which is created if there is none; `langchain` if absent. */
  readonly name?: string;
  readonly ids?: readonly (string | undefined)[];
}
