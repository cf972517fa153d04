/** Field of a record: its type in the notation of the contract, and its default. */
export interface Field {
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
}

export type Fields = Readonly<Record<string, Field>>;

/** Body: a record, a list of records, or a type in the notation of the contract. */
export type Shape = { readonly fields: Fields } | { readonly listOf: Fields } | { readonly type: string };

export interface ContractEntry {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly request?: Fields;
  readonly status: number;
  /** Absent if the response has no body. */
  readonly response?: Shape;
}

const must = (type: string): Field => ({ type, required: true });
const may = (type: string): Field => ({ type, required: false });
const or = (type: string, value: unknown): Field => ({ type, required: false, default: value });

/** Returns required fields of one type. */
const all = (type: string, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, must(type)]));

const role = 'enum owner, member';
const planName = 'enum developer, scale, enterprise';
const metric = 'enum cosine, euclidean';
const language =
  'enum arabic, auto, danish, dutch, english, finnish, french, german, greek, hungarian, italian, korean, none, norwegian, portuguese, romanian, russian, spanish, swedish, tamil, turkish';
const someIndexes = 'list of string, null';

/** Beyond the interface: rows that a credential is bound to. */
const bounds: Fields = { filter: may('map of any, null'), id_prefix: may('string, null') };
const shownBounds: Fields = { filter: must('map of any, null'), id_prefix: must('string, null') };

/** Beyond the interface: limits of a credential. */
const limits: Fields = {
  rate_limits: may('object, null'),
  in_flight: may('integer, null'),
  monthly_limits: may('object, null'),
};
const shownLimits: Fields = {
  rate_limits: must('object, null'),
  in_flight: must('integer, null'),
  monthly_limits: must('object, null'),
};

const keyCreated: Fields = {
  ...all('string', 'id', 'name', 'token'),
  permissions: must('list of string'),
  index_ids: must(someIndexes),
  ...shownBounds,
  ...shownLimits,
  expires_at: must('datetime, null'),
  created_at: must('datetime'),
};

const keyItem: Fields = {
  ...all('string', 'id', 'name', 'prefix'),
  permissions: must('list of string'),
  index_ids: must(someIndexes),
  ...shownBounds,
  ...shownLimits,
  ...all('datetime, null', 'expires_at', 'revoked_at', 'last_used_at'),
  created_at: must('datetime'),
  created_by: must('string, null'),
};

const clientCreated: Fields = {
  ...all('string', 'id', 'name', 'client_id', 'client_secret'),
  scopes: must('list of string'),
  index_ids: must(someIndexes),
  ...shownBounds,
  ...shownLimits,
  created_at: must('datetime'),
};

const clientItem: Fields = {
  ...all('string', 'id', 'name', 'prefix'),
  scopes: must('list of string'),
  index_ids: must(someIndexes),
  ...shownBounds,
  ...shownLimits,
  revoked_at: must('datetime, null'),
  created_at: must('datetime'),
  created_by: must('string, null'),
};

const workspace: Fields = {
  ...all('string', 'organization_id', 'organization_name', 'subscription_status'),
  role: must(role),
  onboarded: or('boolean', false),
  plan: or(planName, 'developer'),
};

const organization: Fields = {
  ...workspace,
  cancel_at_period_end: must('boolean'),
  current_period_end: must('datetime, null'),
  // Beyond the interface.
  spending_limit_usd: must('number, null'),
  limits: must('map of integer'),
  features: must('map of boolean'),
  rate_limits: must('map of integer'),
};

const invitation: Fields = {
  ...all('string', 'id', 'email'),
  role: must(role),
  expires_at: must('datetime'),
  accepted_at: must('datetime, null'),
  created_at: must('datetime'),
};

const index: Fields = {
  ...all('string', 'id', 'name', 'cloud_region'),
  dimensions: must('integer'),
  distance_metric: must(metric),
  non_filterable_metadata_keys: must('list of string'),
  // Beyond the interface, for sparse search in other languages than English.
  text_language: must(language),
  embedding_model: must('string'),
  // Beyond the interface: the engine of an index.
  engine: must('enum lance, s3_vectors'),
  features: must(
    'list of enum branches, conditional_writes, exact_search, ordered_lists, phrases, recall, search_cursors, text_ranges, versions',
  ),
  created_at: must('datetime'),
  parent_index_id: may('string, null'),
  branch_depth: or('integer', 0),
  // Beyond the interface: what searches of the index use.
  search_defaults: may('map'),
  chunking: may('object'),
  // Beyond the interface: the key by whose values usage is counted.
  usage_key: may('string'),
  // Beyond the interface: when rows and files expire by default.
  ttl_seconds: may('integer'),
  // Beyond the interface: days for which former versions are kept.
  version_days: may('integer'),
  // Beyond the interface: the log of searches.
  query_log: may('object'),
};

