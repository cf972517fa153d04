import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReaderRequest } from '../../shared/reader/contracts.ts';
import { decodeResponse, encodeRequest, encodeResponse } from '../../shared/reader/wire.ts';
import { makeRow } from '../../packages/engine/test/support/index-bench.ts';

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
  include_text: true,
  include_metadata: true,
  fusion: { method: 'rrf', k: 10, denseWeight: 0.5 },
  ranking: null,
  highlight: null,
  context: null,
};

const staged = {
  ...search,
  ranking: {
    depth: 100,
    isFixed: false,
    offset: 0,
    queries: [{ text: 'tea', vector: 'AACAPwAAAAA=', weight: 1, denseWeight: 0.5 }],
    fuse: 'rrf',
    boost: { weight: 0.3, conditions: [{ filter: { topic: 'tea' }, weight: 1 }] },
    rerank: null,
    min_score: { dense: 0.5 },
    group: { by: 'file', size: 1 },
    diversity: 0,
    facets: [{ key: 'topic', limit: 10 }],
  },
};

test('vectors of requests and responses are base64 on the wire alone', () => {
  const recall = { op: 'recall', vectors: ['AACAPwAAAAA='], queries: 1, seed: 1, top_k: 1, filter: null };
  for (const operation of [search, staged, recall]) {
    const target = { organization_id: 'org_1', model: 'embedded', ref: { engine: 'lance', ...ref } };
    const request = { ...target, operation, within: { topic: 'tea' } };
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
