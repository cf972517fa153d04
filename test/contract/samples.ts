import { eventually } from '../support/eventually.ts';
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
  type Place,
} from './support/world.ts';

/** A request that succeeds, without its credential. */
export interface Prepared {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** Of a body that is no JSON. */
  readonly contentType?: string;
  /** Instead of the caller's own. */
  readonly bearer?: string;
  /** Instead of any bearer: user and password of HTTP Basic, in base64. */
  readonly basic?: string;
  /** What that bearer is restricted to. */
  readonly indexIds?: readonly string[];
}

/** How an endpoint is called with success. */
export interface Sample {
  /**
   * Makes what the request is about in an organization, as its owner.
   * @param caller who will call.
   */
  readonly prepare: (place: Place, caller: Caller) => Promise<Prepared>;
  /** A success uses up what was made. */
  readonly consumes?: true;
  /** The request is about its caller, so that each gets one of their own. */
  readonly perCaller?: true;
  /** Permissions that the request hands on: a caller who lacks one is refused with `forbidden`. */
  readonly grants?: readonly ('read' | 'write')[];
  /** Whether it makes an index, which a caller who is restricted to indexes may not. */
  readonly makesIndex?: true;
  /** A bad body with the places of all its problems, where the one made from the schema would not do. */
  readonly junk?: { readonly body: unknown; readonly locs: readonly (readonly (string | number)[])[] };
  /** What comes of a good request on one machine, where that is no success: what it takes is not there. */
  readonly lacks?: { readonly status: number; readonly code: string };
  /** Why an endpoint is open to callers without a credential of the service, and what stands in for their cases. */
  readonly open?: string;
}

const made = new WeakMap<Place, Map<string, Promise<unknown>>>();

/** Makes something once for each place. */
const once = <Made>(place: Place, name: string, make: () => Promise<Made>): Promise<Made> => {
  const things = made.get(place) ?? new Map<string, Promise<unknown>>();
  made.set(place, things);
  const known = (things.get(name) as Promise<Made> | undefined) ?? make();
  things.set(name, known);
  return known;
};

const asOwner = ({ send, owner }: Place, method: string, url: string, body?: unknown): Promise<Body> =>
  ask(send, owner.bearer, method, url, body);

const upload = { filename: 'notes.txt', content_type: 'text/plain' };

const newJob = async (place: Place): Promise<string> =>
  (await asOwner(place, 'POST', `/v1/indexes/${place.indexId}/files`, upload)).id;

const newKeyId = async (place: Place): Promise<string> =>
  (await asOwner(place, 'POST', '/v1/api-keys', { name: 'k' })).id;

const newWebhook = async (place: Place): Promise<string> =>
  (await asOwner(place, 'POST', '/v1/organization/webhooks/endpoints', { url: 'https://example.com/hooks' })).id;

/** The event that an index has been made. */
const firstEvent = async (place: Place): Promise<string> => {
  const { events } = await eventually(
    () => asOwner(place, 'GET', '/v1/organization/webhooks/events?limit=1'),
    (history) => history.events.length > 0,
  );
  return events[0].id;
};

const newInvitation = async (place: Pick<Place, 'send' | 'owner'>, email: string): Promise<string> =>
  (await ask(place.send, place.owner.bearer, 'POST', '/v1/organization/invitations', { email })).id;

/** A job whose file has been processed. */
const completedJob = async (place: Place): Promise<string> => {
  const files = `/v1/indexes/${place.indexId}/files`;
  const job = await asOwner(place, 'POST', files, upload);
  const put = await fetch(job.upload_url, { method: 'PUT', headers: job.upload_headers, body: 'Apples and pears.' });
  if (!put.ok) throw new Error(`upload refused: ${put.status} ${await put.text()}`);
  await eventually(
    () => asOwner(place, 'GET', `${files}/${job.id}`),
    ({ status }) => status === 'completed',
  );
  return job.id;
};

const notion = { provider: 'notion', name: 'wiki', credentials: { token: 'ntn_0123456789abcdef' } };

const customApi = {
  name: 'articles',
  base_url: 'https://example.com',
  auth: { type: 'none' },
  list: { path: '/articles', items: '/items' },
  item: { id: '/id', title: '/title', text: '/text', updated_at: '/updated_at' },
};

/** A connector whose scope is chosen, so that it can be paused and resumed. */
const newConnector = async (place: Place): Promise<string> => {
  const connectors = `/v1/indexes/${place.indexId}/connectors`;
  const { id } = await asOwner(place, 'POST', connectors, notion);
  await asOwner(place, 'PUT', `${connectors}/${id}/scope`, { notion_pages: ['page'] });
  return id;
};

/** Token of one more session of a person. */
const openSession = async ({ service, send }: Place, email: string): Promise<string> =>
  (await ask(send, await service.idToken(email), 'POST', '/v1/auth/bootstrap')).session_token;

