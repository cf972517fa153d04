import {
  type CreateIndexParams,
  type DeleteIndexParams,
  type DeleteVectorParams,
  type DeleteVectorsParams,
  type DescribeIndexParams,
  type IndexStats,
  MastraVector,
  type QueryResult,
  type QueryVectorParams,
  type UpdateVectorParams,
  type UpsertVectorParams,
  validateUpsert,
} from '@mastra/core/vector';
import type { VectorFilter } from '@mastra/core/vector/filter';
import {
  type DistanceMetric,
  type IndexResponse,
  type JsonValue,
  type SearchRerank,
  type SearchResult,
  type StrataClient,
  StrataError,
} from 'strata-client';
import { userError } from './errors.js';
import { translateFilter } from './translate-filter.js';

export interface StrataVectorOptions {
  /** Name of the store in Mastra. */
  readonly id: string;
  readonly client: StrataClient;
}

/** A query with the stages of Strata. */
export interface StrataQueryParams extends QueryVectorParams<VectorFilter> {
  /** Lowest similarity of a result. With `rerank`, lowest score of the reranker, from 0 to 1. */
  readonly minScore?: number;
  /** Share of diversity in the order of results, from 0 to 1, by maximal marginal relevance. */
  readonly diversity?: number;
  /** Scores the best candidates again. A search by a vector needs a question. */
  readonly rerank?: SearchRerank & { readonly query: string };
}

type Metadata = Record<string, JsonValue>;

const storeName = 'STRATA';
const maxIds = 1_000;
const maxTextLength = 32_768;
const defaultTopK = 10;
/** Maximum of results of a search by a vector. */
const maxTopK = 1_000;

/** Text of a row: Mastra stores it in the metadata. Sparse search, the console and the command line read it. */
const textOf = ({ text }: Metadata): string | null =>
  typeof text === 'string' && text.length <= maxTextLength ? text : null;

/** Returns a similarity of at most 1: the cosine, or the inverse of 1 plus the euclidean distance. */
const similarityOf = (metric: DistanceMetric, score: number): number =>
  metric === 'cosine' ? score : 1 / (1 + Math.sqrt(Math.max(0, -score)));

/** Returns the score of a similarity. */
const lowestOf = (metric: DistanceMetric, similarity: number): number =>
  metric === 'cosine' ? similarity : -((1 / Math.max(similarity, Number.EPSILON) - 1) ** 2);

const isObject = (value: JsonValue | undefined): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies a JSON merge patch: given keys replace, also within objects, and null removes a key. Source: RFC 7396. */
const mergePatch = (target: JsonValue | undefined, patch: JsonValue): JsonValue => {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch))
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  return Object.fromEntries(merged);
};

/** Vector store on the indexes of an organization. The name of an index in Mastra is that of an index in Strata. */
export class StrataVector extends MastraVector<VectorFilter> {
  readonly #client: StrataClient;
  /** Indexes by their names. */
  readonly #indexes = new Map<string, IndexResponse>();

  constructor({ id, client }: StrataVectorOptions) {
    super({ id });
    this.#client = client;
  }

  /** Returns the oldest index with a name; undefined if there is none. */
  async #find(indexName: string): Promise<IndexResponse | undefined> {
    let found: IndexResponse | undefined;
    // Ids are in order of their creation.
    for await (const index of this.#client.pages('/v1/indexes', { params: { query: { limit: 1_000 } } }))
      if (index.name === indexName && (found === undefined || index.id < found.id)) found = index;
    return found;
  }

