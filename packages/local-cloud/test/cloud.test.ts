import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { ListDeadLetterSourceQueuesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { OpenCloud } from '../src/open-cloud.ts';
import { clientSettings, openFixtureCloud, readJournal } from './fixture-cloud.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { eventually } from '../../../test/support/eventually.ts';

let directory = '';
let cloud: OpenCloud;
let lambda: LambdaClient;
const cleanups: (() => void)[] = [];

before(async () => {
  directory = temporaryDirectory();
  cloud = await openFixtureCloud(directory);
  lambda = new LambdaClient(clientSettings(cloud));
  // The limit of its route is a second, within which a busy machine may not start a function.
  await eventually(async () => ((await get('/things/first')).response.status === 200 ? true : null));
});

after(async () => {
  lambda.destroy();
  await cloud.close();
  for (const cleanup of cleanups) cleanup();
});

type Json = Readonly<Record<string, unknown>>;

const get = async (
  path: string,
  init: RequestInit = {},
): Promise<{ readonly response: Response; readonly json: Json }> => {
  const response = await fetch(`${cloud.baseUrl}${path}`, init);
  const text = await response.text();
  return { response, json: (text === '' ? {} : JSON.parse(text)) as Json };
};

const invoke = async (FunctionName: string, event: object) => {
  const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  return { ...answer, payload: JSON.parse(Buffer.from(answer.Payload ?? []).toString()) as Json };
};

test('a request reaches the function of its route in payload format 2.0', async () => {
  const { json: event } = await get('/things/a%20b%23?tag=x&tag=y&empty=', { headers: { 'X-Mixed': 'One' } });
  assert.equal(event['routeKey'], 'GET /things/{thing_id}');
  assert.equal(event['rawPath'], '/things/a b#');
  assert.deepEqual(event['pathParameters'], { thing_id: 'a b#' });
  assert.equal(event['rawQueryString'], 'tag=x&tag=y&empty=');
  assert.deepEqual(event['queryStringParameters'], { tag: 'x,y', empty: '' });
  assert.equal((event['headers'] as Json)['x-mixed'], 'One');
  assert.equal((event['requestContext'] as Json)['stage'], '$default');
  assert.equal((await get('/things/special')).json['routeKey'], 'GET /things/special');
  assert.equal((await get('/elsewhere', { method: 'DELETE' })).json['routeKey'], '$default');
});

test('no escape in a path ends a segment or the path, and each segment is decoded once', async () => {
  const routed = async (path: string): Promise<unknown> => {
    const { json: event } = await get(`/things/${path}`);
    return [event['routeKey'], event['pathParameters'], event['rawQueryString']];
  };
  const thing = 'GET /things/{thing_id}';
  assert.deepEqual(await routed('a%2Fb'), [thing, { thing_id: 'a/b' }, '']);
  assert.deepEqual(await routed('a%252Fb'), [thing, { thing_id: 'a%2Fb' }, '']);
  assert.deepEqual(await routed('a%3Fb?c=%3F'), [thing, { thing_id: 'a?b' }, 'c=%3F']);
  assert.deepEqual(await routed('a%3Fb/c'), ['$default', undefined, '']);
  assert.deepEqual(await routed('%ff'), [thing, { thing_id: '%ff' }, '']);
  assert.deepEqual(await routed('%00;x=1'), [thing, { thing_id: '\0;x=1' }, '']);
  assert.deepEqual(await routed(''), ['$default', undefined, '']);
});

test('a request that is not HTTP is refused with an error body', async () => {
  const { port } = new URL(cloud.baseUrl);
  const connection = connect({ host: '127.0.0.1', port: Number(port) });
  connection.write('NONSENSE\r\n\r\n');
  const [head = '', body = ''] = (await textOf(connection)).split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.equal((JSON.parse(body) as Json)['code'], 'bad_request');
});

test('secrets are read from the present content of a file in the data directory', async (t) => {
  const ssm = new SSMClient(clientSettings(cloud));
  t.after(() => ssm.destroy());
  const read = async (Name: string) =>
    (await ssm.send(new GetParameterCommand({ Name, WithDecryption: true }))).Parameter?.Value;
  await assert.rejects(read('/strata/embedding-api-key'), ParameterNotFound);
  const file = join(directory, 'data', 'secrets.json');
  writeFileSync(file, '{');
  await assert.rejects(read('/strata/embedding-api-key'), { name: 'InternalFailure' });
  writeFileSync(file, JSON.stringify({ 'embedding-api-key': 'sk-1' }));
  assert.equal(await read('/strata/embedding-api-key'), 'sk-1');
  await assert.rejects(read('/strata/toString'), ParameterNotFound);
});

test('bodies of requests and responses are passed as text or base64', async () => {
  const post = async (type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const { json } = await get('/things', { method: 'POST', headers: { 'content-type': type }, body });
    return [json['body'], json['isBase64Encoded']];
  };
  assert.deepEqual(await post('application/json; charset=utf-8', '{"ä":1}'), ['{"ä":1}', false]);
  assert.deepEqual(await post('application/octet-stream', new Uint8Array([255, 0])), ['/wA=', true]);
  assert.deepEqual(await post('application/json', new Uint8Array([34, 255, 34])), ['Iv8i', true]);

  const answer = { statusCode: 201, headers: { 'x-made': 'yes' }, body: '/wA=', isBase64Encoded: true };
  const response = await fetch(`${cloud.baseUrl}/things`, { headers: { 'x-answer': JSON.stringify(answer) } });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('x-made'), 'yes');
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([255, 0]));
});

