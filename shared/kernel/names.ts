/**
 * Physical names of all resources of a deployment.
 * Stacks create under these names and functions address by them, so no value is passed between stacks or regions.
 */

interface TableShape {
  /** Whether it has the sparse index `due` (`due_pk`, `due_at`) that sweeps read. */
  readonly due: boolean;
  /** Whether point-in-time recovery is enabled. */
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
  exports: { due: true, restorable: true },
  evaluations: { due: true, restorable: true },
  documents: { due: false, restorable: true },
  audit: { due: false, restorable: true },
  // Contains the key of the deployment. Without it, signing secrets of webhooks are lost.
  keys: { due: false, restorable: true },
  // A deleted key must be unrecoverable.
  secrets: { due: false, restorable: false },
} as const satisfies Record<string, TableShape>;

export type TableName = keyof typeof tables;

/** Prefix of the partition keys in the table `usage` for rate limits. */
export const ratesPrefix = 'RATE#';

/** Prefix of the partition keys in the table `usage` for the last uses of API keys. */
export const keyUsesPrefix = 'KEY_USE#';

/** Prefix of the partition keys in the table `usage` for the usage of credentials and tenants. */
export const subjectUsagePrefix = 'SUBJECT#';

/** Prefix of the partition keys in the table `evaluations` for the logs of questions. */
export const queryLogPrefix = 'QUERY_LOG#';

/** Partition key in the table `usage` under which writes that wait for their receipt are counted. */
export const waitingWritesKey = 'WAITING_WRITES';

/** Partition key under which no table has an item: a health check reads it. */
export const healthKey = 'HEALTH#';

/** Queues; `region` queues exist once per configured region, `home` queues once. */
export const queues = {
  plan: { scope: 'region', fifo: false },
  imports: { scope: 'region', fifo: false },
  exports: { scope: 'region', fifo: false },
  rebuilds: { scope: 'region', fifo: false },
  evaluations: { scope: 'region', fifo: false },
  tasks: { scope: 'region', fifo: false },
  crawl: { scope: 'region', fifo: false },
  sync: { scope: 'home', fifo: false },
  log: { scope: 'region', fifo: true },
  builds: { scope: 'region', fifo: false },
  deletions: { scope: 'region', fifo: false },
  relay: { scope: 'home', fifo: false },
  deliver: { scope: 'home', fifo: false },
} as const satisfies Record<string, { readonly scope: 'region' | 'home'; readonly fifo: boolean }>;

export type QueueName = keyof typeof queues;

/** Message attribute that names the organization on a FIFO queue, where the group preserves order. */
export const tenantAttribute = 'organization_id';

/** Buckets of each region. `content`: uploads, batches in transit and cached vectors. `vectors`: index tables. */
export const buckets = ['content', 'vectors'] as const;

export type BucketName = (typeof buckets)[number];

export const tableName = (deployment: string, table: TableName): string => `${deployment}-${table}`;

export const queueName = (deployment: string, queue: QueueName): string =>
  `${deployment}-${queue}${queues[queue].fifo ? '.fifo' : ''}`;

export const deadLetterQueueName = (deployment: string, queue: QueueName): string =>
  `${deployment}-${queue}-dlq${queues[queue].fifo ? '.fifo' : ''}`;

export const bucketName = (deployment: string, bucket: BucketName, account: string, region: string): string =>
  `${deployment}-${bucket}-${account}-${region}`;

/** Vector bucket of a region: indexes of the engine `s3_vectors`. */
export const vectorBucketName = (deployment: string, account: string, region: string): string =>
  `${deployment}-indexes-${account}-${region}`;

/** `id` is an endpoint, worker, service or schedule of the registry. */
export const functionName = (deployment: string, id: string): string => `${deployment}-${id}`;

/** `name` is also that of the alarm's section in `docs/runbook.md`. */
export const alarmName = (deployment: string, name: string): string => `${deployment}-${name}`;

/** Name of a function's role that other resources refer to. Role names are unique in an account across regions. */
export const roleName = (deployment: string, id: string, region: string): string => `${deployment}-${id}-${region}`;

/** Secrets that the operator stores in the Parameter Store of a region. */
export const secretNames = {
  svix: 'svix-api-key',
  crawl: 'crawl-api-key',
  embedding: 'embedding-api-key',
  rerank: 'rerank-api-key',
} as const;

/** Secrets of the deployment's OAuth applications at providers. */
export const applicationSecretNames = {
  slack: 'connector-slack',
  notion: 'connector-notion',
  google: 'connector-google',
  microsoft: 'connector-microsoft',
} as const;

/** Secret with the API key of an embedding provider. A list of models may name several. */
export type EmbeddingSecretName = typeof secretNames.embedding | `${typeof secretNames.embedding}-${string}`;

/** Secret with the API key of a reranker. */
export type RerankSecretName = typeof secretNames.rerank | `${typeof secretNames.rerank}-${string}`;

type NameIn<Names> = Names[keyof Names];

export type SecretName =
  | NameIn<typeof secretNames>
  | NameIn<typeof applicationSecretNames>
  | EmbeddingSecretName
  | RerankSecretName;

export const parameterName = (deployment: string, name: SecretName): string => `/${deployment}/${name}`;

/** Prefix of the names of transcription jobs. */
export const transcriptionJobPrefix = (deployment: string): string => `${deployment}-audio-`;

/** Account of the cloud on one machine. No real account has this number. */
export const localAccountId = '000000000000';
