import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../functions/registry.ts';
import { parameterNames, pathError } from '../../shared/http/path-parameters.ts';

const template = '/v1/indexes/{index_id}';
const index_id = `idx_${'0a'.repeat(13)}`;
const path = `/v1/indexes/${index_id}`;

const codeOf = (rawPath: string, pathParameters: Record<string, string> = { index_id }): string | undefined =>
  pathError(template, { rawPath, pathParameters })?.message;

test('every path parameter has a pattern', () => {
  for (const { path: known } of Object.values(endpoints)) {
    const refused = pathError(known, { rawPath: known, pathParameters: {} });
    assert.equal(refused === null, parameterNames(known).length === 0, known);
  }
});

test('a path is accepted decoded, encoded or with a stage prefix', () => {
  for (const rawPath of [path, path.replace('_', '%5F'), `/prod${path}`]) assert.equal(codeOf(rawPath), undefined);
});

test('a path that is longer than its route is a 404 even if its parameters are valid', () => {
  for (const rawPath of [`${path}?/files/x`, `${path}%3F/files/x`, `${path}/files/x`, `${path}/`, `${path}#`, '/', ''])
    assert.equal(codeOf(rawPath), 'Path not found', rawPath);
});

test('an index may be named by an alias, which has not the form of an id', () => {
  for (const value of ['handbook', '2026-11', 'a', 'idx', 'job_queue', 'x'.repeat(63)])
    assert.equal(codeOf(`/v1/indexes/${value}`, { index_id: value }), undefined, value);
});

test('a path parameter that does not match its pattern is a 404 in any encoding', () => {
  const wrong = [
    '',
    'X',
    'x'.repeat(64),
    `${index_id}/files/x`,
    `${index_id}?`,
    `${index_id}\n`,
    `${index_id}\0`,
    `${index_id}%00`,
  ];
  for (const value of [...wrong, index_id.toUpperCase(), index_id.replace('idx', 'job'), `${index_id}0`])
    assert.equal(codeOf(`/v1/indexes/${value}`, { index_id: value }), 'Index not found', value);
  assert.equal(codeOf(path, {}), 'Index not found');
});