/** Beyond the interface: when something expires. */
const expiry: Fields = { expires_at: may('datetime, null'), ttl_seconds: may('integer, null') };

const uploadCreate: Fields = {
  ...all('string', 'filename', 'content_type'),
  checksum_sha256: may('string, null'),
  // Beyond the interface: binds the address to one size.
  size_bytes: may('integer, null'),
  // Beyond the interface, where every other way in has it.
  metadata: or('map', {}),
  // Beyond the interface: embeds the texts of files of rows.
  embed: may('boolean'),
  ...expiry,
};

/** Beyond the interface: what happens if a file of the name exists. */
const uploadUnlessDuplicate: Fields = { ...uploadCreate, on_duplicate: may('enum keep, skip, replace') };

const upload: Fields = {
  ...all('string', 'id', 'upload_url', 'object_key'),
  upload_headers: must('map of string'),
  replaces_job_id: may('string, null'),
  expires_in_seconds: or('integer', 900),
};

const task: Fields = {
  ...all('string', 'id', 'status'),
  ordinal: must('integer'),
  created_at: must('datetime'),
  page_start: may('integer, null'),
  page_end: may('integer, null'),
  chunks_written: or('integer', 0),
  vectors_written: or('integer', 0),
  attempt_count: or('integer', 0),
  error: may('string, null'),
  started_at: may('datetime, null'),
  completed_at: may('datetime, null'),
};

const job: Fields = {
  ...all('string', 'id', 'index_id', 'filename', 'content_type', 'object_key'),
  source: must('enum upload, import, crawl, connector'),
  status: must('string'),
  size_bytes: must('integer, null'),
  ...all('string, null', 'checksum_sha256', 'replaces_job_id', 'replaced_by_job_id', 'error', 'error_code'),
  ...all('integer', 'tasks_total', 'tasks_completed', 'chunks_written', 'vectors_written', 'serverless_invocations'),
  metadata: must('map'),
  created_at: must('datetime'),
  ...all('datetime, null', 'started_at', 'completed_at'),
  // Beyond the interface: when the file is removed.
  expires_at: may('datetime'),
};

const crawl: Fields = {
  ...all('string', 'id', 'url'),
  ...all('integer', 'page_limit', 'max_depth'),
  status: must('enum queued, running, completed, failed, cancelled'),
  created_at: must('datetime'),
  provider_job_id: may('string, null'),
  pages_found: or('integer', 0),
  error: may('string, null'),
  started_at: may('datetime, null'),
  completed_at: may('datetime, null'),
  // Beyond the interface.
  include_paths: or('list of string', []),
  exclude_paths: or('list of string', []),
  header_names: or('list of string', []),
  metadata: must('map'),
  schedule_id: may('string, null'),
};

const connector: Fields = {
  ...all('string', 'id', 'name'),
  provider: must(
    'enum google_drive, notion, gmail, google_calendar, slack, sharepoint, one_drive, confluence, aws_s3, gcs, azure_blob, custom_api',
  ),
  status: must('enum pending_scope, syncing, active, paused, error'),
  scope: must('any'),
  last_synced_at: must('datetime, null'),
  documents: must('integer'),
  error: must('string, null'),
  created_at: must('datetime'),
  // Beyond the interface.
  ...all('integer', 'unread_items', 'sync_interval_minutes'),
  metadata: must('map'),
  stored_credentials: must('string, null'),
  next_sync_at: must('datetime, null'),
  sync: must('object, null'),
};

const usage: Fields = {
  ...all('datetime', 'period_start', 'period_end'),
  ...all('integer', 'indexes', 'vectors_stored', 'dense_bytes', 'sparse_bytes', 'vectors_written', 'vectors_deleted'),
  // Beyond the interface.
  original_bytes: must('integer'),
  searches: must('object'),
  ...all('integer', 'file_jobs', 'pages', 'ocr_credits', 'audio_credits', 'audio_seconds', 'crawl_pages'),
  ...all('integer', 'embedding_tokens', 'rerank_units', 'serverless_invocations'),
  estimated_cost_usd: must('number'),
};

