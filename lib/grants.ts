import type { CapabilityId } from '../shared/kernel/capability.ts';
import { bedrockEmbeddingModel } from '../shared/kernel/config.ts';
import { embedderFunction } from '../shared/platform/models/assets.ts';
import { connectorBrowserFunction } from '../shared/platform/connectors/names.ts';
import { rerankerFunction } from '../shared/platform/rerank/names.ts';
import {
  applicationSecretNames,
  keyUsesPrefix,
  queryLogPrefix,
  subjectUsagePrefix,
  type QueueName,
  ratesPrefix,
  secretNames,
  type TableName,
  tables,
  waitingWritesKey,
} from '../shared/kernel/names.ts';
import {
  bedrockModelArn,
  deadLetterArn,
  eventBusArn,
  functionArn,
  ownRolesArn,
  parameterArn,
  queueArn,
  tableArn,
  transcriptionJobsArn,
} from './arns.ts';
import {
  type Grant,
  type Reach,
  type Grants,
  readTable,
  sweepTable,
  writeTable,
  countInTable,
  putAndCountInTable,
  depositInTable,
  appendToTable,
  foundInTable,
  send,
  onContent,
  readContent,
  deleteContent,
  readEngine,
  writeEngine,
  onVectorIndexes,
  probeDependencies,
  copyExported,
  nothing,
} from './grant-kinds.ts';

export type { Grant } from './grant-kinds.ts';

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

