import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  type Message,
} from '@aws-sdk/client-sqs';
import type { OpenCloud } from '../src/open-cloud.ts';
import { openQueueStore } from '../src/queues/queue-store.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { clientSettings, openFixtureCloud, readJournal, type JournalEntry } from './fixture-cloud.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

let directory = '';
let cloud: OpenCloud;
let sqs: SQSClient;
const cleanups: (() => void)[] = [];

before(async () => {
  directory = temporaryDirectory();
  cloud = await openFixtureCloud(directory);
  sqs = new SQSClient(clientSettings(cloud));
});

after(async () => {
  sqs.destroy();
  await cloud.close();
  for (const cleanup of cleanups) cleanup();
});

const urlOf = (name: string): string => `${cloud.endpointUrl}/000000000000/${name}`;

const send = async (queue: string, body: string, extra: object = {}) =>
  await sqs.send(new SendMessageCommand({ QueueUrl: urlOf(queue), MessageBody: body, ...extra }));

const receive = async (queue: string, extra: object = {}): Promise<readonly Message[]> => {
  const request = {
    QueueUrl: urlOf(queue),
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All' as const],
    ...extra,
  };
  return (await sqs.send(new ReceiveMessageCommand(request))).Messages ?? [];
};

const remove = async (queue: string, message: Message | undefined): Promise<void> => {
  await sqs.send(new DeleteMessageCommand({ QueueUrl: urlOf(queue), ReceiptHandle: message?.ReceiptHandle }));
};

const bodies = (messages: readonly Message[]): readonly (string | undefined)[] => messages.map(({ Body }) => Body);

const purge = async (queue: string): Promise<void> => {
  await sqs.send(new PurgeQueueCommand({ QueueUrl: urlOf(queue) }));
};

const entriesOf = (kind: string, prefix: string): readonly JournalEntry[] =>
  readJournal(directory).filter((entry) => entry.kind === kind && entry.body?.name.startsWith(prefix) === true);

test('a standard queue supports attributes, delay, visibility and deletion', async () => {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'shelf' }));
  assert.equal(QueueUrl, urlOf('shelf'));
  await send('shelf', 'one', { MessageAttributes: { kind: { DataType: 'String', StringValue: 'ä' } } });
  await send('shelf', 'later', { DelaySeconds: 900 });
  const [message, ...others] = await receive('shelf', { MessageAttributeNames: ['All'] });
  assert.deepEqual(others, []);
  assert.equal(message?.Body, 'one');
  assert.equal(message.MessageAttributes?.['kind']?.StringValue, 'ä');
  assert.equal(message.Attributes?.ApproximateReceiveCount, '1');
  assert.deepEqual(await receive('shelf'), []);

  const ReceiptHandle = message.ReceiptHandle;
  await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  const [again] = await receive('shelf');
  assert.equal(again?.Attributes?.ApproximateReceiveCount, '2');
  await remove('shelf', message);
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  assert.deepEqual(
    [Attributes?.['ApproximateNumberOfMessagesNotVisible'], Attributes?.['ApproximateNumberOfMessagesDelayed']],
    ['1', '1'],
    'a receipt from before does not delete',
  );
  await remove('shelf', again);
  await purge('shelf');
});

test('a long poll ends with the first message, and each region has its own queue of a name', async () => {
  const west = new SQSClient(clientSettings(cloud, 'eu-west-1'));
  const poll = (queue: string, options: { readonly abortSignal?: AbortSignal } = {}) =>
    west.send(new ReceiveMessageCommand({ QueueUrl: urlOf(queue), WaitTimeSeconds: 10 }), options);
  const rest = new AbortController();
  // A poll of an empty queue, begun before, would be the first of the two to end by time.
  const idle = poll('shelf.fifo', { abortSignal: rest.signal });
  const waiting = poll('shelf');
  await send('shelf', 'east');
  await west.send(new SendMessageCommand({ QueueUrl: urlOf('shelf'), MessageBody: 'west' }));
  const { Messages } = await Promise.race([idle, waiting]);
  assert.deepEqual(bodies(Messages ?? []), ['west']);
  rest.abort();
  await assert.rejects(idle, { name: 'AbortError' });
  assert.deepEqual(bodies(await receive('shelf')), ['east']);
  west.destroy();
  await purge('shelf');
});

