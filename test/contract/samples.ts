import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { eventually } from '../support/eventually.ts';
import { makePdf } from '../support/make-pdf.ts';
import {
  ask,
  basicOf,
  type Body,
  type Caller,
  newClient,
  newIndex,
  newKey,
  newMember,
  newPerson,
  type Tenant,
} from './support/fixture.ts';

/** Successful request, without its credential. */
export interface Prepared {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** Content type of a body that is not JSON. */
  readonly contentType?: string;
  /** Bearer value instead of that of the caller. */
  readonly bearer?: string;
  /** HTTP Basic credentials in base64, instead of a bearer value. */
  readonly basic?: string;
  /** Restriction of that bearer value. */
  readonly indexIds?: readonly string[];
}

/** Sample of a successful call of an endpoint. */
export interface Sample {
  /**
   * Creates the resources of the request in an organization, as its owner.
   * @param caller Caller of the request.
   */
  readonly prepare: (tenant: Tenant, caller: Caller) => Promise<Prepared>;
  /** Whether a success consumes the created resources. */
  readonly consumes?: true;
  /** Whether the request depends on its caller, so that each caller needs one of its own. */
  readonly perCaller?: true;
  /** Permissions that the request grants. A caller without them gets `forbidden`. */
  readonly grants?: readonly ('read' | 'write')[];
  /** Whether the request creates an index or changes an alias, which a caller with a restriction to indexes may not. */
  readonly makesIndex?: true;
  /** Whether a caller with a restriction to indexes does not see the resource, since another caller has created it. */
  readonly isHidden?: true;
  /** Whether the resource is the same for every organization. */
  readonly isShared?: true;
  /** Whether the request creates the resource that its path names, so that no name is absent: for a resource in its body, or alone. */
  readonly createsNamed?: 'for body' | 'alone';
  /** Invalid body with the locations of all its problems, instead of the one that is generated from the schema. */
  readonly junk?: { readonly body: unknown; readonly locs: readonly (readonly (string | number)[])[] };
  /** Whether its success is the alternative response, which changes nothing. */
  readonly isAlternative?: true;
  /** Response to a valid request that cannot succeed on one machine. */
  readonly lacks?: { readonly status: number; readonly code: string };
  /** Why an endpoint accepts callers without a credential of the service, and which test covers it instead. */
  readonly open?: string;
}

/** Returns the status of a valid request. */
export const statusOf = (endpoint: Endpoint, { isAlternative, lacks }: Sample): number =>
  lacks?.status ?? (isAlternative === true ? (endpoint.alternative?.status ?? 0) : endpoint.status);

const made = new WeakMap<Tenant, Map<string, Promise<unknown>>>();

/** Creates a resource once for each tenant. */
export const once = <Made>(tenant: Tenant, name: string, make: () => Promise<Made>): Promise<Made> => {
  const things = made.get(tenant) ?? new Map<string, Promise<unknown>>();
  made.set(tenant, things);
  const known = (things.get(name) as Promise<Made> | undefined) ?? make();
  things.set(name, known);
  return known;
};

export const asOwner = ({ send, owner }: Tenant, method: string, url: string, body?: unknown): Promise<Body> =>
  ask(send, owner.bearer, method, url, body);

const upload = { filename: 'notes.txt', content_type: 'text/plain' };

