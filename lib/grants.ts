import type { CapabilityId } from '../shared/kernel/capability.ts';
import { queues, tables, type QueueName, type TableName } from '../shared/kernel/names.ts';
import {
  bedrockModelArn,
  bucketArn,
  deadLetterQueueArn,
  functionArn,
  parameterArn,
  queueArn,
  tableArn,
  transcriptionJobsArn,
} from './arns.ts';

/** One permission as data: every action on every resource. */
export interface Grant {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Why a resource ends in `*`; only such a grant has it. */
  readonly wildcardReason?: string;
}

/** How far the functions of one stack reach. */
interface Reach {
  readonly deployment: string;
  /** Region of the tables. */
  readonly homeRegion: string;
  /** Regions whose queues, buckets and readers the functions may use: all for the home stacks, else their own. */
  readonly regions: readonly string[];
}

type Grants = (reach: Reach) => readonly Grant[];

const nothing: Grants = () => [];

const readTable =
  (table: TableName): Grants =>
  ({ deployment, homeRegion }) => {
    const arn = tableArn(deployment, homeRegion, table);
    return [
      { actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], resources: [arn] },
      { actions: ['dynamodb:Query'], resources: tables[table].due ? [arn, `${arn}/index/due`] : [arn] },
    ];
  };

const writeTable =
  (table: TableName): Grants =>
  (reach) => [
    ...readTable(table)(reach),
    {
      actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      resources: [tableArn(reach.deployment, reach.homeRegion, table)],
    },
  ];

/** Puts items in and takes them away with no right to get or query one: for what only other functions may use. */
const depositInTable =
  (table: TableName): Grants =>
  ({ deployment, homeRegion }) => [
    {
      actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
      resources: [tableArn(deployment, homeRegion, table)],
    },
  ];

const send =
  (queue: QueueName): Grants =>
  ({ deployment, homeRegion, regions }) => [
    {
      actions: ['sqs:SendMessage'],
      resources: (queues[queue].scope === 'home' ? [homeRegion] : regions).map((region) =>
        queueArn(deployment, region, queue),
      ),
    },
  ];

const contentPrefixes = ['uploads/', 'batches/', 'embeddings/'] as const;

const onContent = (
  { deployment, regions }: Reach,
  actions: readonly string[],
  prefixes: readonly (typeof contentPrefixes)[number][],
): Grant => ({
  actions,
  resources: regions.flatMap((region) =>
    prefixes.map((prefix) => `${bucketArn(deployment, region, 'content')}/${prefix}*`),
  ),
  wildcardReason: 'Objects are named by the service at run time; the grant ends at the prefix',
});

const listContent = ({ deployment, regions }: Reach): Grant => ({
  actions: ['s3:ListBucket'],
  resources: regions.map((region) => bucketArn(deployment, region, 'content')),
});

const readEngine: Grants = ({ deployment, regions }) => {
  const arns = regions.map((region) => bucketArn(deployment, region, 'vectors'));
  return [
    { actions: ['s3:ListBucket'], resources: arns },
    {
      actions: ['s3:GetObject'],
      resources: arns.map((arn) => `${arn}/*`),
      wildcardReason: 'The bucket holds nothing but index tables, whose files the engine names',
    },
  ];
};

const writeEngine: Grants = (reach) => [
  ...readEngine(reach),
  {
    actions: ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
    resources: reach.regions.map((region) => `${bucketArn(reach.deployment, region, 'vectors')}/*`),
    wildcardReason: 'The bucket holds nothing but index tables, whose files the engine names',
  },
];

/** What each capability allows, to the action. */
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
  'idempotency.write': writeTable('idempotency'),
  'crawls.read': readTable('crawls'),
  'crawls.write': writeTable('crawls'),
  'connectors.read': readTable('connectors'),
  'connectors.write': writeTable('connectors'),
  'imports.write': writeTable('imports'),
  'secrets.write': depositInTable('secrets'),
  'plan.send': send('plan'),
  'tasks.send': send('tasks'),
  'log.send': send('log'),
  'relay.send': send('relay'),
  'deliver.send': send('deliver'),
  'content.read': (reach) => [
    onContent(reach, ['s3:GetObject'], contentPrefixes),
    // Without it S3 answers 403 for an object that is not there, and nobody can tell a lost upload from a lost right.
    listContent(reach),
  ],
  'content.write': (reach) => [
    onContent(reach, ['s3:PutObject', 's3:DeleteObject'], contentPrefixes),
    listContent(reach),
  ],
  'content.presign': (reach) => [onContent(reach, ['s3:PutObject'], ['uploads/'])],
  'engine.read': readEngine,
  'engine.write': writeEngine,
  'reader.invoke': ({ deployment, regions }) => [
    {
      actions: ['lambda:InvokeFunction'],
      resources: regions.map((region) => functionArn(deployment, region, 'index-reader')),
    },
  ],
  'models.embed': ({ deployment, regions }) => [
    { actions: ['bedrock:InvokeModel'], resources: regions.map((region) => bedrockModelArn(region)) },
    {
      actions: ['ssm:GetParameter'],
      resources: regions.map((region) => parameterArn(deployment, region, 'embedding-api-key')),
    },
  ],
  'models.recognize': () => [
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
  'files.extract': nothing,
  'identity.verify': nothing,
  'network.public': nothing,
} satisfies Record<CapabilityId, Grants>;

/** The permissions of a function with these capabilities. */
export const grantsOf = (capabilities: readonly CapabilityId[], reach: Reach): readonly Grant[] =>
  capabilities.flatMap((capability) => grantsByCapability[capability](reach));

/** The permissions of the function that a queue and its dead-letter queue drive, both in `region`. */
export const consumerGrants = (deployment: string, region: string, queue: QueueName): readonly Grant[] => [
  {
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
    resources: [queueArn(deployment, region, queue), deadLetterQueueArn(deployment, region, queue)],
  },
];