/** One more session of the caller, or of the owner of a place that is not the caller's. */
const newSession = async (place: Place, caller: Caller): Promise<string> => {
  const isOwn = caller.organizationId === place.organizationId && caller.email !== null;
  const token = await openSession(place, isOwn ? (caller.email ?? '') : place.owner.email);
  const sessions: Body = await ask(place.send, token, 'GET', '/v1/auth/sessions');
  return sessions.find(({ current }: { current: boolean }) => current).id;
};

/** A request that needs nothing but its caller. */
const plain = (prepared: Prepared = {}): Sample => ({ prepare: async () => prepared });

/** A request to the index of the place. */
const onIndex = (prepared: Prepared = {}): Sample => ({
  prepare: async (place) => ({ path: { index_id: place.indexId }, ...prepared }),
});

/** A request to a branch of the place's index, with a key of its own for a caller who is restricted to indexes. */
const onBranch = (prepared: Prepared = {}): Sample => ({
  prepare: async (place, caller) => {
    const branches = `/v1/indexes/${place.indexId}/branches`;
    const index_id: string = await once(place, 'branch', async () => {
      return (await asOwner(place, 'POST', branches, { name: 'branch' })).id;
    });
    if (!(caller.indexIds?.includes(place.indexId) ?? false)) return { path: { index_id }, ...prepared };
    const { token } = await newKey(place, { index_ids: [index_id] });
    return { path: { index_id }, bearer: token, indexIds: [index_id], ...prepared };
  },
  perCaller: true,
});

/** A request to a file job that awaits its upload. */
const onJob = (prepared: Prepared = {}): Sample => ({
  prepare: async (place) => ({
    path: { index_id: place.indexId, job_id: await once(place, 'job', () => newJob(place)) },
    ...prepared,
  }),
});

/** A request to a connector with a scope. */
const onConnector = (prepared: Prepared = {}): Sample => ({
  prepare: async (place) => ({
    path: {
      index_id: place.indexId,
      connection_id: await once(place, 'connector', () => newConnector(place)),
    },
    ...prepared,
  }),
});

/** A request to a webhook endpoint. */
const onWebhook = (prepared: Prepared = {}): Sample => ({
  prepare: async (place) => ({
    path: { endpoint_id: await once(place, 'webhook', () => newWebhook(place)) },
    ...prepared,
  }),
});

/** A request to a fresh crawl job. */
const onCrawl = (): Sample => ({
  prepare: async (place) => {
    const crawls = `/v1/indexes/${place.indexId}/crawl-jobs`;
    const { id } = await asOwner(place, 'POST', crawls, { url: 'https://site.invalid/' });
    return { path: { index_id: place.indexId, crawl_id: id } };
  },
});

const rows = [
  { id: 'a', vector: [1, 0, 0], text: 'apples', metadata: { lang: 'en' } },
  { id: 'b', text: 'pears' },
];

