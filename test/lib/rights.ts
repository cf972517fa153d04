import type { FunctionEntry } from '../../lib/functions.ts';
import type { CapabilityId } from '../../shared/kernel/capability.ts';
import { tables, type TableName } from '../../shared/kernel/names.ts';
import { accountId, deployment, home, regions } from './assembly.ts';

/*
 * What each capability may come to in IAM, written down a second time and by hand: a right that slips into the stacks
 * must be added here as well.
 */

/** @param own The region that the function runs in. */
type Rights = (reach: readonly string[], own: string) => readonly string[];

const perTable = (table: string, actions: readonly string[], keys?: string): readonly string[] =>
  actions.map(
    (action) =>
      `dynamodb:${action} arn:aws:dynamodb:${home}:${accountId}:table/${deployment}-${table}${keys === undefined ? '' : ` ${keys}`}`,
  );

const reads =
  (table: TableName): Rights =>
  () =>
    perTable(table, ['BatchGetItem', 'GetItem', 'Query']);
const writes =
  (table: TableName): Rights =>
  (reach, own) => [...reads(table)(reach, own), ...perTable(table, ['DeleteItem', 'PutItem', 'UpdateItem'])];
const deposits =
  (table: TableName): Rights =>
  () =>
    perTable(table, ['DeleteItem', 'PutItem']);

const sends =
  (queue: string): Rights =>
  (reach) =>
    reach.map((region) => `sqs:SendMessage arn:aws:sqs:${region}:${accountId}:${deployment}-${queue}`);
const sendsHome =
  (queue: string): Rights =>
  () =>
    sends(queue)([home], home);

const onObjects =
  (bucket: string, actions: readonly string[], prefixes: readonly string[]): Rights =>
  (reach) =>
    reach.flatMap((region) =>
      actions.flatMap((action) =>
        prefixes.map((prefix) => `s3:${action} arn:aws:s3:::${deployment}-${bucket}-${accountId}-${region}/${prefix}*`),
      ),
    );
const lists =
  (bucket: string): Rights =>
  (reach) =>
    reach.map((region) => `s3:ListBucket arn:aws:s3:::${deployment}-${bucket}-${accountId}-${region}`);

const all =
  (...parts: readonly Rights[]): Rights =>
  (reach, own) =>
    parts.flatMap((part) => part(reach, own));
/** Of its own region alone. */
const here =
  (rights: Rights): Rights =>
  (_, own) =>
    rights([own], own);
const none: Rights = () => [];

const onVectorIndexes =
  (actions: readonly string[]): Rights =>
  (_, own) =>
    actions.map(
      (action) =>
        `s3vectors:${action} arn:aws:s3vectors:${own}:${accountId}:bucket/${deployment}-indexes-${accountId}-${own}/index/*`,
    );

const readsEngine = here(all(lists('vectors'), onObjects('vectors', ['GetObject'], [''])));

