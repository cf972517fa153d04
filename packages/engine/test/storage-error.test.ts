import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { connectDatabase } from '../src/lance/connect-database.ts';
import { isPassingStorageError } from '../src/lance/storage-error.ts';
import { closeServer, listen } from '../../local-cloud/src/index.ts';

/** The error of the engine on a bucket that answers every request like this. */
const errorOn = async (context: TestContext, answer: RequestListener): Promise<unknown> => {
  const server = createServer(answer);
  const endpoint = `http://127.0.0.1:${await listen(server, 0)}`;
  context.after(() => closeServer(server));
  const storageOptions = {
    aws_endpoint: endpoint,
    aws_region: 'us-east-1',
    aws_access_key_id: 'key',
    aws_secret_access_key: 'secret',
    allow_http: 'true',
    client_max_retries: '0',
  };
  const connection = connectDatabase({ uri: 's3://bucket/tables', storageOptions });
  return connection().then(
    (database) => database.createTable('table', [{ id: 1 }]).catch((error: unknown) => error),
    (error: unknown) => error,
  );
};

const status =
  (code: number): RequestListener =>
  (_, response) =>
    response.writeHead(code).end();

describe('the error of the engine', { concurrency: true }, () => {
  for (const [what, answer, isPassing] of [
    ['takes no more requests', status(503), true],
    ['is in trouble', status(500), true],
    ['breaks connections off', (request) => request.socket.destroy(), true],
    ['denies access', status(403), false],
  ] as const satisfies readonly (readonly [string, RequestListener, boolean])[])
    test(`${isPassing ? 'may pass' : 'stays'} if S3 ${what}`, async (context) => {
      const error = await errorOn(context, answer);
      assert.ok(error instanceof Error);
      assert.equal(isPassingStorageError(error), isPassing, error.message);
    });
});

test('an error of the engine that names the request is recognized as a storage error', () => {
  const failed = (reason: string): Error =>
    new Error(
      `Generic S3 error: Error performing GET https://bucket in 1s, after 3 retries, max_retries: 3 - ${reason}`,
    );
  assert.ok(isPassingStorageError(failed('Server returned non-2xx status code: 429 Too Many Requests: ')));
  assert.ok(isPassingStorageError(failed('HTTP error: error sending request')));
  assert.ok(!isPassingStorageError(failed('Server returned non-2xx status code: 404 Not Found: 503')));
});