  /** Runs a function with the parameters of an index. Throws MastraError if there is no index with the name. */
  async #onIndex<Value>(
    indexName: string,
    run: (params: { readonly path: { readonly index_id: string } }, index: IndexResponse) => Promise<Value>,
  ): Promise<Value> {
    const index = this.#indexes.get(indexName) ?? (await this.#find(indexName));
    if (index === undefined)
      throw userError('NO_INDEX', `There is no index "${indexName}". Create it with createIndex.`);
    this.#indexes.set(indexName, index);
    try {
      return await run({ path: { index_id: index.id } }, index);
    } catch (error) {
      // Another process may have deleted the index, and created one with the same name.
      if (error instanceof StrataError && error.status === 404) this.#indexes.delete(indexName);
      throw error;
    }
  }

  override async createIndex({ indexName, dimension, metric = 'cosine' }: CreateIndexParams): Promise<void> {
    if (metric === 'dotproduct')
      throw userError('UNSUPPORTED_METRIC', 'The metrics are cosine and euclidean. Normalize vectors and use cosine.');
    if ((await this.#find(indexName)) !== undefined) return this.validateExistingIndex(indexName, dimension, metric);
    const { id } = await this.#client.post('/v1/indexes', {
      body: {
        name: indexName,
        dimensions: dimension,
        distance_metric: metric,
        // The text of a row is searched as such.
        non_filterable_metadata_keys: ['text'],
      },
    });
    // Names are not unique, so of concurrent calls the first creation counts.
    if ((await this.#find(indexName))?.id === id) return;
    await this.#client.delete('/v1/indexes/{index_id}', { params: { path: { index_id: id } } });
    await this.validateExistingIndex(indexName, dimension, metric);
  }

  override async listIndexes(): Promise<string[]> {
    const names = new Set<string>();
    for await (const { name } of this.#client.pages('/v1/indexes', { params: { query: { limit: 1_000 } } }))
      names.add(name);
    return [...names];
  }

  override describeIndex({ indexName }: DescribeIndexParams): Promise<IndexStats> {
    return this.#onIndex(indexName, async (params, { dimensions, distance_metric: metric }) => {
      const { vectors } = await this.#client.get('/v1/indexes/{index_id}/stats', { params });
      return { dimension: dimensions, count: vectors, metric };
    });
  }

  override async deleteIndex({ indexName }: DeleteIndexParams): Promise<void> {
    await this.#onIndex(indexName, (params) => this.#client.delete('/v1/indexes/{index_id}', { params }));
    this.#indexes.delete(indexName);
  }

  /** Writes vectors and returns their ids. `deleteFilter` is a request before, so a failure in between can lose rows. */
  override async upsert(params: UpsertVectorParams): Promise<string[]> {
    const { indexName, vectors, metadata, ids, sparseVectors, deleteFilter } = params;
    validateUpsert(storeName, vectors, metadata, ids, true);
    if (sparseVectors !== undefined)
      throw userError('UNSUPPORTED_SPARSE', 'Strata searches the words of texts and takes no sparse vectors.');
    if (deleteFilter !== undefined) await this.deleteVectors({ indexName, filter: deleteFilter });
    const rows = vectors.map((vector, at) => {
      const own = (metadata?.[at] ?? {}) as Metadata;
      return { id: ids?.[at] ?? crypto.randomUUID(), vector, metadata: own, text: textOf(own) };
    });
    // A request may contain an id once. The last vector with an id counts.
    const unique = new Map(rows.map((row) => [row.id, row]));
    await this.#onIndex(indexName, ({ path }) => this.#client.upsertVectors(path.index_id, unique.values()));
    return rows.map(({ id }) => id);
  }

  /** Returns the nearest vectors. Without `queryVector` it returns rows that match the filter, with the score 0. */
  override async query(params: StrataQueryParams): Promise<QueryResult[]> {
    const { indexName, queryVector, topK = defaultTopK, includeVector = false, sparseVector } = params;
    const max = queryVector === undefined ? Infinity : maxTopK;
    if (!Number.isInteger(topK) || topK < 1 || topK > max)
      throw userError('TOP_K', `topK is ${topK}. Give an integer from 1${max === Infinity ? '' : ` to ${max}`}.`);
    if (sparseVector !== undefined)
      throw userError('UNSUPPORTED_SPARSE', 'Strata searches the words of texts and takes no sparse vectors.');
    const filter = translateFilter(params.filter);
    return this.#onIndex(indexName, async ({ path }, { distance_metric: metric }) => {
      const results: QueryResult[] = [];
      const add = ({ id, metadata, vector, text }: Omit<SearchResult, 'file'>, score: number): void => {
        const document = typeof text === 'string' ? { document: text } : {};
        results.push({
          id,
          score,
          metadata: metadata ?? {},
          ...document,
          ...(includeVector && { vector: vector ?? [] }),
        });
      };
      if (queryVector === undefined) {
        if (filter === null) throw userError('NO_QUERY', 'Give a queryVector, a filter, or both.');
        const query = { filter: JSON.stringify(filter), limit: Math.min(topK, 1_000), include_vectors: includeVector };
        for await (const row of this.#client.pages('/v1/indexes/{index_id}/vectors', { params: { path, query } })) {
          add({ ...row, score: 0 }, 0);
          if (results.length === topK) break;
        }
        return results;
      }
      const include = ['text' as const, 'metadata' as const, ...(includeVector ? ['vector' as const] : [])];
      const { minScore, diversity, rerank } = params;
      const stages = {
        ...(minScore !== undefined && {
          min_score: rerank === undefined ? { dense: lowestOf(metric, minScore) } : { rerank: minScore },
        }),
        ...(diversity !== undefined && { diversity }),
        ...(rerank !== undefined && { rerank }),
      };
      const body = { vector: queryVector, top_k: topK, filter, include, ...stages };
      const found = await this.#client.post('/v1/indexes/{index_id}/search/dense', { params: { path }, body });
      for (const result of found.results) add(result, similarityOf(metric, result.score));
      return results;
    });
  }

  /** Changes the vector of a row, and merges metadata: given keys replace, also within objects, and null removes a key. */
  override async updateVector(params: UpdateVectorParams<VectorFilter>): Promise<void> {
    const { indexName, id, update } = params;
    const { vector } = update;
    if (id !== undefined && params.filter !== undefined)
      throw userError('NO_SELECTION', 'Give either an id or a filter.');
    const metadata = (update.metadata ?? {}) as Metadata;
    if (vector === undefined && update.metadata === undefined)
      throw userError('NO_UPDATE', 'Give a vector, metadata, or both.');
    const isPlain = vector === undefined && !Object.hasOwn(metadata, 'text');
    if (id === undefined) {
      const filter = translateFilter(params.filter);
      if (filter === null) throw userError('NO_FILTER', 'The filter of an update needs a condition.');
      if (!isPlain)
        throw userError('UNSUPPORTED_UPDATE', 'An update by filter changes metadata other than text alone.');
      await this.#onIndex(indexName, (params) =>
        this.#client.post('/v1/indexes/{index_id}/vectors/update-by-filter', { params, body: { filter, metadata } }),
      );
      return;
    }
    await this.#onIndex(indexName, async (params) => {
      if (isPlain) {
        const body = [{ id, metadata }];
        const { missing } = await this.#client.post('/v1/indexes/{index_id}/vectors/update', { params, body });
        if (missing.length > 0) throw userError('NO_VECTOR', `The index "${indexName}" has no vector "${id}".`);
        return;
      }
      const { vectors } = await this.#client.post('/v1/indexes/{index_id}/vectors/fetch', {
        params,
        body: { ids: [id], include_vectors: true },
      });
      const [row] = vectors;
      if (row === undefined) throw userError('NO_VECTOR', `The index "${indexName}" has no vector "${id}".`);
      const changed = mergePatch(row.metadata, metadata) as Metadata;
      const written = { id, vector: vector ?? row.vector ?? null, metadata: changed, text: textOf(changed) };
      await this.#client.post('/v1/indexes/{index_id}/vectors', {
        params,
        body: [{ ...written, if_version: row.version }],
      });
    });
  }

  override deleteVector({ indexName, id }: DeleteVectorParams): Promise<void> {
    return this.deleteVectors({ indexName, ids: [id] });
  }

  override async deleteVectors({ indexName, ids, filter }: DeleteVectorsParams<VectorFilter>): Promise<void> {
    if ((ids === undefined) === (filter === undefined || filter === null))
      throw userError('NO_SELECTION', 'Give either ids or a filter.');
    const translated = translateFilter(filter);
    if (ids === undefined && translated === null)
      throw userError('NO_FILTER', 'The filter of a deletion needs a condition.');
    await this.#onIndex(indexName, async (params) => {
      const path = '/v1/indexes/{index_id}/vectors/delete';
      if (ids === undefined) await this.#client.post(path, { params, body: { filter: translated } });
      for (let at = 0; at < (ids?.length ?? 0); at += maxIds)
        await this.#client.post(path, { params, body: { ids: ids?.slice(at, at + maxIds) ?? null } });
    });
  }
}
