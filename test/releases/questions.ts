import assert from 'node:assert/strict';
import { type ApiAnswer, call, type Caller } from '../service/support/organization.ts';
import { allVectors } from '../service/support/files.ts';

/** Indexes that the data of each release contains. */
export const indexNames = ['small', 'branch of small', 'large'] as const;
export type IndexName = (typeof indexNames)[number];

export const dimensionsOf: Readonly<Record<IndexName, number>> = { small: 8, 'branch of small': 8, large: 4_096 };

/** A vector with three numbers other than 0, so that data with many of them is small when compressed. */
export const sparseVector = (dimensions: number, seed: number): readonly number[] => {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const step of [1, 7, 13]) vector[(seed * step) % dimensions] = 1 + (seed % 5) + step / 16;
  return vector;
};

export const encoded = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');

const ask = async (key: Caller, method: string, path: string, body?: unknown): Promise<ApiAnswer['body']> => {
  const answer = await call(key, method, path, body);
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** Returns the ids of the indexes by name. */
export const indexIds = async (key: Caller): Promise<Readonly<Record<IndexName, string>>> => {
  const indexes = await ask(key, 'GET', '/v1/indexes');
  const idOf = (name: IndexName): string => indexes.find((index: ApiAnswer['body']) => index.name === name).id;
  return { small: idOf('small'), 'branch of small': idOf('branch of small'), large: idOf('large') };
};

const rounded = (score: number): number => Number(score.toPrecision(5));

/** Asks an index for what a release must still answer: counts, rows, searches, and the changes of a branch. */
const askIndex = async (key: Caller, id: string, name: IndexName) => {
  const path = `/v1/indexes/${id}`;
  const { dimensions, distance_metric, text_language, parent_index_id } = await ask(key, 'GET', path);
  const { vectors } = await ask(key, 'GET', `${path}/stats`);
  const search = async (mode: string, query: object) => {
    const { results } = await ask(key, 'POST', `${path}/search/${mode}`, { top_k: 5, ...query });
    return results.map((hit: ApiAnswer['body']) => ({ ...hit, score: rounded(hit.score) }));
  };
  const vector = encoded(sparseVector(dimensionsOf[name], 11));
  const rows = await allVectors(key, id);
  return {
    settings: { dimensions, distance_metric, text_language, parent_index_id },
    vectors,
    ids: rows.map((row) => row.id),
    row: await ask(key, 'POST', `${path}/vectors/fetch`, { ids: ['row-11', 'row-17'] }),
    dense: await search('dense', { vector }),
    sparse: await search('sparse', { text: 'number 11', filter: { part: { $lt: 3 } } }),
    hybrid: await search('hybrid', { text: '"number 12"', vector, fusion: { method: 'rrf', dense_weight: 0.5 } }),
    changes: name === 'branch of small' ? await ask(key, 'GET', `${path}/diff`) : null,
  };
};

/** Asks everything, in a form that two versions can be compared by. */
export const askAll = async (key: Caller): Promise<Readonly<Record<string, unknown>>> => {
  const ids = await indexIds(key);
  const answers: Record<string, unknown> = {};
  for (const name of indexNames) answers[name] = await askIndex(key, ids[name], name);
  answers['files'] = await ask(key, 'GET', `/v1/indexes/${ids.small}/files`);
  return answers;
};
