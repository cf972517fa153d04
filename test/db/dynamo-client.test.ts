import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { after, before, test } from 'node:test';
import { isTransientSdkError, isRefusedInput } from '../../shared/kernel/sdk-error.ts';
import { dynamoClient, DynamoError } from '../../shared/platform/aws/dynamo-client.ts';
import { listening } from '../support/emulated-cloud.ts';

/** Responses to the next requests: status and body, or a broken connection. */
type Reply = readonly [status: number, body: string] | 'hang up';

const replies: Reply[] = [];
const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    const reply = replies.shift() ?? [500, ''];
    if (reply === 'hang up') request.socket.destroy();
    else response.writeHead(reply[0]).end(reply[1]);
  });
});

before(async () => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: await listening(server),
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
  });
});
after(() => {
  dynamoClient('eu-west-1').handler.destroy();
  server.close();
});

const found: Reply = [200, '{"Item":{"pk":{"S":"ä"}}}'];
const fault: Reply = [500, '{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"trouble"}'];

const ask = (...next: readonly Reply[]) => {
  replies.splice(0, replies.length, ...next);
  received.length = 0;
  return dynamoClient('eu-west-1').call('GetItem', { TableName: 'table', Key: { pk: { S: 'ä' } } });
};

/** Returns the error of a request and the number of attempts. */
const refused = async (...next: readonly Reply[]) => {
  const error: unknown = await ask(...next).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DynamoError);
  return { error, requests: received.length };
};

test('a DynamoDB request contains operation, input and signature, and its response is returned unchanged', async () => {
  assert.deepEqual(await ask(found), { Item: { pk: { S: 'ä' } } });
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  assert.equal(headers['x-amz-target'], 'DynamoDB_20120810.GetItem');
  assert.equal(headers['x-amz-security-token'], 'session');
  assert.match(
    headers.authorization ?? '',
    /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, /,
  );
  assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
  assert.deepEqual(JSON.parse(body), { TableName: 'table', Key: { pk: { S: 'ä' } } });
});

test('a DynamoDB request is retried after a fault or a broken connection, at most four times', async () => {
  assert.deepEqual(await ask(fault, 'hang up', found), { Item: { pk: { S: 'ä' } } });
  assert.equal(received.length, 3);
  // Not a response of DynamoDB.
  const page: Reply = [503, '<html>'];
  const { error, requests } = await refused(page, page, page, page, found);
  assert.equal(requests, 4);
  assert.equal(isTransientSdkError(error), true);
  assert.deepEqual([error.name, error.$metadata.httpStatusCode], ['UnknownError', 503]);
});

test('a DynamoDB request that is refused is not retried and throws an error with the name of the cause', async () => {
  const type = 'com.amazon.coral.validate#ValidationException';
  const { error, requests } = await refused([400, JSON.stringify({ __type: type, message: 'too large' })], found);
  assert.equal(requests, 1);
  assert.equal(isRefusedInput(error), true);
  assert.equal(isTransientSdkError(error), false);
  assert.equal(error.message, 'too large');
  const denied = { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'not yours' };
  const { error: other } = await refused([400, JSON.stringify(denied)]);
  assert.deepEqual([other.name, other.message], ['AccessDeniedException', 'not yours']);
});
