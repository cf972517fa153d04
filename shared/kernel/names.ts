/**
 * Physical names of everything that a deployment consists of. Stacks create under these names and functions address by
 * them, so no value has to travel from one stack or region to another.
 */

interface TableShape {
  /** Whether it has the sparse index `due` (`due_pk`, `due_at`) that sweepers read. */
  readonly due: boolean;
  /** Whether it can be brought back as it was at any moment of the last weeks. */
  readonly restorable: boolean;
}

/** Tables of the home region. */
export const tables = {
  organizations: { due: false, restorable: true },
  credentials: { due: false, restorable: true },
  indexes: { due: true, restorable: true },
  files: { due: true, restorable: true },
  events: { due: true, restorable: true },
  webhooks: { due: true, restorable: true },
  usage: { due: false, restorable: true },
  idempotency: { due: false, restorable: true },
  crawls: { due: true, restorable: true },
  connectors: { due: true, restorable: true },
  imports: { due: true, restorable: true },
  documents: { due: false, restorable: true },
  // The key of the deployment: with it go the signing secrets of webhooks.
  keys: { due: false, restorable: true },
  // A key that is deleted must be gone for good.
  secrets: { due: false, restorable: false },
} as const satisfies Record<string, TableShape>;

export type TableName = keyof typeof tables;

/** First part of the partition keys in the table `usage` under which requests are counted. */
export const ratesPrefix = 'RATE#';

/** Partition key in the table `usage` under which writes that wait for their receipt are counted. */
export const waitingWritesKey = 'WAITING_WRITES';

/** Partition key under which no table has an item: a health check reads it. */
export const healthKey = 'HEALTH#';

/** Queues; `region` queues exist once per configured region, `home` queues once. */
export const queues = {
  plan: { scope: 'region', fifo: false },
  imports: { scope: 'region', fifo: false },
  tasks: { scope: 'region', fifo: false },
  crawl: { scope: 'region', fifo: false },
  sync: { scope: 'home', fifo: false },
  log: { scope: 'region', fifo: true },
  reconcile: { scope: 'region', fifo: false },
  builds: { scope: 'region', fifo: false },
  relay: { scope: 'home', fifo: false },
  deliver: { scope: 'home', fifo: false },
} as const satisfies Record<string, { readonly scope: 'region' | 'home'; readonly fifo: boolean }>;

export type QueueName = keyof typeof queues;

/** Attribute of a message on a FIFO queue that names its organization. Its group is the order that it keeps. */
export const tenantAttribute = 'organization_id';

/** Buckets of each region: `content` holds uploads, batches in transit and vectors that models gave lately, `vectors` the index tables. */
export const buckets = ['content', 'vectors'] as const;

export type BucketName = (typeof buckets)[number];

export const tableName = (deployment: string, table: TableName): string => `${deployment}-${table}`;

export const queueName = (deployment: string, queue: QueueName): string =>
  `${deployment}-${queue}${queues[queue].fifo ? '.fifo' : ''}`;

export const deadLetterQueueName = (deployment: string, queue: QueueName): string =>
  `${deployment}-${queue}-dlq${queues[queue].fifo ? '.fifo' : ''}`;

export const bucketName = (deployment: string, bucket: BucketName, account: string, region: string): string =>
  `${deployment}-${bucket}-${account}-${region}`;

/** `id` is an endpoint, worker, service or schedule of the registry. */
export const functionName = (deployment: string, id: string): string => `${deployment}-${id}`;

/** `name` is also that of the alarm's section in `docs/runbook.md`. */
export const alarmName = (deployment: string, name: string): string => `${deployment}-${name}`;

/** Name of the role of a function that others have to name. Names of roles are those of all regions of an account. */
export const roleName = (deployment: string, id: string, region: string): string => `${deployment}-${id}-${region}`;

/** Secrets that whoever runs the deployment keeps in the Parameter Store of a region. */
export const secretNames = {
  svix: 'svix-api-key',
  crawl: 'crawl-api-key',
  embedding: 'embedding-api-key',
} as const;

/** More of them: each is an application of the deployment at a provider. */
export const applicationSecretNames = {
  slack: 'connector-slack',
  notion: 'connector-notion',
  google: 'connector-google',
} as const;

type NameIn<Names> = Names[keyof Names];

export type SecretName = NameIn<typeof secretNames> | NameIn<typeof applicationSecretNames>;

export const parameterName = (deployment: string, name: SecretName): string => `/${deployment}/${name}`;

/** First part of the name of every transcription job. */
export const transcriptionJobPrefix = (deployment: string): string => `${deployment}-audio-`;