const stats: Fields = {
  index_id: must('string'),
  ...all('integer', 'vectors', 'documents', 'dense_bytes', 'sparse_bytes', 'unindexed_vectors'),
  last_written_at: must('datetime, null'),
  status: must('enum creating, ready, deleting'),
  // Beyond the interface.
  maintenance: must('object'),
  capacity: must('object, null'),
};

const historyPoint: Fields = {
  date: must('string'),
  ...all('integer', 'vectors', 'vectors_written', 'vectors_deleted', 'searches', 'dense_bytes', 'sparse_bytes'),
};

const plan: Fields = {
  id: must(planName),
  name: must('string'),
  price_usd_per_month: must('number, null'),
  limits: must('map of integer'),
  features: must('map of boolean'),
  rate_limits: must('map of integer'),
  unit_prices: must('map'),
};

const indexPath = '/v1/indexes/{index_id}';
const jobPath = `${indexPath}/files/{job_id}`;
const connectionPath = `${indexPath}/connectors/{connection_id}`;

const onboarding: Fields = {
  ...all('string', 'organization_name', 'use_case', 'expected_vectors'),
  default_region: or('string', 'us-east-1'),
};

const scope: Fields = {
  folders: or('list of string', []),
  files: or('list of string', []),
  folder_labels: or('map of string', {}),
  notion_pages: or('list of string', []),
  notion_data_sources: or('list of string', []),
  notion_labels: or('map of string', {}),
  gmail_after: may('string, null'),
  calendar_after: may('string, null'),
  slack_channels: or('list of string', []),
  attachments: or('boolean', false),
  sites: or('list of string', []),
  libraries: or('list of string', []),
  confluence_spaces: or('list of string', []),
  object_prefixes: or('list of string', []),
  include_patterns: or('list of string', []),
  exclude_patterns: or('list of string', []),
};

const remoteImport: Fields = {
  provider: must('enum aws_s3, gcs, azure_blob, url, export'),
  uri: must('string'),
  credentials: may('any'),
  filename: may('string, null'),
  content_type: may('string, null'),
  metadata: may('map'),
  // Beyond the interface, as for uploads.
  embed: may('boolean'),
  stored_credentials: may('string, null'),
  ...expiry,
};

const indexCreate: Fields = {
  name: must('string'),
  dimensions: or('integer', 1536),
  distance_metric: or(metric, 'cosine'),
  cloud_region: may('string, null'),
  non_filterable_metadata_keys: may('list of string'),
  text_language: or(language, 'english'),
  embedding_model: may('string, null'),
  engine: or('enum lance, s3_vectors', 'lance'),
  usage_key: may('string, null'),
  ttl_seconds: may('integer, null'),
  version_days: may('integer'),
  if_exists: or('enum create, return, conflict', 'create'),
};

const keyCreate: Fields = {
  name: must('string'),
  permissions: may('list of enum read, write'),
  index_ids: may(someIndexes),
  ...bounds,
  ...limits,
  expires_at: may('datetime, null'),
};

const eventHistory: Fields = {
  events: must('list of object'),
  ...all('integer', 'total', 'limit', 'offset'),
  ...all('list of object', 'traces', 'telemetry'),
};

const bootstrap: Fields = {
  user: must('object'),
  session_token: must('string'),
  expires_at: must('datetime'),
  organizations: must('list of object'),
  pending_invitations: must('list of object'),
};

const member: Fields = {
  user_id: must('string'),
  role: must(role),
  joined_at: must('datetime'),
  email: may('string, null'),
};