const rightsByCapability: Readonly<Record<CapabilityId, Rights>> = {
  'organizations.read': reads('organizations'),
  'organizations.write': writes('organizations'),
  'credentials.read': reads('credentials'),
  'credentials.write': writes('credentials'),
  'indexes.read': reads('indexes'),
  'indexes.write': writes('indexes'),
  'files.read': reads('files'),
  'files.write': writes('files'),
  'events.read': reads('events'),
  'events.write': writes('events'),
  'webhooks.read': reads('webhooks'),
  'webhooks.write': writes('webhooks'),
  'usage.read': reads('usage'),
  'usage.write': writes('usage'),
  'rates.count': () => perTable('usage', ['UpdateItem'], 'RATE#*'),
  'key_uses.read': () => perTable('usage', ['BatchGetItem', 'GetItem'], 'KEY_USE#*'),
  'key_uses.write': () => perTable('usage', ['UpdateItem'], 'KEY_USE#*'),
  'subject_usage.read': () => perTable('usage', ['BatchGetItem', 'GetItem', 'Query'], 'SUBJECT#*'),
  'subject_usage.write': () => perTable('usage', ['UpdateItem'], 'SUBJECT#*'),
  'writes.wait': () => perTable('usage', ['Query', 'UpdateItem'], 'WAITING_WRITES'),
  'idempotency.write': writes('idempotency'),
  'crawls.read': reads('crawls'),
  'crawls.write': writes('crawls'),
  'crawls.outside': (reach) =>
    reach.map((region) => `ssm:GetParameter arn:aws:ssm:${region}:${accountId}:parameter/${deployment}/crawl-api-key`),
  'connectors.read': reads('connectors'),
  'connectors.write': writes('connectors'),
  'connectors.clients': () =>
    ['google', 'microsoft', 'notion', 'slack'].map(
      (family) => `ssm:GetParameter arn:aws:ssm:${home}:${accountId}:parameter/${deployment}/connector-${family}`,
    ),
  'imports.write': writes('imports'),
  'exports.read': reads('exports'),
  'exports.write': writes('exports'),
  'evaluations.read': reads('evaluations'),
  'evaluations.write': writes('evaluations'),
  'query_log.append': () => perTable('evaluations', ['PutItem', 'UpdateItem'], 'QUERY_LOG#*'),
  'documents.read': reads('documents'),
  'documents.write': writes('documents'),
  'audit.read': reads('audit'),
  'audit.append': () => perTable('audit', ['PutItem']),
  'keys.use': () => perTable('keys', ['BatchGetItem', 'GetItem', 'PutItem']),
  'keys.read': reads('keys'),
  'secrets.read': reads('secrets'),
  'secrets.write': deposits('secrets'),
  'plan.send': sends('plan'),
  'imports.send': sends('imports'),
  'exports.send': sends('exports'),
  'rebuilds.send': sends('rebuilds'),
  'evaluations.send': sends('evaluations'),
  'tasks.send': sends('tasks'),
  'crawl.send': sends('crawl'),
  'sync.send': sendsHome('sync'),
  'log.send': sends('log.fifo'),
  'log.forget': (_, own) =>
    ['DeleteMessage', 'ReceiveMessage'].map(
      (action) => `sqs:${action} arn:aws:sqs:${own}:${accountId}:${deployment}-log-dlq.fifo`,
    ),
  'builds.send': sends('builds'),
  'deletions.send': sends('deletions'),
  'relay.send': sendsHome('relay'),
  'deliver.send': sendsHome('deliver'),
  'uploads.read': all(lists('content'), onObjects('content', ['GetObject'], ['uploads/'])),
  'originals.read': all(lists('content'), onObjects('content', ['GetObject'], ['originals/'])),
  'uploads.put': onObjects('content', ['PutObject'], ['uploads/']),
  'originals.put': onObjects('content', ['PutObject'], ['originals/']),
  'uploads.parts': onObjects('content', ['ListMultipartUploadParts'], ['uploads/']),
  'uploads.delete': all(lists('content'), onObjects('content', ['DeleteObject'], ['uploads/'])),
  'originals.delete': all(lists('content'), onObjects('content', ['DeleteObject'], ['originals/'])),
  'batches.read': all(lists('content'), onObjects('content', ['GetObject'], ['batches/'])),
  'batches.put': onObjects('content', ['PutObject'], ['batches/']),
  'batches.delete': all(lists('content'), onObjects('content', ['DeleteObject'], ['batches/'])),
  'embeddings.read': all(lists('content'), onObjects('content', ['GetObject'], ['embeddings/'])),
  'embeddings.delete': all(lists('content'), onObjects('content', ['DeleteObject'], ['embeddings/'])),
  'embeddings.put': onObjects('content', ['PutObject'], ['embeddings/']),
  'exported.read': all(lists('content'), onObjects('content', ['GetObject'], ['exports/'])),
  // Of every region.
  'exported.copy': () => all(lists('content'), onObjects('content', ['GetObject'], ['exports/']))(['*'], '*'),
  'exported.put': onObjects('content', ['PutObject'], ['exports/']),
  'exported.delete': all(lists('content'), onObjects('content', ['DeleteObject'], ['exports/'])),
  'golden.read': all(lists('content'), onObjects('content', ['GetObject'], ['golden-sets/'])),
  'golden.put': onObjects('content', ['PutObject'], ['golden-sets/']),
  'golden.delete': all(lists('content'), onObjects('content', ['DeleteObject'], ['golden-sets/'])),
  'evaluated.read': all(lists('content'), onObjects('content', ['GetObject'], ['evaluations/'])),
  'evaluated.put': onObjects('content', ['PutObject'], ['evaluations/']),
  'evaluated.delete': all(lists('content'), onObjects('content', ['DeleteObject'], ['evaluations/'])),
  'uploads.tag': onObjects('content', ['PutObjectTagging'], ['uploads/']),
  'uploads.accept': onObjects('content', ['DeleteObjectTagging'], ['uploads/']),
  'engine.read': readsEngine,
  'engine.write': all(
    readsEngine,
    here(onObjects('vectors', ['PutObject', 'DeleteObject', 'AbortMultipartUpload'], [''])),
  ),
  'vector_indexes.read': onVectorIndexes(['QueryVectors', 'GetVectors', 'ListVectors']),
  'vector_indexes.write': onVectorIndexes([
    'GetVectors',
    'ListVectors',
    'PutVectors',
    'DeleteVectors',
    'CreateIndex',
    'DeleteIndex',
  ]),
  'reader.invoke': (reach) =>
    reach.map(
      (region) => `lambda:InvokeFunction arn:aws:lambda:${region}:${accountId}:function:${deployment}-index-reader`,
    ),
  'reranker.invoke': (_, own) => [
    `lambda:InvokeFunction arn:aws:lambda:${own}:${accountId}:function:${deployment}-reranker`,
  ],
  'browser.invoke': () => [
    `lambda:InvokeFunction arn:aws:lambda:${home}:${accountId}:function:${deployment}-connector-browser`,
  ],
  // Only a deployment that chooses a remote reranker has more.
  'models.rerank': () => [],
  'embedder.invoke': (_, own) => [
    `lambda:InvokeFunction arn:aws:lambda:${own}:${accountId}:function:${deployment}-embedder`,
  ],
  'models.embed': (_, own) => [
    `bedrock:InvokeModel arn:aws:bedrock:${own}::foundation-model/amazon.titan-embed-text-v2:0`,
    `ssm:GetParameter arn:aws:ssm:${own}:${accountId}:parameter/${deployment}/embedding-api-key`,
  ],
  'models.ocr': () => ['textract:DetectDocumentText *'],
  'models.transcribe': (reach) => [
    'transcribe:StartTranscriptionJob *',
    ...reach.flatMap((region) =>
      ['GetTranscriptionJob', 'DeleteTranscriptionJob'].map(
        (action) =>
          `transcribe:${action} arn:aws:transcribe:${region}:${accountId}:transcription-job/${deployment}-audio-*`,
      ),
    ),
  ],
  'svix.call': () => [`ssm:GetParameter arn:aws:ssm:${home}:${accountId}:parameter/${deployment}/svix-api-key`],
  'bus.put': none,
  'files.extract': none,
  'identity.verify': none,
  'roles.assume': () => ['sts:AssumeRole arn:aws:iam::*:role/*', `not sts:AssumeRole arn:aws:iam::${accountId}:role/*`],
  'network.public': none,
  'dependencies.probe': all(
    () => (Object.keys(tables) as TableName[]).flatMap((table) => perTable(table, ['GetItem'], 'HEALTH#')),
    () =>
      [
        'plan',
        'imports',
        'exports',
        'rebuilds',
        'evaluations',
        'tasks',
        'crawl',
        'log.fifo',
        'builds',
        'deletions',
      ].map((queue) => `sqs:GetQueueAttributes arn:aws:sqs:*:${accountId}:${deployment}-${queue}`),
    () =>
      ['sync', 'relay', 'deliver'].map(
        (queue) => `sqs:GetQueueAttributes arn:aws:sqs:${home}:${accountId}:${deployment}-${queue}`,
      ),
    lists('content'),
    lists('vectors'),
  ),
};

