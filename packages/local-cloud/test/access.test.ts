import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as s3 from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { defaultHostLimits } from '../src/host/process-pool.ts';
import { functionAccessKey } from '../src/iam/access-keys.ts';
import { openCloud, type OpenCloud } from '../src/open-cloud.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { functionRole, probeFunction, queueMapping, writeAssembly } from './fixture-assembly.ts';
import { probeSource } from './fixture-functions.ts';

const arn = (service: string, resource: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`,
});
const allow = (Action: unknown, ...Resource: readonly unknown[]) => ({ Effect: 'Allow', Action, Resource });

/** Permissions of the one function: a little in each service. */
const statements: readonly object[] = [
  allow(['dynamodb:GetItem', 'dynamodb:BatchGetItem'], arn('dynamodb', 'table/things')),
  allow('dynamodb:Query', arn('dynamodb', 'table/things/index/due')),
  {
    ...allow('dynamodb:UpdateItem', arn('dynamodb', 'table/things')),
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['COUNT#*'] } },
  },
  allow('s3:GetObject', 'arn:aws:s3:::content/read/*'),
  allow(['s3:PutObject', 's3:DeleteObject'], 'arn:aws:s3:::content/written/*'),
  { Effect: 'Deny', Action: 's3:PutObject', Resource: 'arn:aws:s3:::content/written/sealed/*' },
  { ...allow('s3:ListBucket', 'arn:aws:s3:::content'), Condition: { StringLike: { 's3:prefix': 'read/*' } } },
  allow('sqs:SendMessage', { 'Fn::GetAtt': ['Inbox', 'Arn'] }),
  allow('lambda:InvokeFunction', arn('lambda', 'function:limited')),
  allow('ssm:GetParameter', arn('ssm', 'parameter/app/open')),
];

const table = (TableName: string) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    TableName,
    AttributeDefinitions: ['pk', 'due_pk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'due',
        KeySchema: [{ AttributeName: 'due_pk', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
});

const resources = {
  Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
  Role: functionRole(...statements),
  Limited: probeFunction('limited'),
  Unrelated: probeFunction('unrelated'),
  Things: table('things'),
  Others: table('others'),
  Inbox: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'inbox' } },
  Content: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'content' } },
};

const openWith = async (
  directory: string,
  Resources: object,
  onDenied: (denied: Error) => void = () => {},
): Promise<OpenCloud> => {
  const assembly = join(directory, 'assembly');
  mkdirSync(assembly, { recursive: true });
  writeAssembly(assembly, { stack: { region: 'us-east-1', template: { Resources } } }, { probe: probeSource });
  return openCloud({
    dataDirectory: join(directory, 'data'),
    port: 0,
    assembly: () => Promise.resolve(assembly),
    reach: { allowLocalWebhooks: false, crawlLocalAddress: '' },
    clock: systemClock,
    limits: defaultHostLimits,
    onProgress: () => {},
    onWarning: () => {},
    onDenied,
    onError: console.error,
  });
};

const Bucket = 'content';
const limitedArn = 'arn:aws:lambda:us-east-1:000000000000:function:limited';
const session = 'arn:aws:sts::000000000000:assumed-role/stack-Role/limited';
const cleanups: (() => unknown)[] = [];
const messages: string[] = [];
let cloud: OpenCloud;
let objects: { readonly operator: s3.S3Client; readonly limited: s3.S3Client };

const settingsOf = (credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }) => ({
  endpoint: cloud.endpointUrl,
  region: 'us-east-1',
  credentials,
  maxAttempts: 1,
});
const limitedKey = () => functionAccessKey(cloud.settings.read(), limitedArn);

/** A client with the access key of the function that may do little. */
const asLimited = <Client extends { destroy(): void }>(
  open: new (settings: ReturnType<typeof settingsOf>) => Client,
): Client => {
  const client = new open(settingsOf(limitedKey()));
  cleanups.push(() => client.destroy());
  return client;
};

const put = (Key: string) => objects.operator.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'x' }));

/** Checks that a request is denied, in the form of its service, and that the denial is reported. */
const isDenied = async (
  request: Promise<unknown>,
  action: string,
  resource: string,
  expected: { readonly name: string; readonly status: number },
): Promise<void> => {
  const seen = messages.length;
  const beginning = `User: ${session} is not authorized to perform: ${action} on resource: ${resource} `;
  await assert.rejects(request, (error: Error & { readonly $metadata?: { readonly httpStatusCode?: number } }) => {
    assert.deepEqual([error.name, error.$metadata?.httpStatusCode], [expected.name, expected.status]);
    return true;
  });
  assert.deepEqual(
    messages.slice(seen).map((message) => message.startsWith(beginning)),
    [true],
    messages.slice(seen).join('\n'),
  );
};

before(async () => {
  const directory = temporaryDirectory();
  cloud = await openWith(directory, resources, ({ message }) => messages.push(message));
  const { accessKeyId, secretAccessKey } = cloud.settings.read();
  const openObjects = (key: Parameters<typeof settingsOf>[0]) =>
    new s3.S3Client({ ...settingsOf(key), forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' });
  objects = { operator: openObjects({ accessKeyId, secretAccessKey }), limited: openObjects(limitedKey()) };
});

after(async () => {
  objects.operator.destroy();
  objects.limited.destroy();
  await cloud.close();
  for (const cleanup of cleanups) await cleanup();
});

test('a function reads the tables and indexes of its role, and every table of a batch counts', async () => {
  const tables = asLimited(DynamoDBClient);
  const Key = { pk: { S: 'a' } };
  const query = { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } };
  const denied = { name: 'AccessDeniedException', status: 400 };
  const things = 'arn:aws:dynamodb:us-east-1:000000000000:table/things';
  const others = things.replace('things', 'others');
  await tables.send(new GetItemCommand({ TableName: 'things', Key }));
  const due = { ...query, IndexName: 'due', KeyConditionExpression: 'due_pk = :a' };
  await tables.send(new QueryCommand({ TableName: 'things', ...due }));
  await isDenied(tables.send(new QueryCommand({ TableName: 'things', ...query })), 'dynamodb:Query', things, denied);
  const other = new GetItemCommand({ TableName: 'others', Key });
  await isDenied(tables.send(other), 'dynamodb:GetItem', others, denied);
  const batch = new BatchGetItemCommand({ RequestItems: { things: { Keys: [Key] }, others: { Keys: [Key] } } });
  await isDenied(tables.send(batch), 'dynamodb:BatchGetItem', others, denied);
});

test('a function changes the items of a table in the partitions of its role alone', async () => {
  const tables = asLimited(DynamoDBClient);
  const count = (pk: string) =>
    tables.send(
      new UpdateItemCommand({
        TableName: 'things',
        Key: { pk: { S: pk } },
        UpdateExpression: 'ADD made :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
  await count('COUNT#a');
  const things = 'arn:aws:dynamodb:us-east-1:000000000000:table/things';
  const denied = { name: 'AccessDeniedException', status: 400 };
  for (const pk of ['OTHER#a', 'A COUNT#a']) await isDenied(count(pk), 'dynamodb:UpdateItem', things, denied);

  const action = (pk: string) => ({
    TableName: 'things',
    Key: { pk: { S: pk } },
    UpdateExpression: 'ADD made :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  });
  const transact = (...TransactItems: readonly TransactWriteItem[]) =>
    tables.send(new TransactWriteItemsCommand({ TransactItems: [...TransactItems] }));
  await transact({ Update: action('COUNT#a') }, { Update: action('COUNT#b') });
  const other = { Update: action('OTHER#a') };
  await isDenied(transact({ Update: action('COUNT#a') }, other), 'dynamodb:UpdateItem', things, denied);
  const check = { ...action('COUNT#b'), ConditionExpression: 'made = :one', UpdateExpression: undefined };
  await isDenied(transact({ ConditionCheck: check }), 'dynamodb:ConditionCheckItem', things, denied);
});

test('a function sends to the queues of its role, alone or in batches, and does nothing else with them', async () => {
  const queues = asLimited(SQSClient);
  const QueueUrl = `${cloud.endpointUrl}/000000000000/inbox`;
  const inbox = 'arn:aws:sqs:us-east-1:000000000000:inbox';
  await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
  const { Successful = [] } = await queues.send(
    new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'two' }] }),
  );
  assert.equal(Successful.length, 1);
  const denied = { name: 'AccessDenied', status: 403 };
  await isDenied(queues.send(new GetQueueAttributesCommand({ QueueUrl })), 'sqs:GetQueueAttributes', inbox, denied);
  const elsewhere = new SendMessageCommand({ QueueUrl: `${QueueUrl}-2`, MessageBody: 'x' });
  await isDenied(queues.send(elsewhere), 'sqs:SendMessage', `${inbox}-2`, denied);
});

test('a function invokes the functions and reads the parameters of its role alone', async () => {
  const lambda = asLimited(LambdaClient);
  const invoke = (FunctionName: string) =>
    lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ act: 'pid' }) }));
  assert.equal((await invoke(limitedArn)).StatusCode, 200);
  const unrelated = limitedArn.replace('limited', 'unrelated');
  const forbidden = { name: 'AccessDeniedException', status: 403 };
  await isDenied(invoke('unrelated'), 'lambda:InvokeFunction', unrelated, forbidden);

  const parameters = asLimited(SSMClient);
  const read = (Name: string) => parameters.send(new GetParameterCommand({ Name }));
  await assert.rejects(read('/app/open'), { name: 'ParameterNotFound' });
  const parameter = 'arn:aws:ssm:us-east-1:000000000000:parameter/app/secret';
  await isDenied(read('/app/secret'), 'ssm:GetParameter', parameter, { name: 'AccessDeniedException', status: 400 });
});

test('a function reaches the objects under the prefixes of its role, and a denial wins', async () => {
  await put('read/a');
  await put('other/a');
  const { limited } = objects;
  const get = (Key: string) => limited.send(new s3.GetObjectCommand({ Bucket, Key }));
  const write = (Key: string) => limited.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'x' }));
  const copy = (from: string) =>
    limited.send(new s3.CopyObjectCommand({ Bucket, Key: 'written/copy', CopySource: `${Bucket}/${from}` }));
  const denied = { name: 'AccessDenied', status: 403 };
  await get('read/a');
  await write('written/a');
  await copy('read/a');
  const content = 'arn:aws:s3:::content';
  await isDenied(get('other/a'), 's3:GetObject', `${content}/other/a`, denied);
  await isDenied(write('read/a'), 's3:PutObject', `${content}/read/a`, denied);
  await isDenied(write('written/sealed/a'), 's3:PutObject', `${content}/written/sealed/a`, denied);
  await isDenied(copy('other/a'), 's3:GetObject', `${content}/other/a`, denied);
  const abort = new s3.AbortMultipartUploadCommand({ Bucket, Key: 'written/a', UploadId: 'x' });
  await isDenied(limited.send(abort), 's3:AbortMultipartUpload', `${content}/written/a`, denied);
});

test('a listing is allowed by its prefix, and a caller that may not list does not learn that an object is missing', async () => {
  const { limited, operator } = objects;
  const list = (Prefix?: string) => limited.send(new s3.ListObjectsV2Command({ Bucket, ...(Prefix && { Prefix }) }));
  const denied = { name: 'AccessDenied', status: 403 };
  const content = 'arn:aws:s3:::content';
  await list('read/a');
  await isDenied(list('other/'), 's3:ListBucket', content, denied);
  await isDenied(list(), 's3:ListBucket', content, denied);
  const missing = new s3.GetObjectCommand({ Bucket, Key: 'read/missing' });
  await assert.rejects(operator.send(missing), { name: 'NoSuchKey' });
  await isDenied(limited.send(missing), 's3:ListBucket', content, denied);
});

test('deleting several objects is authorized object by object', async () => {
  await Promise.all(['written/b', 'read/b'].map(put));
  const Objects = [{ Key: 'written/b' }, { Key: 'read/b' }];
  const answer = await objects.limited.send(new s3.DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  assert.deepEqual(
    answer.Deleted?.map(({ Key }) => Key),
    ['written/b'],
  );
  assert.deepEqual(
    answer.Errors?.map(({ Key, Code }) => [Key, Code]),
    [['read/b', 'AccessDenied']],
  );
  await objects.operator.send(new s3.HeadObjectCommand({ Bucket, Key: 'read/b' }));
  await assert.rejects(objects.operator.send(new s3.HeadObjectCommand({ Bucket, Key: 'written/b' })), {
    name: 'NotFound',
  });
});

test('a presigned address has the permissions that its signer has when it is used', async () => {
  const use = async (Key: string): Promise<number> => {
    const address = await getSignedUrl(objects.limited, new s3.PutObjectCommand({ Bucket, Key }), { expiresIn: 60 });
    return (await fetch(address, { method: 'PUT', body: 'x' })).status;
  };
  assert.deepEqual([await use('written/c'), await use('read/c')], [200, 403]);
});

test('a key that was never issued, or that lacks the session token of its function, is refused', async () => {
  const get = async (credentials: Parameters<typeof settingsOf>[0]) => {
    const client = new DynamoDBClient(settingsOf(credentials));
    try {
      return await client.send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } }));
    } finally {
      client.destroy();
    }
  };
  const { accessKeyId, secretAccessKey } = limitedKey();
  await get(limitedKey());
  for (const credentials of [
    { accessKeyId, secretAccessKey },
    { accessKeyId: 'test', secretAccessKey: 'test' },
    { ...limitedKey(), sessionToken: 'another' },
    { ...limitedKey(), secretAccessKey: 'another' },
  ])
    await assert.rejects(get(credentials), /^(UnrecognizedClient|InvalidSignature)Exception/);
});

test('denials are reported by principal, action and resource, with their count', async () => {
  const queues = asLimited(SQSClient);
  const QueueUrl = `${cloud.endpointUrl}/000000000000/never`;
  const send = () => queues.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
  await assert.rejects(send());
  await assert.rejects(send());
  const { denials } = (await (await fetch(`${cloud.baseUrl}/_local/requests`)).json()) as {
    readonly denials: readonly { readonly resource: string }[];
  };
  const resource = 'arn:aws:sqs:us-east-1:000000000000:never';
  assert.deepEqual(
    denials.filter((denial) => denial.resource === resource),
    [{ principal: session, action: 'sqs:SendMessage', resource, count: 2 }],
  );
});

test('the service does not start with policies that cannot be evaluated or that lack permissions of AWS services', async () => {
  const refused = (more: object, message: RegExp) =>
    assert.rejects(openWith(temporaryDirectory(), { ...resources, ...more }), { message });
  const condition = { ...allow('s3:GetObject', '*'), Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } };
  await refused(
    { Role: functionRole(condition) },
    /^AWS::IAM::Role stack\/Role: Own: Statement\.0 the condition key aws:SourceIp cannot be evaluated$/,
  );
  const managed = { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] };
  const role = functionRole() as { readonly Properties: object };
  await refused(
    { Role: { ...role, Properties: { ...role.Properties, ...managed } } },
    /AdministratorAccess is not known/,
  );
  await refused(
    { Mapping: queueMapping('Inbox', 'Limited') },
    /function:limited may not sqs:ReceiveMessage on .*:inbox/,
  );
  const notification = { Event: 's3:ObjectCreated:*', Queue: { 'Fn::GetAtt': ['Inbox', 'Arn'] } };
  const NotificationConfiguration = { QueueConfigurations: [notification] };
  await refused(
    { Content: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'content', NotificationConfiguration } } },
    /s3\.amazonaws\.com may not sqs:SendMessage on .*:inbox$/,
  );
  const Targets = [{ Arn: { 'Fn::GetAtt': ['Limited', 'Arn'] } }];
  await refused(
    { Rule: { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 minute)', Targets } } },
    /events\.amazonaws\.com may not lambda:InvokeFunction on .*function:limited$/,
  );
});