/** The 37 specified endpoints, in order. Records that the specification leaves open are as decided. */
export const contract: readonly ContractEntry[] = [
  { method: 'POST', path: '/v1/auth/bootstrap', status: 200, response: { fields: bootstrap } },
  { method: 'GET', path: '/v1/organizations', status: 200, response: { listOf: workspace } },
  { method: 'GET', path: '/v1/organization', status: 200, response: { fields: organization } },
  { method: 'GET', path: '/v1/plans', status: 200, response: { listOf: plan } },
  {
    method: 'POST',
    path: '/v1/onboarding/complete',
    request: onboarding,
    status: 200,
    response: { fields: organization },
  },
  { method: 'GET', path: '/v1/organization/members', status: 200, response: { listOf: member } },
  { method: 'GET', path: '/v1/organization/invitations', status: 200, response: { listOf: invitation } },
  {
    method: 'POST',
    path: '/v1/organization/invitations',
    request: { email: must('string'), role: or(role, 'member') },
    status: 201,
    response: { fields: invitation },
  },
  { method: 'DELETE', path: '/v1/organization/invitations/{invitation_id}', status: 204 },
  {
    method: 'POST',
    path: '/v1/organization/invitations/accept',
    request: { invitation_id: must('string') },
    status: 200,
    response: { fields: { ...all('string', 'status', 'organization_id'), role: must(role) } },
  },
  { method: 'GET', path: '/v1/organization/usage', status: 200, response: { fields: usage } },
  { method: 'GET', path: '/v1/indexes', status: 200, response: { listOf: index } },
  { method: 'POST', path: '/v1/indexes', request: indexCreate, status: 201, response: { fields: index } },
  { method: 'GET', path: '/v1/regions', status: 200, response: { type: 'list of string' } },
  {
    method: 'POST',
    path: `${indexPath}/branches`,
    request: { name: must('string') },
    status: 201,
    response: { fields: index },
  },
  { method: 'GET', path: indexPath, status: 200, response: { fields: index } },
  {
    method: 'PATCH',
    path: indexPath,
    request: {
      name: may('string'),
      search_defaults: may('object, null'),
      usage_key: may('string, null'),
      ttl_seconds: may('integer, null'),
      version_days: may('integer'),
      query_log: may('object, null'),
    },
    status: 200,
    response: { fields: index },
  },
  { method: 'DELETE', path: indexPath, status: 204 },
  { method: 'GET', path: `${indexPath}/stats`, status: 200, response: { fields: stats } },
  { method: 'GET', path: `${indexPath}/stats/history`, status: 200, response: { listOf: historyPoint } },
  { method: 'GET', path: `${indexPath}/files`, status: 200, response: { listOf: job } },
  {
    method: 'POST',
    path: `${indexPath}/files`,
    request: uploadUnlessDuplicate,
    status: 201,
    response: { fields: upload },
  },
  { method: 'GET', path: `${jobPath}/tasks`, status: 200, response: { listOf: task } },
  { method: 'GET', path: `${jobPath}/processing`, status: 200, response: { type: 'object' } },
  { method: 'POST', path: `${jobPath}/replace`, request: uploadCreate, status: 201, response: { fields: upload } },
  { method: 'POST', path: `${indexPath}/imports`, request: remoteImport, status: 202, response: { fields: job } },
  {
    method: 'POST',
    path: `${indexPath}/crawl-jobs`,
    request: {
      url: must('string'),
      page_limit: or('integer', 10),
      max_depth: or('integer', 1),
      include_paths: or('list of string', []),
      exclude_paths: or('list of string', []),
      metadata: or('map of any', {}),
      headers: or('map of string', {}),
    },
    status: 201,
    response: { fields: crawl },
  },
  {
    method: 'GET',
    path: `${indexPath}/connectors`,
    status: 200,
    response: { fields: all('list of object', 'connectors', 'available') },
  },
  {
    method: 'POST',
    path: `${indexPath}/connectors/custom-api`,
    request: {
      ...all('string', 'name', 'base_url'),
      auth: must('any'),
      ...all('object', 'list', 'item'),
      metadata: or('map of any', {}),
      sync_interval_minutes: may('integer'),
    },
    status: 201,
    response: { fields: connector },
  },
  { method: 'PUT', path: `${connectionPath}/scope`, request: scope, status: 202, response: { type: 'map of string' } },
  { method: 'POST', path: `${connectionPath}/resume`, status: 202, response: { type: 'map of string' } },
  { method: 'POST', path: '/v1/api-keys', request: keyCreate, status: 201, response: { fields: keyCreated } },
  { method: 'GET', path: '/v1/api-keys', status: 200, response: { listOf: keyItem } },
  {
    method: 'POST',
    path: '/v1/oauth/clients',
    request: { name: must('string'), index_ids: may(someIndexes), ...bounds, ...limits },
    status: 201,
    response: { fields: clientCreated },
  },
  { method: 'GET', path: '/v1/oauth/clients', status: 200, response: { listOf: clientItem } },
  { method: 'DELETE', path: '/v1/oauth/clients/{client_id}', status: 204 },
  { method: 'GET', path: '/v1/organization/webhooks/events', status: 200, response: { fields: eventHistory } },
];