test('no group of a standard queue waits for the backlog of another', async () => {
  const take = (most: number) => receive('shelf', { MaxNumberOfMessages: most, VisibilityTimeout: 60 });
  for (let nth = 1; nth <= 8; nth += 1) await send('shelf', `a${nth}`, { MessageGroupId: 'a' });
  const [a1] = await take(3);
  assert.equal(a1?.Attributes?.MessageGroupId, 'a');
  await send('shelf', 'of nobody');
  for (const body of ['b1', 'b2', 'b3', 'b4']) await send('shelf', body, { MessageGroupId: 'b' });
  assert.deepEqual(bodies(await take(2)), ['of nobody', 'b1']);
  assert.deepEqual(
    bodies(await take(4)),
    ['b2', 'b3', 'b4', 'a4'],
    'of two with as many in flight, the one with less time',
  );
  await remove('shelf', a1);
  assert.deepEqual(bodies(await take(10)), ['a5', 'a6', 'a7', 'a8'], 'and all messages if no other group waits');
  await purge('shelf');
});

test('the next group of a FIFO queue is one of the tenant with the fewest locked groups', async () => {
  const ofTenant = (tenant: string, group: string) =>
    send('shelf.fifo', `${group} of ${tenant}`, {
      MessageGroupId: group,
      MessageAttributes: { organization_id: { DataType: 'String', StringValue: tenant } },
    });
  for (let nth = 1; nth <= 5; nth += 1) await ofTenant('a', `a${nth}`);
  for (let nth = 1; nth <= 2; nth += 1) await ofTenant('b', `b${nth}`);
  const taken: (string | undefined)[] = [];
  for (let nth = 1; nth <= 7; nth += 1)
    taken.push(...bodies(await receive('shelf.fifo', { VisibilityTimeout: 60 })).map((body) => body?.slice(0, 2)));
  assert.deepEqual(taken, ['a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'a5']);
  await purge('shelf.fifo');
});

test('a FIFO queue keeps order and a lock per group, and drops duplicates', async () => {
  const inGroup = (group: string, body: string) => send('shelf.fifo', body, { MessageGroupId: group });
  const first = await inGroup('a', 'a1');
  const repeated = await inGroup('a', 'a1');
  assert.deepEqual([repeated.MessageId, repeated.SequenceNumber], [first.MessageId, first.SequenceNumber]);
  for (const [group, body] of [
    ['a', 'a2'],
    ['b', 'b1'],
    ['a', 'a3'],
  ] as const)
    await inGroup(group, body);

  const [a1, a2] = await receive('shelf.fifo', { MaxNumberOfMessages: 2 });
  assert.deepEqual(bodies([a1 ?? {}, a2 ?? {}]), ['a1', 'a2'], 'several messages of one group in one receive');
  assert.deepEqual(bodies(await receive('shelf.fifo')), ['b1'], 'the rest of the group waits');
  await remove('shelf.fifo', a1);
  assert.deepEqual(await receive('shelf.fifo'), [], 'while any of it is out');
  const QueueUrl = urlOf('shelf.fifo');
  await sqs.send(
    new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: a2?.ReceiptHandle, VisibilityTimeout: 0 }),
  );
  assert.deepEqual(bodies(await receive('shelf.fifo')), ['a2', 'a3'], 'and goes on where it stopped');
  await purge('shelf.fifo');
});

test('errors of queues have the protocol’s names, and batches report successes and failures', async () => {
  await assert.rejects(send('nowhere', 'x'), { name: 'QueueDoesNotExist' });
  await assert.rejects(send('shelf', 'x'.repeat(1_048_577)), { name: 'InvalidParameterValue' });
  await assert.rejects(send('log.fifo', 'x'), { name: 'MissingParameter' });
  const QueueUrl = urlOf('shelf');
  const stale = { QueueUrl, ReceiptHandle: '1.gone', VisibilityTimeout: 1 };
  await assert.rejects(sqs.send(new ChangeMessageVisibilityCommand(stale)), { name: 'MessageNotInflight' });
  const Entries = [
    { Id: 'good', MessageBody: 'fine' },
    { Id: 'bad', MessageBody: '\u0000' },
  ];
  const { Successful, Failed } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  assert.deepEqual(
    Successful?.map(({ Id, MD5OfMessageBody }) => [Id, MD5OfMessageBody]),
    [['good', createHash('md5').update('fine').digest('hex')]],
  );
  assert.deepEqual(
    Failed?.map(({ Id, Code }) => [Id, Code]),
    [['bad', 'InvalidMessageContents']],
  );
  await purge('shelf');
});

