import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { endpoints } from '../../functions/registry.ts';

/** Fields of responses that contain a secret. */
const secrets = new Set([
  'token',
  'access_token',
  'client_secret',
  'secret',
  'session_token',
  'authorize_url',
  'redirect_to',
]);

test('every endpoint whose response contains a secret forbids caches to store it', () => {
  for (const { id, response, returnsSecret } of Object.values(endpoints)) {
    const fields = response instanceof z.ZodObject ? Object.keys(response.shape) : [];
    // The page of a consent contains its confirmation code.
    const isSecret = fields.some((field) => secrets.has(field)) || id === 'return-from-consent';
    assert.equal(returnsSecret === true, isSecret, id);
  }
});
