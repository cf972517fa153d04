import type { ListedModel, RerankerChoice } from '../shared/kernel/config.ts';
import { contentPrefixes } from '../shared/kernel/content-keys.ts';
import { healthKey, buckets, queues, type QueueName, type TableName, tables } from '../shared/kernel/names.ts';
import { bucketArn, queueArn, tableArn, vectorIndexesArn } from './arns.ts';

/** One permission as data: every action on every resource. */
export interface Grant {
  /** Default: allow. */
  readonly effect?: 'allow' | 'deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Partition keys of a table that the actions may use; each may end in `*`. Default: all. */
  readonly leadingKeys?: readonly string[];
  /** Reason of a resource that ends in `*`. Only such a grant has one. */
  readonly wildcardReason?: string;
}

/** Regions that the functions of one stack use. */
export interface Reach {
  readonly deployment: string;
  /** Region of the tables. */
  readonly homeRegion: string;
  /** Region of the functions. */
  readonly region: string;
  /** Regions whose queues, buckets and readers the functions may use: all for the home stacks, else their own. */
  readonly regions: readonly string[];
  /** Whether `region` has Amazon S3 Vectors. */
  readonly hasS3Vectors: boolean;
  /** Event bus of the home region that gets every event; null for none. */
  readonly eventBus: string | null;
  /** Further embedding models of the deployment. */
  readonly embeddingModels: readonly ListedModel[];
  readonly reranker: RerankerChoice;
}

export type Grants = (reach: Reach) => readonly Grant[];

export const nothing: Grants = () => [];

export const readTable =
  (table: TableName): Grants =>
  ({ deployment, homeRegion }) => {
    const arn = tableArn(deployment, homeRegion, table);
    return [
      { actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], resources: [arn] },
      { actions: ['dynamodb:Query'], resources: [arn] },
    ];
  };

/** Allows reading which items of a table are due, of all organizations. */
export const sweepTable = (
  table: TableName,
  { deployment, homeRegion }: Pick<Reach, 'deployment' | 'homeRegion'>,
): Grant => ({
  actions: ['dynamodb:Query'],
  resources: [`${tableArn(deployment, homeRegion, table)}/index/due`],
});

export const writeTable =
  (table: TableName): Grants =>
  (reach) => [
    ...readTable(table)(reach),
    {
      actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      resources: [tableArn(reach.deployment, reach.homeRegion, table)],
    },
  ];

/** Allows changing items of some partitions of a table. It allows no reads besides the items that a change returns. */
export const countInTable =
  (table: TableName, leadingKeys: readonly string[]): Grants =>
  ({ deployment, homeRegion }) => [
    { actions: ['dynamodb:UpdateItem'], resources: [tableArn(deployment, homeRegion, table)], leadingKeys },
  ];

/** Allows putting and changing items of some partitions of a table, but no reads. */
export const putAndCountInTable =
  (table: TableName, leadingKeys: readonly string[]): Grants =>
  ({ deployment, homeRegion }) => [
    {
      actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [tableArn(deployment, homeRegion, table)],
      leadingKeys,
    },
  ];

/** Allows putting and deleting items, but no reads: for items that only other functions may use. */
export const depositInTable =
  (table: TableName): Grants =>
  ({ deployment, homeRegion }) => [
    {
      actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
      resources: [tableArn(deployment, homeRegion, table)],
    },
  ];

/** Allows putting items, but no reads, updates or deletions. */
export const appendToTable =
  (table: TableName): Grants =>
  ({ deployment, homeRegion }) => [
    { actions: ['dynamodb:PutItem'], resources: [tableArn(deployment, homeRegion, table)] },
  ];

/** Allows getting and putting items, but no updates or deletions. */
export const foundInTable =
  (table: TableName): Grants =>
  ({ deployment, homeRegion }) => [
    {
      actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem'],
      resources: [tableArn(deployment, homeRegion, table)],
    },
  ];

/** Regions whose queues a policy names. */
const namedRegions = 4;

const sameQueues = 'Every region has the queue under this name, and the names of all would exceed the size of a policy';

export const send =
  (queue: QueueName): Grants =>
  ({ deployment, homeRegion, regions }) => {
    const named = queues[queue].scope === 'home' ? [homeRegion] : regions;
    const isEvery = named.length > namedRegions;
    return [
      {
        actions: ['sqs:SendMessage'],
        resources: (isEvery ? ['*'] : named).map((region) => queueArn(deployment, region, queue)),
        ...(isEvery ? { wildcardReason: sameQueues } : {}),
      },
    ];
  };

