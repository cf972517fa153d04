import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf } from '../../shared/http/openapi/example-of.ts';
import { largestBodies } from '../fuzz/largest-bodies.ts';
import { servedEndpoints, bodySchemaOf, openApi } from './support/document.ts';

const bytes = 64 * 1024;

/** Limit: a thousand items with twenty problems each, and some more. A body of this size has up to 32,000 elements. */
const maxIssues = 25_000;

test('no body causes more validation issues than its bounds allow', () => {
  let bodies = 0;
  for (const endpoint of servedEndpoints) {
    const described = bodySchemaOf(endpoint);
    if (described === null || endpoint.body === undefined) continue;
    const sound = exampleOf(described.schema, openApi.components.schemas);
    for (const { name, text } of largestBodies(endpoint, sound, bytes)) {
      const issues = endpoint.body.safeParse(JSON.parse(text)).error?.issues ?? [];
      bodies += 1;
      assert.ok(issues.length <= maxIssues, `${endpoint.id}: ${name} makes ${issues.length} issues`);
    }
  }
  assert.ok(bodies > 500, `${bodies} bodies`);
});
