import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../functions/registry.ts';
import { parameterNames, pathRefusal } from '../../shared/http/path-parameters.ts';

const template = '/v1/indexes/{index_id}';
const index_id = `idx_${'0a'.repeat(13)}`;
const path = `/v1/indexes/${index_id}`;

const codeOf = (rawPath: string, pathParameters: Record<string, string> = { index_id }): string | undefined =>
  pathRefusal(template, { rawPath, pathParameters })?.message;

test('every parameter of every path has a form that its values are checked by', () => {
  for (const { path: known } of Object.values(endpoints)) {
    const refused = pathRefusal(known, { rawPath: known, pathParameters: {} });
    assert.equal(refused === null, parameterNames(known).length === 0, known);
  }
});

test('a path is taken as a gateway passes it on: decoded, encoded or behind a stage', () => {
  for (const rawPath of [path, path.replace('_', '%5F'), `/prod${path}`]) assert.equal(codeOf(rawPath), undefined);
});

test('a path that is longer than its route names nothing, though its parameters are right', () => {
  for (const rawPath of [`${path}?/files/x`, `${path}%3F/files/x`, `${path}/files/x`, `${path}/`, `${path}#`, '/', ''])
    assert.equal(codeOf(rawPath), 'Path not found', rawPath);
});

test('a parameter that is no identifier of its kind names nothing, whatever it was decoded from', () => {
  const wrong = ['', 'x', `${index_id}/files/x`, `${index_id}?`, `${index_id}\n`, `${index_id}\0`, `${index_id}%00`];
  for (const value of [...wrong, index_id.toUpperCase(), index_id.replace('idx', 'job'), `${index_id}0`])
    assert.equal(codeOf(`/v1/indexes/${value}`, { index_id: value }), 'Index not found', value);
  assert.equal(codeOf(path, {}), 'Index not found');
});
