import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReaderRequest } from '../../shared/reader/contracts.ts';
import { decodeResponse, encodeRequest, encodeResponse } from '../../shared/reader/wire.ts';
import { makeRow } from '../engine/support/index-bench.ts';

const ref = {
  dimensions: 2,
  metric: 'cosine',
  nonFilterableKeys: [],
  textLanguage: 'english',
  layers: [{ table: 'idx_1', version: 3 }],
};

const search = {
  op: 'search',
  mode: 'dense',
  text: null,
  vector: 'AACAPwAAAAA=',
  top_k: 10,
  filter: null,
  exact: false,
  include_vector: false,
  fusion: { method: 'rrf', k: 10, denseWeight: 0.5 },
};

/** Operations as functions of earlier versions ask for them, with what they mean by now. */
const asked: readonly (readonly [operation: object, meant?: object])[] = [
  [search, { ...search, vector: Float32Array.of(1, 0), include_text: true, include_metadata: true }],
  [{ ...search, vector: null, include_text: false, include_metadata: false }],
  [{ op: 'recall', vectors: null, queries: 100, seed: 1, top_k: 10, filter: null }],
  [{ op: 'fetch', ids: ['a'], filter: null, include_vector: true }],
  [
    { op: 'list', after: null, limit: 100 },
    { op: 'list', after: null, limit: 100, filter: null, include_vector: false },
  ],
  [{ op: 'list', after: 'a', limit: 100, filter: { tag: 'new' }, include_vector: true }],
  [{ op: 'diff', after: null, limit: 100 }],
  [{ op: 'count', filter: { tag: 'new' } }],
  [{ op: 'values', key: 'tag', filter: null, contains: 'a', limit: 10, after: '"a"' }],
  [{ op: 'describe', keys: ['tag'], filter: null }],
  [{ op: 'embed', texts: ['tea'] }],
];

test('the reader takes what functions of earlier versions ask while they are still there', () => {
  for (const [operation, meant = operation] of asked) {
    const request = { organization_id: 'org_1', model: 'embedded', ref, operation };
    assert.deepEqual(ReaderRequest.parse(request), { ...request, ref: { engine: 'lance', ...ref }, operation: meant });
  }
});

test('vectors of requests and responses are base64 on the wire alone', () => {
  const recall = { op: 'recall', vectors: ['AACAPwAAAAA='], queries: 1, seed: 1, top_k: 1, filter: null };
  for (const operation of [{ ...search, include_text: true, include_metadata: true }, recall]) {
    const request = { organization_id: 'org_1', model: 'embedded', ref: { engine: 'lance', ...ref }, operation };
    assert.deepEqual(encodeRequest(ReaderRequest.parse(request)), request);
  }
  const [vector, without] = [Float32Array.of(1, 0.5), makeRow('b', [1, 1], { metadata: { vector: [1] } })];
  const rows = [
    { ...makeRow('a', [1, 0.5]), version: 'rcp_1' },
    { ...without, vector: null },
  ];
  const hit = { score: 1, ranks: { dense: 1, sparse: null }, scores: { dense: 1, sparse: null }, layer: 0 };
  const hits = rows.map((row) => ({ ...hit, shares: { dense: 1, sparse: null }, row }));
  const responses = [{ hits, tokens: 2 }, { rows, next: 'b' }, { rows: 3 }, { vectors: [vector], tokens: 1 }];
  for (const response of responses) {
    const sent = JSON.stringify(encodeResponse(response));
    assert.deepEqual(decodeResponse(JSON.parse(sent)), response);
    assert.ok(!('vectors' in response) || sent.includes('"AACAPwAAAD8="'));
  }
});