const mcpMessage = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Request of an application whose metadata document does not exist on one machine. */
const authorizationRequest = {
  response_type: 'code',
  client_id: 'https://app.invalid/client.json',
  redirect_uri: 'https://app.invalid/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

const newJob = async (tenant: Tenant): Promise<string> =>
  (await asOwner(tenant, 'POST', `/v1/indexes/${tenant.indexId}/files`, upload)).id;

const newKeyId = async (tenant: Tenant): Promise<string> =>
  (await asOwner(tenant, 'POST', '/v1/api-keys', { name: 'k' })).id;

const newWebhook = async (tenant: Tenant): Promise<string> =>
  (await asOwner(tenant, 'POST', '/v1/organization/webhooks/endpoints', { url: 'https://example.com/hooks' })).id;

/** Waits until no export of the index runs, since only a few of an organization may run at once. */
const awaitExports = (tenant: Tenant): Promise<Body> =>
  eventually(
    () => asOwner(tenant, 'GET', `/v1/indexes/${tenant.indexId}/exports`),
    (exports: Body) => exports.every(({ status }: { status: string }) => status === 'completed'),
    120,
  );

const newExport = async (tenant: Tenant): Promise<string> => {
  await awaitExports(tenant);
  return (await asOwner(tenant, 'POST', `/v1/indexes/${tenant.indexId}/exports`, {})).id;
};

/** Returns an erasure of a row that the tenant's index does not have. */
const newErasure = (tenant: Tenant): Promise<string> =>
  once(tenant, 'erasure', async () => {
    const erasures = `/v1/indexes/${tenant.indexId}/erasures`;
    return (await asOwner(tenant, 'POST', erasures, { ids: ['never written'] })).id;
  });

const goldenQuestions = [{ query: 'tea', relevant: [{ id: 'tea' }] }];

/** Returns the name of a new golden set of the tenant's index. */
const newGoldenSet = async (tenant: Tenant, name: string): Promise<string> => {
  await asOwner(tenant, 'PUT', `/v1/indexes/${tenant.indexId}/golden-sets/${name}`, goldenQuestions);
  return name;
};

const goldenSet = (tenant: Tenant): Promise<string> => once(tenant, 'golden set', () => newGoldenSet(tenant, 'usual'));

/** Returns the id of a logged search of an index, with feedback. */
const loggedSearch = async (tenant: Tenant, indexId = tenant.indexId): Promise<string> => {
  const index = `/v1/indexes/${indexId}`;
  await asOwner(tenant, 'PATCH', index, { query_log: { sample: 1, keep_days: 7 } });
  const { search_id: id } = await asOwner(tenant, 'POST', `${index}/search/sparse`, { text: 'tea' });
  await asOwner(tenant, 'POST', `/v1/searches/${id}/feedback`, { id: 'tea', event: 'good' });
  return id;
};

/** Returns an index of the tenant whose log has a question with feedback, and is deleted by no other sample. */
const loggedIndex = (tenant: Tenant): Promise<string> =>
  once(tenant, 'logged index', async () => {
    const indexId = await newIndex(tenant.send, tenant.owner.bearer, 'logged');
    await loggedSearch(tenant, indexId);
    await eventually(
      () => asOwner(tenant, 'GET', `/v1/indexes/${indexId}/query-log/questions`),
      (questions: Body) => questions.some(({ good }: { good: number }) => good > 0),
    );
    return indexId;
  });

/** Body of an evaluation of the tenant's index. */
const newEvaluation = async (tenant: Tenant) => ({
  golden_set: await goldenSet(tenant),
  searches: [{ name: 'words', mode: 'sparse' }],
});

/** Waits until no evaluation of the index runs, since only a few of an organization may run at once. */
const awaitEvaluations = (tenant: Tenant): Promise<Body> =>
  eventually(
    () => asOwner(tenant, 'GET', `/v1/indexes/${tenant.indexId}/evaluations`),
    (evaluations: Body) => evaluations.every(({ status }: { status: string }) => status === 'completed'),
  );

/** Returns an evaluation of the tenant's index that has ended. */
const endedEvaluation = (tenant: Tenant): Promise<string> =>
  once(tenant, 'evaluation', async () => {
    const path = `/v1/indexes/${tenant.indexId}/evaluations`;
    const { id } = await asOwner(tenant, 'POST', path, await newEvaluation(tenant));
    await awaitEvaluations(tenant);
    return id;
  });

/** Returns a rebuild of the tenant's index that was cancelled, so that the index stays as it is. */
const cancelledRebuild = (tenant: Tenant): Promise<string> =>
  once(tenant, 'rebuild', async () => {
    const rebuilds = `/v1/indexes/${tenant.indexId}/rebuilds`;
    const { rebuild } = await asOwner(tenant, 'POST', rebuilds, { text_language: 'german' });
    await asOwner(tenant, 'DELETE', `${rebuilds}/${rebuild.id}`);
    return rebuild.id;
  });

const storedCredentials = { provider: 'azure_blob', credentials: { sas_token: 'sv=1&sig=a' } };

/** Returns the name of an alias of the tenant's index. It differs between organizations, so that others lack it. */
const newAlias = async (tenant: Tenant, purpose: string): Promise<string> => {
  const name = `${purpose}-${tenant.organizationId.slice(-10)}`;
  return (await asOwner(tenant, 'PUT', `/v1/aliases/${name}`, { index_id: tenant.indexId })).name;
};

/** Returns the name of stored credentials. It differs between organizations, so that others lack it. */
const newSourceCredentials = async (tenant: Tenant): Promise<string> => {
  const name = `documents-${tenant.organizationId.slice(-10)}`;
  return (await asOwner(tenant, 'PUT', `/v1/source-credentials/${name}`, storedCredentials)).name;
};

/** Returns the id of an `index.created` event. */
const firstEvent = async (tenant: Tenant): Promise<string> => {
  const { events } = await eventually(
    () => asOwner(tenant, 'GET', '/v1/organization/webhooks/events?limit=1'),
    (history) => history.events.length > 0,
  );
  return events[0].id;
};

const newInvitation = async (tenant: Pick<Tenant, 'send' | 'owner'>, email: string): Promise<string> =>
  (await ask(tenant.send, tenant.owner.bearer, 'POST', '/v1/organization/invitations', { email })).id;

/** Returns the id of a completed file job. */
const completedJob = async (
  tenant: Tenant,
  file: object = upload,
  content: Promise<Uint8Array> = Promise.resolve(Buffer.from('Apples and pears.')),
): Promise<string> => {
  const files = `/v1/indexes/${tenant.indexId}/files`;
  const job = await asOwner(tenant, 'POST', files, file);
  const body = Buffer.from(await content);
  const put = await fetch(job.upload_url, { method: 'PUT', headers: job.upload_headers, body });
  if (!put.ok) throw new Error(`upload refused: ${put.status} ${await put.text()}`);
  await eventually(
    () => asOwner(tenant, 'GET', `${files}/${job.id}`),
    ({ status }) => status === 'completed',
  );
  return job.id;
};

/** Returns the id of a completed file job whose file has a page. */
const pagedJob = (tenant: Tenant): Promise<string> =>
  completedJob(tenant, { filename: 'harbour.pdf', content_type: 'application/pdf' }, makePdf(['The pilot leaves.']));

/** Returns the id of a completed file job whose usage is counted. The writer counts a job before it completes the next. */
const countedJob = async (tenant: Tenant): Promise<string> => {
  const jobId = await completedJob(tenant);
  await completedJob(tenant);
  return jobId;
};

const notion = { provider: 'notion', name: 'wiki', credentials: { token: 'ntn_0123456789abcdef' } };

const customApi = {
  name: 'articles',
  base_url: 'https://example.com',
  auth: { type: 'none' },
  list: { path: '/articles', items: '/items' },
  item: { id: '/id', title: '/title', text: '/text', updated_at: '/updated_at' },
};

/** Returns the id of a connector with a scope, which can be paused and resumed. */
const newConnector = async (tenant: Tenant): Promise<string> => {
  const connectors = `/v1/indexes/${tenant.indexId}/connectors`;
  const { id } = await asOwner(tenant, 'POST', connectors, notion);
  await asOwner(tenant, 'PUT', `${connectors}/${id}/scope`, { notion_pages: ['page'] });
  return id;
};

/** Opens another session of a user. Returns its token. */
const openSession = async ({ service, send }: Tenant, email: string): Promise<string> =>
  (await ask(send, await service.idToken(email), 'POST', '/v1/auth/bootstrap')).session_token;

/** Opens another session of the caller, or of the owner of a tenant that is not the caller's. */
const newSession = async (tenant: Tenant, caller: Caller): Promise<string> => {
  const isOwn = caller.organizationId === tenant.organizationId && caller.email !== null;
  const token = await openSession(tenant, isOwn ? (caller.email ?? '') : tenant.owner.email);
  const sessions: Body = await ask(tenant.send, token, 'GET', '/v1/auth/sessions');
  return sessions.find(({ current }: { current: boolean }) => current).id;
};

/** Returns a sample without preconditions. */
const plain = (prepared: Prepared = {}): Sample => ({ prepare: async () => prepared });

/** Returns a sample with the index of the tenant. */
const onIndex = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant) => ({ path: { index_id: tenant.indexId }, ...prepared }),
});

