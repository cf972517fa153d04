import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { eventually } from '../../../test/support/eventually.ts';
import { readJournal } from './fixture-cloud.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

interface Place {
  readonly baseUrl: string;
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const start = async (
  t: TestContext,
  directory: string,
): Promise<{ readonly child: ChildProcess; readonly place: Place }> => {
  const script = join(import.meta.dirname, 'run-fixture-cloud.ts');
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, place: JSON.parse(line) as Place };
};

const kill = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

const isGone = (pid: number): true | null => {
  try {
    process.kill(pid, 0);
    return null;
  } catch {
    return true;
  }
};

const clientsOf = ({ endpoint, credentials }: Place) => {
  const settings = { endpoint, credentials, region: 'us-east-1', maxAttempts: 1 };
  return { sqs: new SQSClient(settings), dynamodb: new DynamoDBClient(settings), s3: new S3Client(settings) };
};

test('after kill -9 acknowledged messages are there, those in flight are received at once, and no process is left', async (t) => {
  const directory = temporaryDirectory();
  const first = await start(t, directory);
  const before = clientsOf(first.place);
  const shelf = `${first.place.endpoint}/000000000000/shelf`;
  const item = { pk: { S: 'p' }, sk: { S: 's' }, due_pk: { S: 'all' }, due_at: { S: '1' } };
  const thing = { Bucket: 'content-000000000000-us-east-1', Key: 'elsewhere/x' };
  await before.sqs.send(new SendMessageCommand({ QueueUrl: shelf, MessageBody: 'resting' }));
  await before.sqs.send(new SendMessageCommand({ QueueUrl: shelf, MessageBody: 'held' }));
  const [held] = (await before.sqs.send(new ReceiveMessageCommand({ QueueUrl: shelf }))).Messages ?? [];
  assert.ok(held?.Body);
  await before.dynamodb.send(new PutItemCommand({ TableName: 'things', Item: item }));
  await before.s3.send(new PutObjectCommand({ ...thing, Body: 'content' }));
  // A minute would be over its timeout; the run must end with the host, not by itself.
  const QueueUrl = `${first.place.endpoint}/000000000000/log.fifo`;
  const MessageBody = JSON.stringify({ name: 'cut', ms: 1_500 });
  await before.sqs.send(
    new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: 'one', MessageDeduplicationId: 'cut' }),
  );
  const cut = await eventually(() => readJournal(directory).find(({ kind }) => kind === 'begin'));
  await kill(first.child);
  await eventually(() => isGone(cut.pid));

  const second = await start(t, directory);
  assert.equal(second.place.endpoint, first.place.endpoint, 'presigned addresses stay valid');
  const after = clientsOf(second.place);
  const { Messages = [] } = await after.sqs.send(
    new ReceiveMessageCommand({ QueueUrl: shelf, MaxNumberOfMessages: 10 }),
  );
  assert.deepEqual(new Set(Messages.map(({ Body }) => Body)), new Set(['held', 'resting']));
  const Key = { pk: item.pk, sk: item.sk };
  assert.deepEqual((await after.dynamodb.send(new GetItemCommand({ TableName: 'things', Key }))).Item, item);
  const ExpressionAttributeValues = { ':due': { S: 'all' } };
  const due = {
    TableName: 'things',
    IndexName: 'due',
    KeyConditionExpression: 'due_pk = :due',
    ExpressionAttributeValues,
  };
  assert.equal((await after.dynamodb.send(new QueryCommand(due))).Count, 1);
  assert.equal(await (await after.s3.send(new GetObjectCommand(thing))).Body?.transformToString(), 'content');

  const again = await eventually(() => readJournal(directory).filter(({ kind }) => kind === 'begin')[1]);
  assert.equal(again.attempt, 1, 'a run that the host took down is not held against the message');
  await eventually(() => readJournal(directory).find(({ kind }) => kind === 'end'));
  await kill(second.child);
  for (const { destroy } of [...Object.values(before), ...Object.values(after)].map((client) => ({
    destroy: () => client.destroy(),
  })))
    destroy();
});