/** One sample for each endpoint, by its id. */
export const samples: Readonly<Record<string, Sample>> = {
  bootstrap: {
    prepare: async ({ service, owner }) => ({ bearer: await service.idToken(owner.email) }),
    open: 'takes an ID token: a missing one and every credential of the service are a 401, and it has no permission',
  },
  'list-sessions': plain({ query: 'limit=5' }),
  'end-session': {
    prepare: async (place, { email }) => (email === null ? {} : { bearer: await openSession(place, email) }),
    consumes: true,
    perCaller: true,
  },
  'end-one-session': {
    prepare: async (place, caller) => ({ path: { session_id: await newSession(place, caller) } }),
    consumes: true,
    perCaller: true,
  },
  'get-organization': plain(),
  'create-api-key': { ...plain({ body: { name: 'k', permissions: ['write'] } }), grants: ['write'] },
  'list-api-keys': plain(),
  'revoke-api-key': {
    prepare: async (place) => ({ path: { key_id: await newKeyId(place) } }),
    consumes: true,
  },
  'list-regions': plain(),
  'create-index': { ...plain({ body: { name: 'i', dimensions: 3 } }), makesIndex: true },
  'list-indexes': plain({ query: 'limit=5' }),
  'get-index': onIndex(),
  'update-index': onIndex({ body: { name: 'renamed' } }),
  'delete-index': {
    prepare: async (place, caller) => {
      const index_id = await newIndex(place.send, place.owner.bearer);
      // The index that the restricted key stands on has to live on: another key of its kind takes its part.
      if (!(caller.indexIds?.includes(place.indexId) ?? false)) return { path: { index_id } };
      const { token } = await newKey(place, { index_ids: [index_id] });
      return { path: { index_id }, bearer: token, indexIds: [index_id] };
    },
    consumes: true,
    perCaller: true,
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
  'delete-vectors': onIndex({ body: { filter: { lang: 'xx' } } }),
  'dense-search': onIndex({ body: { vector: [1, 0, 0], top_k: 2 } }),
  'sparse-search': onIndex({ body: { text: 'apples' } }),
  'hybrid-search': onIndex({
    body: { text: 'apples', vector: [1, 0, 0], include: ['text', 'metadata', 'scores', 'explanation'] },
  }),
  'measure-recall': onIndex({ body: { queries: 2, top_k: 2 } }),
  'list-events': plain({ query: 'limit=5&offset=0' }),
  'create-webhook-endpoint': plain({ body: { url: 'https://example.com/hooks' } }),
  'list-webhook-endpoints': plain(),
  'update-webhook-endpoint': onWebhook({ body: { description: 'changed' } }),
  'rotate-webhook-secret': {
    // Each its own, since a secret can be replaced a few times a day.
    prepare: async (place) => ({ path: { endpoint_id: await newWebhook(place) } }),
    consumes: true,
  },
  'test-webhook-endpoint': onWebhook(),
  'list-webhook-deliveries': onWebhook({ query: 'limit=5' }),
  'replay-one-event': {
    prepare: async (place) => ({ path: { event_id: await once(place, 'event', () => firstEvent(place)) }, body: {} }),
  },
  'replay-events': plain({ body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' } }),
  'delete-webhook-endpoint': {
    prepare: async (place) => ({ path: { endpoint_id: await newWebhook(place) } }),
    consumes: true,
  },
  'list-organizations': plain(),
  'complete-onboarding': plain({
    body: { organization_name: 'Contract', use_case: 'tests', expected_vectors: '1000', default_region: 'us-east-1' },
  }),
  'list-members': plain(),
  'update-member': {
    prepare: async (place) => ({
      path: { user_id: (place.member ?? (await once(place, 'member', () => newMember(place)))).userId },
      body: { role: 'member' },
    }),
  },
  'remove-member': {
    prepare: async (place) => ({ path: { user_id: (await newMember(place)).userId } }),
    consumes: true,
  },
  'list-invitations': plain({ query: 'limit=5' }),
  // One address each, so that the limit of members holds.
  'create-invitation': plain({ body: { email: 'invited@example.com' } }),
  'revoke-invitation': {
    prepare: async (place) => ({ path: { invitation_id: await newInvitation(place, 'revoked@example.com') } }),
    consumes: true,
  },
  'accept-invitation': {
    prepare: async ({ service, send }, caller) => {
      const host = await newPerson(service, send);
      const place = { send, owner: host };
      return { body: { invitation_id: await newInvitation(place, caller.email ?? 'nobody@example.com') } };
    },
    consumes: true,
    perCaller: true,
  },
  'get-organization-usage': plain({ query: 'month=2026-01' }),
  'create-oauth-client': plain({ body: { name: 'client' } }),
  'list-oauth-clients': plain({ query: 'limit=5' }),
  'revoke-oauth-client': {
    prepare: async (place) => ({ path: { client_id: (await newClient(place)).client_id } }),
    consumes: true,
  },
  'issue-access-token': {
    prepare: async (place) => ({
      basic: basicOf(await once(place, 'client', () => newClient(place))),
      body: 'grant_type=client_credentials',
      contentType: 'application/x-www-form-urlencoded',
    }),
    open: 'takes the id and secret of an OAuth client: anything else is a 401 of RFC 6749, and it has no permission',
  },
  'get-index-stats': onIndex(),
  'get-index-stats-history': onIndex({ query: 'days=3' }),
  'cancel-file': {
    prepare: async (place) => ({ path: { index_id: place.indexId, job_id: await newJob(place) } }),
    consumes: true,
  },
  'delete-file': {
    prepare: async (place) => ({ path: { index_id: place.indexId, job_id: await newJob(place) } }),
    consumes: true,
  },
  'replace-file': {
    prepare: async (place) => ({
      path: { index_id: place.indexId, job_id: await once(place, 'completed job', () => completedJob(place)) },
      body: upload,
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
    prepare: async (place) => ({ path: { index_id: place.indexId, provider: 'notion' }, body: { name: 'wiki' } }),
    lacks: { status: 409, code: 'conflict' },
  },
  'complete-connector': {
    prepare: async (place) => ({
      path: { index_id: place.indexId, provider: 'notion' },
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
  'update-connector-scope': onConnector({ body: { notion_pages: ['page'] } }),
  'reconnect-connector': onConnector({ body: { provider: 'notion', credentials: notion.credentials } }),
  'pause-connector': onConnector(),
  'resume-connector': onConnector(),
  'delete-connector': {
    prepare: async (place) => ({ path: { index_id: place.indexId, connection_id: await newConnector(place) } }),
    consumes: true,
  },
  'list-plans': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'list-formats': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-health': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-deep-health': plain(),
  'get-openapi': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-docs': { ...plain(), open: 'the same for everybody, whatever credential comes with it' },
  'get-docs-file': {
    ...plain({ path: { file: 'page.css' } }),
    open: 'the same for everybody, whatever credential comes with it',
  },
};