/** Returns the path of an index that a sample made, with an API key of it for a caller who is restricted to the tenant's. */
export const onMade = async (tenant: Tenant, caller: Caller, index_id: string): Promise<Prepared> => {
  if (!(caller.indexIds?.includes(tenant.indexId) ?? false)) return { path: { index_id } };
  const { token } = await newKey(tenant, { index_ids: [index_id] });
  return { path: { index_id }, bearer: token, indexIds: [index_id] };
};

/** Returns a sample with a branch of the tenant's index. */
const onBranch = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant, caller) => {
    const branches = `/v1/indexes/${tenant.indexId}/branches`;
    const index_id: string = await once(tenant, 'branch', async () => {
      return (await asOwner(tenant, 'POST', branches, { name: 'branch' })).id;
    });
    return { ...(await onMade(tenant, caller, index_id)), ...prepared };
  },
  perCaller: true,
});

/** Returns a sample with a file job that waits for its upload. */
const onJob = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant) => ({
    path: { index_id: tenant.indexId, job_id: await once(tenant, 'job', () => newJob(tenant)) },
    ...prepared,
  }),
});

/** Returns a sample with a connector that has a scope. */
const onConnector = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant) => ({
    path: {
      index_id: tenant.indexId,
      connection_id: await once(tenant, 'connector', () => newConnector(tenant)),
    },
    ...prepared,
  }),
});

