import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { checkVector, type InputVector } from './check-vector.ts';
import { type QueryHit, type QueryInput, queryVectors } from './query-vectors.ts';
import { readToken, requireIndex, type ResourceInput, type VectorContext, writeToken } from './vector-context.ts';
import { invalid } from './vector-error.ts';
import { configurationOf, numbersOf, type VectorRow } from './vector-store.ts';

/** Hits of one page of a query. */
const queryPageSize = 100;
const maxTopK = 10_000;
/** Bytes of vectors after which a page of a list ends. */
const maxListBytes = 1_048_576;
const scannedRows = 1_000;

interface Returned {
  readonly returnData?: boolean;
  readonly returnMetadata?: boolean;
}

interface Inputs {
  readonly PutVectors: ResourceInput & { readonly vectors: readonly InputVector[] };
  readonly GetVectors: ResourceInput & Returned & { readonly keys: readonly string[] };
  readonly DeleteVectors: ResourceInput & { readonly keys: readonly string[] };
  readonly ListVectors: JsonObject &
    ResourceInput &
    Returned & { readonly maxResults?: number; readonly segmentCount?: number; readonly segmentIndex?: number };
  readonly QueryVectors: JsonObject &
    ResourceInput &
    QueryInput & {
      readonly returnMetadata?: boolean;
      readonly returnDistance?: boolean;
      readonly returnScores?: boolean;
    };
}

const describe = (
  { key, data, metadata: json }: Pick<VectorRow, 'key' | 'data' | 'metadata'>,
  { returnData = false, returnMetadata = false }: Returned,
): JsonObject => ({
  key,
  ...(returnData ? { data: { float32: Array.from(numbersOf(data)) } } : {}),
  ...(returnMetadata && json !== '{}' ? { metadata: JSON.parse(json) as JsonObject } : {}),
});

const describeHit = (hit: QueryHit, input: Inputs['QueryVectors']): JsonObject => {
  const { fused, bm25Scores, distance } = hit;
  const vectorDistance = distance === undefined ? {} : { vectorDistance: distance };
  const scores = { ...(fused === undefined ? {} : { fused }), ...(bm25Scores && { bm25Scores }), ...vectorDistance };
  return {
    ...describe(hit.row, { returnMetadata: input.returnMetadata ?? false }),
    ...(input.returnDistance === true && distance !== undefined ? { distance } : {}),
    ...(input.returnScores === true ? { scores } : {}),
  };
};

const segmentOf = ({ segmentCount, segmentIndex }: Inputs['ListVectors']): readonly [count: number, index: number] => {
  if ((segmentCount === undefined) !== (segmentIndex === undefined))
    throw invalid('segmentIndex', 'segmentCount and segmentIndex must be specified together');
  const [count, index] = [segmentCount ?? 1, segmentIndex ?? 0];
  if (index >= count) throw invalid('segmentIndex', 'segmentIndex must be less than segmentCount');
  return [count, index];
};

/** Operations on vectors. */
export const dataOperations: {
  readonly [Name in keyof Inputs]: (context: VectorContext, input: Inputs[Name]) => Promise<JsonObject>;
} = {
  PutVectors: async (context, input) => {
    const index = requireIndex(context, input);
    const configuration = configurationOf(index);
    if (new Set(input.vectors.map(({ key }) => key)).size < input.vectors.length)
      throw invalid('vectors', 'Each key must be distinct');
    const vectors = input.vectors.map((vector, at) => {
      const data = checkVector(vector, at, configuration);
      return { key: vector.key, data, metadata: vector.metadata ?? {} };
    });
    await context.store.put(index, vectors);
    return {};
  },
  GetVectors: async (context, input) => {
    const index = requireIndex(context, input);
    return {
      vectors: [...new Set(input.keys)].flatMap((key) => {
        const row = context.store.get(index, key);
        return row === undefined ? [] : [describe(row, input)];
      }),
    };
  },
  DeleteVectors: async (context, input) => {
    context.store.remove(requireIndex(context, input), input.keys);
    return {};
  },
  ListVectors: async (context, input) => {
    const index = requireIndex(context, input, input.returnData || input.returnMetadata ? ['GetVectors'] : []);
    const [count, segment] = segmentOf(input);
    const { maxResults = 500 } = input;
    const [place = '-1', ...rest] = readToken(input).split(' ');
    let last = { place: Number(place), key: rest.join(' ') };
    const vectors: JsonObject[] = [];
    let bytes = 0;
    for (;;) {
      const rows = context.store.database.sql.all`
        SELECT place, key, data, metadata FROM vectors JOIN metadata USING (indexId, place, key)
        WHERE indexId = ${index.id} AND (place, key) > (${last.place}, ${last.key}) AND place % ${count} = ${segment}
        ORDER BY place, key LIMIT ${scannedRows}` as readonly VectorRow[];
      for (const row of rows) {
        if (vectors.length === maxResults || bytes >= maxListBytes)
          return { vectors, nextToken: writeToken(input, `${last.place} ${last.key}`) };
        const vector = describe(row, input);
        bytes += JSON.stringify(vector).length;
        vectors.push(vector);
        last = row;
      }
      if (rows.length < scannedRows) return { vectors };
    }
  },
  QueryVectors: async (context, input) => {
    const needsRows = input.filter !== undefined || input.returnMetadata === true || input.queryTexts !== undefined;
    const index = requireIndex(context, input, needsRows ? ['GetVectors'] : []);
    if (input['queryMode'] === 'CLASSIC')
      throw invalid('queryMode', 'queryMode cannot be CLASSIC when indexMode is ENHANCED');
    if (input.topK > maxTopK) throw invalid('topK', `topK must be at most ${maxTopK}`);
    const from = Number(readToken(input));
    const hits = await queryVectors(input, context.store, index);
    const to = from + queryPageSize;
    return {
      vectors: hits.slice(from, to).map((hit) => describeHit(hit, input)),
      distanceMetric: configurationOf(index).distanceMetric,
      ...(hits.length > to ? { nextToken: writeToken(input, String(to)) } : {}),
    };
  },
};