const consumes = (region: string, queues: readonly string[]): readonly string[] =>
  queues.flatMap((queue) =>
    ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'].map(
      (action) => `sqs:${action} arn:aws:sqs:${region}:${accountId}:${queue}`,
    ),
  );

/** What is due in a table is found by the schedules that may read it, and by no other function. */
const finds = (capabilities: readonly string[]): readonly string[] =>
  (Object.keys(tables) as TableName[])
    .filter((table) => tables[table].due && capabilities.some((id) => [`${table}.read`, `${table}.write`].includes(id)))
    .flatMap((table) => perTable(`${table}/index/due`, ['Query']));

/**
 * All that the function of an entry may do when it runs in a stack of `region`, sorted.
 * @param queues Physical names of the queues that drive it.
 */
export const expectedRights = (
  entry: FunctionEntry,
  where: {
    readonly region: string;
    readonly regional: boolean;
    readonly log: string;
    readonly queues: readonly string[];
  },
): readonly string[] => {
  const reach = where.regional ? [where.region] : regions;
  const rights = [
    ...entry.capabilities.flatMap((capability) => rightsByCapability[capability](reach, where.region)),
    ...consumes(where.region, where.queues),
    ...(entry.kind === 'schedule' ? finds(entry.capabilities) : []),
    ...['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} ${where.log}`),
  ];
  return [...new Set(rights)].toSorted();
};