/** Permissions of each capability, by IAM action. */
const grantsByCapability = {
  'organizations.read': readTable('organizations'),
  'organizations.write': writeTable('organizations'),
  'credentials.read': readTable('credentials'),
  'credentials.write': writeTable('credentials'),
  'indexes.read': readTable('indexes'),
  'indexes.write': writeTable('indexes'),
  'files.read': readTable('files'),
  'files.write': writeTable('files'),
  'events.read': readTable('events'),
  'events.write': writeTable('events'),
  'webhooks.read': readTable('webhooks'),
  'webhooks.write': writeTable('webhooks'),
  'usage.read': readTable('usage'),
  'usage.write': writeTable('usage'),
  // This, `key_uses.write` and `subject_usage.read` are needed by every endpoint that authenticates its caller.
  'rates.count': countInTable('usage', [`${ratesPrefix}*`]),
  'key_uses.read': ({ deployment, homeRegion }) => [
    {
      actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
      resources: [tableArn(deployment, homeRegion, 'usage')],
      leadingKeys: [`${keyUsesPrefix}*`],
    },
  ],
  'key_uses.write': countInTable('usage', [`${keyUsesPrefix}*`]),
  'subject_usage.read': ({ deployment, homeRegion }) => [
    {
      actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
      resources: [tableArn(deployment, homeRegion, 'usage')],
      leadingKeys: [`${subjectUsagePrefix}*`],
    },
  ],
  'subject_usage.write': countInTable('usage', [`${subjectUsagePrefix}*`]),
  'writes.wait': ({ deployment, homeRegion }) => [
    {
      actions: ['dynamodb:Query', 'dynamodb:UpdateItem'],
      resources: [tableArn(deployment, homeRegion, 'usage')],
      leadingKeys: [waitingWritesKey],
    },
  ],
  'idempotency.write': writeTable('idempotency'),
  'crawls.read': readTable('crawls'),
  'crawls.write': writeTable('crawls'),
  'crawls.outside': ({ deployment, regions }) => [
    {
      actions: ['ssm:GetParameter'],
      resources: regions.map((region) => parameterArn(deployment, region, secretNames.crawl)),
    },
  ],
  'connectors.read': readTable('connectors'),
  'connectors.write': writeTable('connectors'),
  'connectors.clients': ({ deployment, homeRegion }) => [
    {
      actions: ['ssm:GetParameter'],
      resources: Object.values(applicationSecretNames).map((name) => parameterArn(deployment, homeRegion, name)),
    },
  ],
  'imports.write': writeTable('imports'),
  'exports.read': readTable('exports'),
  'exports.write': writeTable('exports'),
  'evaluations.read': readTable('evaluations'),
  'evaluations.write': writeTable('evaluations'),
  'query_log.append': putAndCountInTable('evaluations', [`${queryLogPrefix}*`]),
  'documents.read': readTable('documents'),
  'documents.write': writeTable('documents'),
  'audit.read': readTable('audit'),
  'audit.append': appendToTable('audit'),
  'keys.use': foundInTable('keys'),
  'keys.read': readTable('keys'),
  'secrets.read': readTable('secrets'),
  'secrets.write': depositInTable('secrets'),
  'plan.send': send('plan'),
  'imports.send': send('imports'),
  'exports.send': send('exports'),
  'rebuilds.send': send('rebuilds'),
  'evaluations.send': send('evaluations'),
  'tasks.send': send('tasks'),
  'crawl.send': send('crawl'),
  'sync.send': send('sync'),
  'log.send': send('log'),
  'log.forget': ({ deployment, region }) => [
    { actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'], resources: [deadLetterArn(deployment, region, 'log')] },
  ],
  'builds.send': send('builds'),
  'deletions.send': send('deletions'),
  'relay.send': send('relay'),
  'deliver.send': send('deliver'),
  'uploads.read': readContent('uploads'),
  'uploads.put': onContent('uploads', 's3:PutObject'),
  // A presigned address sets the tag of a pending upload, and accepting the upload removes it.
  'uploads.tag': onContent('uploads', 's3:PutObjectTagging'),
  'uploads.accept': onContent('uploads', 's3:DeleteObjectTagging'),
  'uploads.parts': onContent('uploads', 's3:ListMultipartUploadParts'),
  'uploads.delete': deleteContent('uploads'),
  'originals.read': readContent('originals'),
  'originals.put': onContent('originals', 's3:PutObject'),
  'originals.delete': deleteContent('originals'),
  'batches.read': readContent('batches'),
  'batches.put': onContent('batches', 's3:PutObject'),
  'batches.delete': deleteContent('batches'),
  'embeddings.read': readContent('embeddings'),
  'embeddings.put': onContent('embeddings', 's3:PutObject'),
  'embeddings.delete': deleteContent('embeddings'),
  'exported.read': readContent('exported'),
  'exported.copy': copyExported,
  'exported.put': onContent('exported', 's3:PutObject'),
  'exported.delete': deleteContent('exported'),
  'golden.read': readContent('golden'),
  'golden.put': onContent('golden', 's3:PutObject'),
  'golden.delete': deleteContent('golden'),
  'evaluated.read': readContent('evaluated'),
  'evaluated.put': onContent('evaluated', 's3:PutObject'),
  'evaluated.delete': deleteContent('evaluated'),
  'engine.read': readEngine,
  'engine.write': writeEngine,
  // Filters and returned metadata of a query need `GetVectors` too.
  'vector_indexes.read': onVectorIndexes(['QueryVectors', 'GetVectors', 'ListVectors']),
  'vector_indexes.write': onVectorIndexes([
    'GetVectors',
    'ListVectors',
    'PutVectors',
    'DeleteVectors',
    'CreateIndex',
    'DeleteIndex',
  ]),
  'reader.invoke': ({ deployment, regions }) => [
    {
      actions: ['lambda:InvokeFunction'],
      resources: regions.map((region) => functionArn(deployment, region, 'index-reader')),
    },
  ],
  'embedder.invoke': ({ deployment, region }) => [
    { actions: ['lambda:InvokeFunction'], resources: [functionArn(deployment, region, embedderFunction)] },
  ],
  'reranker.invoke': ({ deployment, region }) => [
    { actions: ['lambda:InvokeFunction'], resources: [functionArn(deployment, region, rerankerFunction)] },
  ],
  'browser.invoke': ({ deployment, homeRegion }) => [
    { actions: ['lambda:InvokeFunction'], resources: [functionArn(deployment, homeRegion, connectorBrowserFunction)] },
  ],
  'models.embed': ({ deployment, region, embeddingModels }) => {
    const ofBedrock = embeddingModels.flatMap(({ provider, model }) => (provider === 'bedrock' ? [model] : []));
    const keys = embeddingModels.flatMap(({ api_key }) => api_key ?? []);
    return [
      {
        actions: ['bedrock:InvokeModel'],
        resources: distinct([bedrockEmbeddingModel, ...ofBedrock]).map((model) => bedrockModelArn(region, model)),
      },
      {
        actions: ['ssm:GetParameter'],
        resources: distinct([secretNames.embedding, ...keys]).map((name) => parameterArn(deployment, region, name)),
      },
    ];
  },
  'models.rerank': ({ deployment, region, reranker }) => {
    if (reranker.provider === 'http' && reranker.api_key !== null)
      return [{ actions: ['ssm:GetParameter'], resources: [parameterArn(deployment, region, reranker.api_key)] }];
    if (reranker.provider !== 'bedrock') return [];
    return [
      {
        actions: ['bedrock:Rerank'],
        resources: ['*'],
        wildcardReason: 'The action knows no resource; the model needs the other permission',
      },
      { actions: ['bedrock:InvokeModel'], resources: [bedrockModelArn(region, reranker.model)] },
    ];
  },
  'models.ocr': () => [
    {
      actions: ['textract:DetectDocumentText'],
      resources: ['*'],
      wildcardReason: 'Textract has no resources: the picture travels in the request',
    },
  ],
  'models.transcribe': ({ deployment, regions }) => [
    {
      actions: ['transcribe:StartTranscriptionJob'],
      resources: ['*'],
      wildcardReason: 'The action knows no resource: the job does not exist before it',
    },
    {
      actions: ['transcribe:GetTranscriptionJob', 'transcribe:DeleteTranscriptionJob'],
      resources: regions.map((region) => transcriptionJobsArn(deployment, region)),
      wildcardReason: 'Jobs are named by the service at run time; the grant ends at the prefix',
    },
  ],
  'svix.call': ({ deployment, homeRegion }) => [
    { actions: ['ssm:GetParameter'], resources: [parameterArn(deployment, homeRegion, secretNames.svix)] },
  ],
  'bus.put': ({ homeRegion, eventBus }) =>
    eventBus === null ? [] : [{ actions: ['events:PutEvents'], resources: [eventBusArn(homeRegion, eventBus)] }],
  'files.extract': nothing,
  'identity.verify': nothing,
  'roles.assume': () => [
    {
      actions: ['sts:AssumeRole'],
      resources: ['arn:aws:iam::*:role/*'],
      wildcardReason: "Roles are their owners'; only one whose trust policy names this function can be taken on",
    },
    {
      effect: 'deny',
      actions: ['sts:AssumeRole'],
      resources: [ownRolesArn],
      wildcardReason: 'A denial: roles of this account may trust all of it',
    },
  ],
  'network.public': nothing,
  'dependencies.probe': probeDependencies,
} satisfies Record<CapabilityId, Grants>;

/** Returns the permissions of a function with these capabilities. */
export const grantsOf = (capabilities: readonly CapabilityId[], reach: Reach): readonly Grant[] =>
  capabilities.flatMap((capability) => grantsByCapability[capability](reach));

/** Returns the permissions of a schedule besides its capabilities: reading due items of its tables. */
export const scheduleGrants = (
  capabilities: readonly string[],
  reach: Pick<Reach, 'deployment' | 'homeRegion'>,
): readonly Grant[] =>
  (Object.keys(tables) as TableName[])
    .filter((table) => tables[table].due)
    .filter((table) => capabilities.includes(`${table}.read`) || capabilities.includes(`${table}.write`))
    .map((table) => sweepTable(table, reach));

/** Returns the permissions of the worker of a queue in `region`. */
export const consumerGrants = (deployment: string, region: string, queue: QueueName): readonly Grant[] => [
  {
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
    resources: [queueArn(deployment, region, queue)],
  },
];