test('the gateway itself responds to large requests, timeouts, malformed responses and preflight requests', async () => {
  const refused = async (path: Promise<{ readonly response: Response; readonly json: Json }>) => {
    const { response, json } = await path;
    assert.equal(response.headers.get('x-request-id'), json['request_id']);
    assert.match(String(json['request_id']), /^req_/);
    return [response.status, json['code']];
  };
  const post = (body: string | Uint8Array<ArrayBuffer>) => get('/things', { method: 'POST', body });
  const tooLarge = [413, 'payload_too_large'];
  assert.deepEqual(await refused(post(new Uint8Array(10 * 1024 * 1024 + 1))), tooLarge);
  assert.deepEqual(await refused(post('a'.repeat(6 * 1024 * 1024))), tooLarge);
  // A quoted quote takes two bytes in the body and four in the event.
  assert.deepEqual(await refused(post(JSON.stringify('"'.repeat(2 * 1024 * 1024)))), tooLarge);
  const headers = { 'x-long': 'a'.repeat(10_240) };
  assert.deepEqual(await refused(get('/things', { headers })), [431, 'headers_too_large']);
  assert.deepEqual(await refused(get('/things', { headers: { 'x-sleep': '1800' } })), [503, 'unavailable']);
  assert.deepEqual(await refused(get('/things', { headers: { 'x-answer': '{"statusCode":"no"}' } })), [
    500,
    'internal',
  ]);
  assert.deepEqual(await refused(get('/things', { headers: { 'x-exit': '3' } })), [503, 'unavailable']);

  const origin = 'https://page.test';
  const preflight = await get('/things', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.response.status, 204);
  assert.equal(preflight.response.headers.get('access-control-allow-headers'), 'authorization');
  const { response } = await get('/things', { headers: { origin } });
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.equal(response.headers.get('access-control-expose-headers'), 'x-request-id');
});