test('a failed message of a batch is received again alone, then reaches the function of the dead-letter queue', async () => {
  await send('jobs', JSON.stringify({ name: 'batch-good' }));
  await send('jobs', JSON.stringify({ name: 'batch-bad', fail: true }));
  const dead = await eventually(() =>
    entriesOf('begin', 'batch-bad').find(({ source }) => source?.endsWith(':jobs-dead') === true),
  );
  const attempts = entriesOf('begin', 'batch-bad').filter(({ source }) => source?.endsWith(':jobs') === true);
  assert.deepEqual(
    attempts.map(({ attempt }) => attempt),
    [1, 2],
  );
  assert.ok(Number(dead.attempt) > 2);
  assert.equal(entriesOf('begin', 'batch-good').length, 1);
});

const definition = {
  region: 'us-east-1',
  name: 'shelf',
  arn: 'arn:aws:sqs:us-east-1:000000000000:shelf',
  fifo: false,
  contentBasedDeduplication: false,
  deduplicationScope: 'queue' as const,
  maximumMessageBytes: 1024,
  delaySeconds: 0,
  receiveWaitSeconds: 0,
  retentionSeconds: 60,
  visibilityTimeoutSeconds: 30,
  redrive: null,
};

test('a waiting receive finds a message that becomes visible right after its check', async (context) => {
  // A millisecond passes with each look at it.
  let now = Date.now();
  const clock = { now: () => new Date((now += 1)) };
  const file = join(temporaryDirectory(), 'queues');
  const store = openQueueStore({ file, queues: [definition], clock, onError: console.error });
  context.after(() => store.close());
  store.send(definition, { body: 'late', delaySeconds: 1 });
  now += 998;
  const received = await store.receive(definition, { max: 1, waitMs: 5_000, signal: context.signal });
  assert.deepEqual(
    received.map(({ body }) => body),
    ['late'],
  );
});

test('messages past their retention are removed every hour, and after a failed write in the next hour', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  let now = Date.now();
  const file = join(temporaryDirectory(), 'queues');
  const errors: unknown[] = [];
  const store = openQueueStore({
    file,
    queues: [definition],
    clock: { now: () => new Date(now) },
    onError: (error) => errors.push(error),
  });
  context.after(() => store.close());
  store.send(definition, { body: 'old' });
  now += 61_000;
  const other = new DatabaseSync(file);
  context.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  context.mock.timers.tick(3_600_000);
  await eventually(() => errors.at(0));
  assert.match(String(errors), /^Error: database is locked$/);
  assert.equal(store.depth(definition).visible, 1);
  other.exec('ROLLBACK');
  context.mock.timers.tick(3_600_000);
  assert.equal(store.depth(definition).visible, 0);
  assert.equal(errors.length, 1);
});

test('the batch of a process that dies returns at once, and the delivery counts', async () => {
  // It dies at its first delivery alone. The visibility timeout of this queue ends after the test.
  await send('slow', JSON.stringify({ name: 'crash', crash: true, crashes: 1 }));
  await eventually(() => entriesOf('end', 'crash')[0]);
  assert.deepEqual(
    entriesOf('begin', 'crash').map(({ attempt }) => attempt),
    [1, 2],
  );
});

test('a message whose process always dies reaches the dead-letter queue', async () => {
  await send('jobs', JSON.stringify({ name: 'poison', crash: true }));
  await eventually(() => entriesOf('begin', 'poison').find(({ source }) => source?.endsWith(':jobs-dead') === true));
});

test('a FIFO queue feeds its function in order, one batch of a group at a time', async () => {
  const groups = ['one', 'two', 'three'];
  const sent = Array.from({ length: 8 }, (_, number) =>
    groups.map((group) => ({ group, name: `fifo-${group}-${number}` })),
  ).flat();
  for (const [at, { group, name }] of sent.entries()) {
    // Messages of a group wait for its first one, which takes long.
    await send('log.fifo', JSON.stringify({ name, ms: at < groups.length ? 500 : 5 }), {
      MessageGroupId: group,
      MessageDeduplicationId: name,
    });
  }
  await eventually(() => (entriesOf('end', 'fifo-').length === sent.length ? true : null));
  for (const group of groups) {
    const entries = readJournal(directory).filter((entry) => entry.group === group);
    const expected = sent
      .filter((message) => message.group === group)
      .flatMap(({ name }) => [`begin ${name}`, `end ${name}`]);
    assert.deepEqual(
      entries.map(({ kind, body }) => `${kind} ${body?.name}`),
      expected,
    );
  }
  const sizes = readJournal(directory)
    .filter(({ kind }) => kind === 'batch')
    .map(({ size }) => Number(size));
  assert.ok(Math.max(...sizes) > 1, 'waiting messages share a batch');
});