type ContentKind = keyof typeof contentPrefixes;

/** Allows one action on the objects of the content bucket under a prefix. */
export const onContent =
  (kind: ContentKind, action: string): Grants =>
  ({ deployment, regions }) => [
    {
      actions: [action],
      resources: regions.map((region) => `${bucketArn(deployment, region, 'content')}/${contentPrefixes[kind]}*`),
      wildcardReason: 'Objects are named by the service at run time; the grant ends at the prefix',
    },
  ];

/** Allows listing without a condition on the prefix: with one, S3 would return 403 for a missing object. */
const listContent: Grants = ({ deployment, regions }) => [
  { actions: ['s3:ListBucket'], resources: regions.map((region) => bucketArn(deployment, region, 'content')) },
];

/** Includes listing: without it, S3 returns 403 for a missing object, as for a missing permission. */
export const readContent =
  (kind: ContentKind): Grants =>
  (reach) => [...onContent(kind, 's3:GetObject')(reach), ...listContent(reach)];

/** Allows reading the files of exports in every region, from which an import may copy them to its own. */
export const copyExported: Grants = ({ deployment }) => {
  const arn = bucketArn(deployment, '*', 'content');
  const wildcardReason = 'Every region has the bucket under this name, and the names of all would exceed a policy';
  return [
    { actions: ['s3:GetObject'], resources: [`${arn}/${contentPrefixes.exported}*`], wildcardReason },
    { actions: ['s3:ListBucket'], resources: [arn], wildcardReason },
  ];
};

/** Allows deleting by prefix, which lists first. */
export const deleteContent =
  (kind: ContentKind): Grants =>
  (reach) => [...onContent(kind, 's3:DeleteObject')(reach), ...listContent(reach)];

// The engine reads and writes only the tables of its own region.
export const readEngine: Grants = ({ deployment, region }) => {
  const arn = bucketArn(deployment, region, 'vectors');
  return [
    { actions: ['s3:ListBucket'], resources: [arn] },
    {
      actions: ['s3:GetObject'],
      resources: [`${arn}/*`],
      wildcardReason: 'The bucket holds nothing but index tables, whose files the engine names',
    },
  ];
};

export const writeEngine: Grants = (reach) => [
  ...readEngine(reach),
  {
    actions: ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
    resources: [`${bucketArn(reach.deployment, reach.region, 'vectors')}/*`],
    wildcardReason: 'The bucket holds nothing but index tables, whose files the engine names',
  },
];

/** Allows actions on all vector indexes of the own region, if it has Amazon S3 Vectors. */
export const onVectorIndexes =
  (actions: readonly string[]): Grants =>
  ({ deployment, region, hasS3Vectors }) =>
    hasS3Vectors
      ? [
          {
            actions: actions.map((action) => `s3vectors:${action}`),
            resources: [vectorIndexesArn(deployment, region)],
            wildcardReason: 'Vector indexes are named by the service at run time; the grant ends at the bucket',
          },
        ]
      : [];

const queuesOf = (scope: 'home' | 'region'): readonly QueueName[] =>
  (Object.keys(queues) as QueueName[]).filter((queue) => queues[queue].scope === scope);

/** Allows probing every table, queue and bucket. It allows no reads of content besides the names of objects. */
export const probeDependencies: Grants = (reach) => [
  {
    actions: ['dynamodb:GetItem'],
    resources: (Object.keys(tables) as TableName[]).map((table) => tableArn(reach.deployment, reach.homeRegion, table)),
    leadingKeys: [healthKey],
  },
  {
    actions: ['sqs:GetQueueAttributes'],
    resources: queuesOf('home').map((queue) => queueArn(reach.deployment, reach.homeRegion, queue)),
  },
  {
    actions: ['sqs:GetQueueAttributes'],
    resources: queuesOf('region').map((queue) => queueArn(reach.deployment, '*', queue)),
    wildcardReason: sameQueues,
  },
  {
    actions: ['s3:ListBucket'],
    resources: reach.regions.flatMap((region) => buckets.map((bucket) => bucketArn(reach.deployment, region, bucket))),
  },
];