test('Invoke returns the payload, or the error in Lambda’s format, in the region of its signature', async () => {
  const good = await invoke('fixture-front', { act: 'environment' });
  assert.deepEqual([good.StatusCode, good.FunctionError, good.payload['AWS_REGION']], [200, undefined, 'us-east-1']);
  const bad = await invoke('arn:aws:lambda:us-east-1:000000000000:function:fixture-front', {
    act: 'fail',
    name: 'Odd',
    message: 'why',
  });
  assert.deepEqual(
    [bad.StatusCode, bad.FunctionError, bad.payload['errorType'], bad.payload['errorMessage']],
    [200, 'Unhandled', 'Odd', 'why'],
  );
  await assert.rejects(invoke('nobody', {}), { name: 'ResourceNotFoundException' });
  await assert.rejects(invoke('fixture-front', { text: 'x'.repeat(6_291_456) }), { name: 'RequestTooLargeException' });

  const west = new LambdaClient(clientSettings(cloud, 'eu-west-1'));
  const event = { act: 'environment' };
  const answer = await west.send(new InvokeCommand({ FunctionName: 'fixture-worker', Payload: JSON.stringify(event) }));
  assert.equal((JSON.parse(Buffer.from(answer.Payload ?? []).toString()) as Json)['AWS_REGION'], 'eu-west-1');
  const later = {
    FunctionName: 'fixture-worker',
    InvocationType: 'Event' as const,
    Payload: '{"act":"sleep","ms":1,"note":"later"}',
  };
  assert.equal((await west.send(new InvokeCommand(later))).StatusCode, 202);
  await eventually(() => readJournal(directory).find(({ note }) => note === 'later'));
  west.destroy();
});

test('a function reaches the tables through its environment alone', async () => {
  const item = { pk: { S: 'org' }, sk: { S: 'thing' }, count: { N: '7' } };
  const { FunctionError, payload } = await invoke('fixture-front', { act: 'put', table: 'things', item });
  assert.equal(FunctionError, undefined, JSON.stringify(payload));
  const client = new DynamoDBClient(clientSettings(cloud));
  const { Item } = await client.send(new GetItemCommand({ TableName: 'things', Key: { pk: item.pk, sk: item.sk } }));
  assert.deepEqual(Item, item);
  client.destroy();
});

test('an upload to a presigned address becomes a message with the encoded key', async () => {
  const s3 = new S3Client({ ...clientSettings(cloud), requestChecksumCalculation: 'WHEN_REQUIRED' });
  const Bucket = 'content-000000000000-us-east-1';
  await s3.send(new PutObjectCommand({ Bucket, Key: 'elsewhere/x', Body: 'quiet' }));
  const address = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'uploads/a b+ä.txt' }), { expiresIn: 60 });
  assert.ok(address.startsWith(cloud.endpointUrl));
  assert.equal((await fetch(address, { method: 'PUT', body: 'loud' })).status, 200);

  const sqs = new SQSClient(clientSettings(cloud));
  const receive = new ReceiveMessageCommand({
    QueueUrl: `${cloud.endpointUrl}/000000000000/shelf`,
    WaitTimeSeconds: 10,
    MaxNumberOfMessages: 10,
  });
  const { Messages = [] } = await sqs.send(receive);
  assert.equal(Messages.length, 1);
  const { Records } = JSON.parse(Messages[0]?.Body ?? '{}') as {
    readonly Records: readonly { readonly eventName: string; readonly s3: Json }[];
  };
  assert.equal(Records[0]?.eventName, 'ObjectCreated:Put');
  assert.equal((Records[0].s3['object'] as Json)['key'], 'uploads/a+b%2B%C3%A4.txt');
  assert.equal((Records[0].s3['object'] as Json)['size'], 4);
  s3.destroy();
  sqs.destroy();
});

test('an operation that the local cloud does not have is a 501 that the SDK shows', async () => {
  await assert.rejects(lambda.send(new ListFunctionsCommand({})), {
    name: 'NotImplemented',
    message: /^The local cloud has no operation/,
  });
  const sqs = new SQSClient(clientSettings(cloud));
  const QueueUrl = `${cloud.endpointUrl}/000000000000/shelf`;
  await assert.rejects(sqs.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl })), { name: 'NotImplemented' });
  sqs.destroy();
  const bus = new EventBridgeClient(clientSettings(cloud));
  await assert.rejects(bus.send(new PutEventsCommand({ Entries: [{ Source: 'test' }] })), {
    name: 'NotImplemented',
    message: 'The local cloud has no service events in us-east-1.',
  });
  bus.destroy();
});

