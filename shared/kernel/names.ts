/**
 * Physical names of everything that a deployment consists of. Stacks create under these names and functions address by
 * them, so no value has to travel from one stack or region to another.
 */

/** Tables of the home region. `due` tables carry the sparse index `due` (`due_pk`, `due_at`) that sweepers read. */
export const tables = {
  organizations: { due: false },
  credentials: { due: false },
  indexes: { due: true },
  files: { due: true },
  events: { due: true },
  webhooks: { due: true },
  usage: { due: false },
  idempotency: { due: false },
  crawls: { due: true },
  connectors: { due: true },
  imports: { due: true },
  secrets: { due: false },
} as const satisfies Record<string, { readonly due: boolean }>;

export type TableName = keyof typeof tables;

/** Queues; `region` queues exist once per configured region, `home` queues once. */
export const queues = {
  plan: { scope: 'region', fifo: false },
  tasks: { scope: 'region', fifo: false },
  log: { scope: 'region', fifo: true },
  relay: { scope: 'home', fifo: false },
  deliver: { scope: 'home', fifo: false },
} as const satisfies Record<string, { readonly scope: 'region' | 'home'; readonly fifo: boolean }>;

export type QueueName = keyof typeof queues;

/** Buckets of each region: `content` holds uploads and batches in transit, `vectors` the index tables. */
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