/** Returns the id of a schedule whose first crawl is far away. */
const newSchedule = async (tenant: Tenant): Promise<string> => {
  const body = { url: 'https://site.invalid/', starts_at: '2099-01-01T00:00:00Z' };
  return (await asOwner(tenant, 'POST', `/v1/indexes/${tenant.indexId}/crawl-schedules`, body)).id;
};

/** Returns a sample with a schedule of crawls. */
const onSchedule = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant) => ({
    path: { index_id: tenant.indexId, schedule_id: await once(tenant, 'schedule', () => newSchedule(tenant)) },
    ...prepared,
  }),
});

/** Returns a sample with a webhook endpoint. */
const onWebhook = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant) => ({
    path: { endpoint_id: await once(tenant, 'webhook', () => newWebhook(tenant)) },
    ...prepared,
  }),
});

/** Returns a sample with a new crawl job. */
const onCrawl = (): Sample => ({
  prepare: async (tenant) => {
    const crawls = `/v1/indexes/${tenant.indexId}/crawl-jobs`;
    const { id } = await asOwner(tenant, 'POST', crawls, { url: 'https://site.invalid/' });
    return { path: { index_id: tenant.indexId, crawl_id: id } };
  },
});

const rows = [
  { id: 'a', vector: [1, 0, 0], text: 'apples', metadata: { lang: 'en' } },
  { id: 'b', text: 'pears' },
];

/** Name of a script of the console, which contains a hash. */
const findConsoleScript = async (): Promise<string> =>
  (await readdir(join(projectDirectory, 'dist', 'console'))).find((name) => name.endsWith('.js')) ?? '';