test('the published keys of the identity provider verify its ID tokens', async () => {
  const ask = (body: string) => get('/_local/id-token', { method: 'POST', body });
  const { json } = await ask(JSON.stringify({ email: 'Ada@example.com', name: 'Ada' }));
  const { json: configuration } = await get('/_local/identity/.well-known/openid-configuration');
  assert.equal(configuration['issuer'], `${cloud.baseUrl}/_local/identity`);
  const keys = createRemoteJWKSet(new URL(String(configuration['jwks_uri'])));
  const { payload } = await jwtVerify(String(json['id_token']), keys, {
    issuer: `${cloud.baseUrl}/_local/identity`,
    audience: 'strata-local',
  });
  const { email, email_verified: verified, name, token_use: use, iat = 0, exp = 0, sub } = payload;
  assert.deepEqual([email, verified, name, use, exp - iat], ['ada@example.com', true, 'Ada', 'id', 3600]);

  const { json: again } = await ask(JSON.stringify({ email: 'ada@example.com', name: 'Somebody else' }));
  assert.equal((await jwtVerify(String(again['id_token']), keys)).payload.sub, sub);
  for (const body of ['', '{', '{}', '{"email":"x","name":"y"}']) assert.equal((await ask(body)).response.status, 400);
});

/** Sends a request as it is written: `fetch` keeps the names of hosts and origins to itself. */
const answerTo = async (address: string, method: string, headers: Readonly<Record<string, string>>) => {
  const sent = request(address, { method, headers }).end(method === 'POST' ? '{"Name":"none"}' : '');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response;
};

test('only requests with a host name of this machine reach local endpoints', async () => {
  const { port } = new URL(cloud.baseUrl);
  const statusFor = async (host: string) =>
    (await answerTo(`${cloud.baseUrl}/_local/health`, 'GET', { host })).statusCode;
  assert.deepEqual([await statusFor(`localhost:${port}`), await statusFor(`page.test:${port}`)], [200, 403]);
});

test('a web page reaches no service of AWS but S3, under any host name', async () => {
  const calls = [
    ['dynamodb', '/', 'DynamoDB_20120810.ListTables'],
    ['sqs', '/', 'AmazonSQS.ListQueues'],
    ['ssm', '/', 'AmazonSSM.GetParameter'],
    ['lambda', '/2015-03-31/functions/fixture-front/invocations', ''],
  ] as const;
  const { host } = new URL(cloud.endpointUrl);
  const { accessKeyId } = cloud.settings.read();
  for (const [service, path, target] of calls) {
    const address = `${cloud.endpointUrl}${path}?X-Amz-Credential=${accessKeyId}/20250101/us-east-1/${service}/aws4_request`;
    const ask = (method: string, headers: Readonly<Record<string, string>>) =>
      answerTo(address, method, { 'content-type': 'text/plain', 'x-amz-target': target, ...headers });
    // Calls from this machine are identified by their signature.
    const own = await ask('POST', { host });
    assert.equal(own.headers['x-amzn-errortype'], 'InvalidSignatureException', service);
    for (const [method, headers] of [
      ['POST', { origin: 'https://page.test' }],
      ['POST', { origin: 'null' }],
      ['POST', { host: host.replace('127.0.0.1', 'page.test') }],
      ['OPTIONS', { origin: 'https://page.test', 'access-control-request-method': 'POST' }],
    ] as const) {
      const answer = await ask(method, headers);
      assert.deepEqual(
        [answer.headers['x-amzn-errortype'], answer.headers['access-control-allow-origin']],
        ['AccessDeniedException', undefined],
        service,
      );
    }
  }
});

test('the health report shows processes and queues of the local cloud', async () => {
  const { json } = await get('/_local/health');
  const {
    main_bytes: main,
    functions_bytes: functions,
    total_bytes: total,
  } = json['memory'] as Readonly<Record<string, number>>;
  assert.ok(main !== undefined && main > 0 && total === main + (functions ?? 0));
  assert.equal((json['queues'] as readonly unknown[]).length, cloud.plan.queues.length);
  const { json: counted } = await get('/_local/invocations');
  assert.ok(Number((counted['functions'] as Json)['front']) > 0);
});