/** Samples by the id of their endpoint. */
export const samples: Readonly<Record<string, Sample>> = {
  bootstrap: {
    prepare: async ({ service, owner }) => ({ bearer: await service.idToken(owner.email) }),
    open: 'takes an ID token: a missing one and every credential of the service are a 401, and it has no permission',
  },
  'list-sessions': plain({ query: 'limit=5' }),
  'end-session': {
    prepare: async (tenant, { email }) => (email === null ? {} : { bearer: await openSession(tenant, email) }),
    consumes: true,
    perCaller: true,
  },
  'end-one-session': {
    prepare: async (tenant, caller) => ({ path: { session_id: await newSession(tenant, caller) } }),
    consumes: true,
    perCaller: true,
  },
  'get-organization': plain(),
  'create-api-key': { ...plain({ body: { name: 'k', permissions: ['write'] } }), grants: ['write'] },
  'list-api-keys': plain(),
  'revoke-api-key': {
    prepare: async (tenant) => ({ path: { key_id: await newKeyId(tenant) } }),
    consumes: true,
  },
  'list-regions': plain(),
  'list-models': plain(),
  'create-index': { ...plain({ body: { name: 'i', dimensions: 3 } }), makesIndex: true },
  'list-indexes': plain({ query: 'limit=5' }),
  'get-index': onIndex(),
  'update-index': onIndex({ body: { name: 'renamed' } }),
  'delete-index': {
    // The index of the restricted key must not be deleted, so another key of this kind is used.
    prepare: async (tenant, caller) => onMade(tenant, caller, await newIndex(tenant.send, tenant.owner.bearer)),
    consumes: true,
    perCaller: true,
  },
  'put-golden-set': {
    prepare: async ({ indexId }) => ({ path: { index_id: indexId, golden_set: 'new' }, body: goldenQuestions }),
  },
  'get-golden-set': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, golden_set: await goldenSet(tenant) } }),
  },
  'list-golden-sets': onIndex({ query: 'limit=5' }),
  'list-golden-set-versions': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, golden_set: await goldenSet(tenant) } }),
  },
  'delete-golden-set': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, golden_set: await newGoldenSet(tenant, `set-${randomUUID()}`) },
    }),
    consumes: true,
  },
  'fill-golden-set-from-log': {
    prepare: async (tenant, caller) => {
      const { path, ...made } = await onMade(tenant, caller, await loggedIndex(tenant));
      return { ...made, path: { ...path, golden_set: `set-${randomUUID()}` }, body: { days: 7 } };
    },
    perCaller: true,
  },
  'list-logged-questions': onIndex({ query: 'kind=unanswered&limit=5' }),
  'delete-query-log': onIndex(),
  'add-search-feedback': {
    prepare: async (tenant) => ({
      path: { search_id: await loggedSearch(tenant) },
      body: { id: 'tea', event: 'good' },
    }),
  },
  'create-evaluation': {
    prepare: async (tenant) => {
      await awaitEvaluations(tenant);
      return { path: { index_id: tenant.indexId }, body: await newEvaluation(tenant) };
    },
    perCaller: true,
  },
  'list-evaluations': onIndex({ query: 'limit=5' }),
  'get-evaluation': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, evaluation_id: await endedEvaluation(tenant) },
    }),
  },
  'list-evaluated-questions': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, evaluation_id: await endedEvaluation(tenant) },
      query: 'sort=set&limit=5',
    }),
  },
  'create-export': {
    prepare: async (tenant) => {
      await awaitExports(tenant);
      return { path: { index_id: tenant.indexId }, body: { format: 'parquet' } };
    },
    perCaller: true,
  },
  'list-exports': onIndex({ query: 'limit=5' }),
  'get-export': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, export_id: await once(tenant, 'export', () => newExport(tenant)) },
    }),
  },
  'delete-export': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, export_id: await newExport(tenant) } }),
    consumes: true,
  },
  'list-versions': onIndex({ query: 'limit=5' }),
  'restore-index': onIndex({ body: { as_of: '2099-01-01T00:00:00Z' } }),
  'create-erasure': { ...onIndex({ body: { ids: ['never written'] } }), perCaller: true },
  'list-erasures': onIndex({ query: 'limit=5' }),
  'get-erasure': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, erasure_id: await newErasure(tenant) } }),
  },
  'list-receipt-keys': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'create-rebuild': {
    ...onIndex({ body: { text_language: 'german', dry_run: true } }),
    isAlternative: true,
  },
  'list-rebuilds': onIndex({ query: 'limit=5' }),
  'get-rebuild': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, rebuild_id: await cancelledRebuild(tenant) },
    }),
  },
  'delete-rebuild': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, rebuild_id: await cancelledRebuild(tenant) },
    }),
  },
  'roll-back-rebuild': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, rebuild_id: await cancelledRebuild(tenant) },
    }),
    lacks: { status: 409, code: 'conflict' },
  },
  'put-alias': {
    prepare: async ({ indexId }) => ({ path: { name: 'handbook' }, body: { index_id: indexId } }),
    makesIndex: true,
    createsNamed: 'for body',
  },
  'list-aliases': plain({ query: 'limit=5' }),
  'get-alias': { prepare: async (tenant) => ({ path: { name: await newAlias(tenant, 'search') } }) },
  'delete-alias': {
    prepare: async (tenant) => ({ path: { name: await newAlias(tenant, 'old') } }),
    makesIndex: true,
    consumes: true,
  },
  'branch-index': { ...onIndex({ body: { name: 'branch' } }), makesIndex: true },
  'diff-index': onBranch(),
  'promote-index': { ...onBranch({ body: { parent_changes: 'keep' } }), makesIndex: true },
  'create-file': onIndex({ body: upload }),
  'list-files': onIndex({ query: 'limit=5' }),
  'get-file': onJob(),
  'list-file-tasks': onJob(),
  'get-file-processing': onJob(),
  'upsert-vectors': onIndex({ body: rows }),
  'update-vectors': onIndex({ body: [{ id: 'a', metadata: { lang: 'en', draft: null } }] }),
  'list-vectors': onIndex({ query: 'limit=5' }),
  'fetch-vectors': onIndex({ body: { ids: ['a', 'z'] } }),
  'count-vectors': onIndex({ body: { filter: { lang: 'en' } } }),
  'update-vectors-by-filter': onIndex({ body: { filter: { lang: 'xx' }, metadata: { seen: true } } }),
  'list-metadata-values': onIndex({ body: { key: 'lang', limit: 5 } }),
  'describe-metadata': onIndex({ body: { keys: ['lang'] } }),
  'delete-vectors': onIndex({ body: { filter: { lang: 'xx' } } }),
  'dense-search': onIndex({ body: { vector: [1, 0, 0], top_k: 2 } }),
  'sparse-search': onIndex({ body: { text: 'apples' } }),
  'hybrid-search': onIndex({
    body: { text: 'apples', vector: [1, 0, 0], include: ['text', 'metadata', 'scores', 'explanation'] },
  }),
  'search-batch': onIndex({
    body: {
      searches: [
        { mode: 'sparse', text: 'apples', group: { by: 'file' } },
        {
          mode: 'dense',
          vector: [1, 0, 0],
          boost: { conditions: [{ filter: { a: 1 } }] },
          include: ['scores', 'usage'],
        },
      ],
    },
  }),
  'measure-recall': onIndex({ body: { queries: 2, top_k: 2 } }),
  'list-events': plain({ query: 'limit=5&offset=0' }),
  'create-webhook-endpoint': plain({ body: { url: 'https://example.com/hooks' } }),
  'list-webhook-endpoints': plain(),
  'update-webhook-endpoint': onWebhook({ body: { description: 'changed' } }),
  'rotate-webhook-secret': {
    // A new endpoint for each request, since a secret can be rotated only a few times a day.
    prepare: async (tenant) => ({ path: { endpoint_id: await newWebhook(tenant) } }),
    consumes: true,
  },
  'test-webhook-endpoint': onWebhook(),
  'list-webhook-deliveries': onWebhook({ query: 'limit=5' }),
  'replay-one-event': {
    prepare: async (tenant) => ({
      path: { event_id: await once(tenant, 'event', () => firstEvent(tenant)) },
      body: {},
    }),
  },
  'replay-events': plain({ body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' } }),
  'delete-webhook-endpoint': {
    prepare: async (tenant) => ({ path: { endpoint_id: await newWebhook(tenant) } }),
    consumes: true,
  },
  'list-organizations': plain(),
  'complete-onboarding': plain({
    body: { organization_name: 'Contract', use_case: 'tests', expected_vectors: '1000', default_region: 'us-east-1' },
  }),
  'list-members': plain(),
  'update-member': {
    prepare: async (tenant) => ({
      path: { user_id: (tenant.member ?? (await once(tenant, 'member', () => newMember(tenant)))).userId },
      body: { role: 'member' },
    }),
  },
  'remove-member': {
    prepare: async (tenant) => ({ path: { user_id: (await newMember(tenant)).userId } }),
    consumes: true,
  },
  'list-invitations': plain({ query: 'limit=5' }),
  // One address for each tenant, because of the limit of members.
  'create-invitation': plain({ body: { email: 'invited@example.com' } }),
  'revoke-invitation': {
    prepare: async (tenant) => ({ path: { invitation_id: await newInvitation(tenant, 'revoked@example.com') } }),
    consumes: true,
  },
  'accept-invitation': {
    prepare: async ({ service, send }, caller) => {
      const host = await newPerson(service, send);
      const tenant = { send, owner: host };
      return { body: { invitation_id: await newInvitation(tenant, caller.email ?? 'nobody@example.com') } };
    },
    consumes: true,
    perCaller: true,
  },
  'get-organization-usage': plain({ query: 'month=2026-01' }),
  'update-organization': plain({ body: { organization_name: 'renamed' } }),
  'list-credential-usage': plain({ query: 'limit=5' }),
  'list-value-usage': plain({ query: 'limit=5' }),
  'list-index-usage': plain({ query: 'limit=5' }),
  'list-usage-history': plain({ query: 'days=7' }),
  'list-daily-usage': plain({ query: 'limit=5' }),
  'list-audit-records': plain({ query: 'limit=5' }),
  'create-oauth-client': plain({ body: { name: 'client' } }),
  'list-oauth-clients': plain({ query: 'limit=5' }),
  'revoke-oauth-client': {
    prepare: async (tenant) => ({ path: { client_id: (await newClient(tenant)).client_id } }),
    consumes: true,
  },
  'issue-access-token': {
    prepare: async (tenant) => ({
      basic: basicOf(await once(tenant, 'client', () => newClient(tenant))),
      body: 'grant_type=client_credentials',
      contentType: 'application/x-www-form-urlencoded',
    }),
    open: 'takes the id and secret of an OAuth client: anything else is a 401 of RFC 6749, and it has no permission',
  },
  'get-authorization-server': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-authorization-page': {
    ...plain({ query: new URLSearchParams(authorizationRequest).toString() }),
    open: 'a page of the request of an application, which grants nothing: the person signs in there',
  },
  'get-authorization-request': {
    ...plain({ query: new URLSearchParams(authorizationRequest).toString() }),
    lacks: { status: 400, code: 'bad_request' },
  },
  'authorize-application': {
    ...plain({ body: { ...authorizationRequest, permissions: ['read'] } }),
    lacks: { status: 400, code: 'bad_request' },
  },
  'revoke-token': {
    ...plain({ body: 'token=svc_rt_unknown', contentType: 'application/x-www-form-urlencoded' }),
    open: 'takes the token that it ends, whatever credential comes with it',
  },
  mcp: plain({ body: mcpMessage }),
  'index-mcp': onIndex({ body: mcpMessage }),
  'get-root-metadata': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-mcp-metadata': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-index-mcp-metadata': { ...onIndex(), open: 'the same for everybody, whether the index exists or not' },
  'get-index-stats': onIndex(),
  'get-index-stats-history': onIndex({ query: 'days=3' }),
  'get-index-metrics': onIndex(),
  'cancel-file': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, job_id: await newJob(tenant) } }),
    consumes: true,
  },
  'delete-file': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, job_id: await newJob(tenant) } }),
    consumes: true,
  },
  'replace-file': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, job_id: await once(tenant, 'completed job', () => completedJob(tenant)) },
      body: upload,
    }),
  },
  'retry-file': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, job_id: await countedJob(tenant) } }),
    consumes: true,
  },
  'list-file-chunks': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, job_id: await once(tenant, 'completed job', () => completedJob(tenant)) },
    }),
  },
  'get-file-text': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, job_id: await once(tenant, 'completed job', () => completedJob(tenant)) },
    }),
  },
  'get-file-page': {
    prepare: async (tenant) => ({
      path: {
        index_id: tenant.indexId,
        job_id: await once(tenant, 'job with a page', () => pagedJob(tenant)),
        picture: '1.png',
      },
    }),
  },
  'download-file': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, job_id: await once(tenant, 'completed job', () => completedJob(tenant)) },
    }),
  },
  'create-import': {
    ...onIndex({ body: { provider: 'aws_s3', uri: 's3://contract-tests/notes.txt' } }),
    junk: {
      body: { provider: 'ftp', uri: 7, filename: 7 },
      locs: [
        ['body', 'provider'],
        ['body', 'filename'],
      ],
    },
  },
  'create-crawl-job': onIndex({ body: { url: 'https://site.invalid/' } }),
  'create-crawl-schedule': onIndex({ body: { url: 'https://site.invalid/', interval_hours: 24 } }),
  'list-crawl-schedules': onIndex(),
  'get-crawl-schedule': onSchedule(),
  'update-crawl-schedule': onSchedule({ body: { paused: true } }),
  'delete-crawl-schedule': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, schedule_id: await newSchedule(tenant) } }),
    consumes: true,
  },
  'put-source-credentials': {
    prepare: () => Promise.resolve({ path: { source_credentials: 'documents' }, body: storedCredentials }),
    createsNamed: 'alone',
  },
  'list-source-credentials': plain(),
  'delete-source-credentials': {
    prepare: async (tenant) => ({ path: { source_credentials: await newSourceCredentials(tenant) } }),
    consumes: true,
  },
  'list-crawl-jobs': onIndex({ query: 'limit=5' }),
  'get-crawl-job': onCrawl(),
  'list-skipped-pages': onCrawl(),
  'cancel-crawl-job': { ...onCrawl(), consumes: true },
  'list-connectors': onIndex(),
  'create-connector': {
    ...onIndex({ body: notion }),
    junk: {
      body: { provider: 'ftp', name: 7 },
      locs: [
        ['body', 'provider'],
        ['body', 'name'],
      ],
    },
  },
  'authorize-connector': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, provider: 'notion' }, body: { name: 'wiki' } }),
    lacks: { status: 409, code: 'conflict' },
  },
  'complete-connector': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId, provider: 'notion' },
      body: { confirmation_code: 'unknown' },
    }),
    lacks: { status: 400, code: 'bad_request' },
  },
  'return-from-consent': {
    ...plain({ query: 'state=unknown&code=unknown' }),
    lacks: { status: 400, code: 'bad_request' },
    open: 'where a provider sends people back to: what it opens is bound to its state, whatever credential comes with it',
  },
  'create-custom-api-connector': onIndex({ body: customApi }),
  'get-connector': onConnector(),
  'update-connector': onConnector({ body: { name: 'renamed', sync_interval_minutes: 15 } }),
  'list-connector-choices': { ...onConnector({ query: 'q=wiki' }), lacks: { status: 503, code: 'unavailable' } },
  'list-connector-syncs': onConnector({ query: 'limit=5' }),
  'list-unread-items': onConnector({ query: 'limit=5' }),
  'sync-connector': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, connection_id: await newConnector(tenant) } }),
  },
  'update-connector-scope': onConnector({ body: { notion_pages: ['page'] } }),
  'reconnect-connector': onConnector({ body: { provider: 'notion', credentials: notion.credentials } }),
  'pause-connector': onConnector(),
  'resume-connector': onConnector(),
  'delete-connector': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, connection_id: await newConnector(tenant) } }),
    consumes: true,
  },
  'list-plans': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'list-formats': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-health': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-deep-health': plain(),
  'get-openapi': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-docs': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-console-page': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-console-file': {
    prepare: async () => ({ path: { file: await findConsoleScript() } }),
    open: 'the same for everybody, whatever credential comes with it',
  },
  'get-guides': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-guides-file': {
    ...plain({ path: { file: 'filter.html' } }),
    open: 'the same for everybody, whatever credential comes with it',
  },
  'get-docs-file': {
    ...plain({ path: { file: 'page.css' } }),
    open: 'the same for everybody, whatever credential comes with it',
  },
};
