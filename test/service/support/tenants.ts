import assert from 'node:assert/strict';
import { endpoints } from '../../../functions/registry.ts';
import { type Endpoint, needsPrincipal } from '../../../shared/http/endpoint.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { readConfig } from '../../../shared/kernel/config.ts';
import { silentLogger } from '../../../shared/kernel/log.ts';
import { openOrganizations } from '../../../shared/organizations/index.ts';
import { ask, type Body, headersOf, newIndex, newPerson } from '../../contract/support/fixture.ts';
import type { ContractService, Send } from '../../contract/support/service.ts';
import { eventually } from '../../support/eventually.ts';

/** Names of the two tenants. Each occurs in everything that belongs to its tenant, and in nothing else. */
const names = ['crimson', 'azure'] as const;
type Name = (typeof names)[number];

const otherOf = (name: Name): Name => (name === 'crimson' ? 'azure' : 'crimson');

interface StoredRow {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Tenant among the rows of one index, with what its key should see. */
interface Tenant {
  readonly name: Name;
  readonly keyId: string;
  readonly token: string;
  /** Rows by id, as the tenant has written them. */
  readonly rows: Map<string, StoredRow>;
  readonly jobIds: string[];
  readonly exportIds: string[];
  readonly fileIds: string[];
}

/** Organization with an index that two tenants share, each with a key of its own. */
export interface SharedIndex {
  readonly send: Send;
  readonly owner: string;
  readonly indexId: string;
  readonly tenants: Readonly<Record<Name, Tenant>>;
}

/** Returns a generator of numbers from 0 to 1, the same for the same seed. */
const numbersOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const topics = ['tea', 'rail', 'stone', 'wind'];

const rowsOf = (name: Name, count: number, next: () => number): readonly Body[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${name}:${at}`,
    vector: [next() + 0.1, next(), next()],
    text: `${name} keeps ${topics[at % topics.length]} number ${at}`,
    metadata: { topic: topics[at % topics.length], year: 2000 + (at % 20), owner: `${name} ${at % 3}` },
  }));

const stored = (rows: readonly Body[]): Map<string, StoredRow> =>
  new Map(rows.map(({ id, metadata }) => [id as string, { metadata }]));

/** Uploads a text and waits for its rows. */
const uploadText = async (send: Send, bearer: string, indexId: string, filename: string, metadata: object) => {
  const files = `/v1/indexes/${indexId}/files`;
  const text = `The notes of ${filename}. `.repeat(20);
  const begun = await ask(send, bearer, 'POST', files, { filename, content_type: 'text/plain', metadata });
  await fetch(begun.upload_url, { method: 'PUT', headers: begun.upload_headers, body: text });
  await eventually(
    () => ask(send, bearer, 'GET', `${files}/${begun.id}`),
    ({ status }: Body) => status === 'completed',
  );
  return begun.id as string;
};

const listAll = async (send: Send, bearer: string, indexId: string): Promise<readonly Body[]> => {
  const found: Body[] = [];
  let cursor = '';
  do {
    const url = `/v1/indexes/${indexId}/vectors?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, headers, text } = await send({ method: 'GET', url, headers: headersOf(bearer, null) });
    assert.equal(status, 200, text);
    found.push(...JSON.parse(text));
    cursor = headers['x-next-cursor'] ?? '';
  } while (cursor !== '');
  return found;
};

/** Creates an organization with an index, in which each of two tenants has rows and files. */
export const openSharedIndex = async (service: ContractService, send: Send, seed: number): Promise<SharedIndex> => {
  const next = numbersOf(seed);
  const { bearer: owner, organizationId } = await newPerson(service, send);
  const runtime = { config: readConfig(process.env), clock: systemClock, log: silentLogger };
  await openOrganizations(runtime).setPlan(organizationId, 'enterprise');
  const indexId = await newIndex(send, owner, 'shared by tenants');
  const open = async (name: Name): Promise<Tenant> => {
    const key = await ask(send, owner, 'POST', '/v1/api-keys', {
      name: `of ${name}`,
      index_ids: [indexId],
      filter: { tenant: name },
      id_prefix: `${name}:`,
    });
    await ask(send, key.token, 'POST', `/v1/indexes/${indexId}/vectors`, rowsOf(name, 60, next));
    const jobIds = [
      await uploadText(send, key.token, indexId, `${name}-own.txt`, { tenant: otherOf(name) }),
      await uploadText(send, owner, indexId, `${name}-given.txt`, { tenant: name }),
    ];
    const made = await ask(send, key.token, 'POST', `/v1/indexes/${indexId}/exports`, { vectors: 'omit' });
    const form = new FormData();
    form.set('purpose', 'assistants');
    form.set('file', new File([`${name} text`], `${name}-openai.txt`, { type: 'text/plain' }));
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const uploaded = await send({
      method: 'POST',
      url: '/v1/openai/files',
      headers: headersOf(key.token, request.headers.get('content-type')),
      body: new Uint8Array(await request.arrayBuffer()),
    });
    assert.equal(uploaded.status, 200, uploaded.text);
    const rows = stored(await listAll(send, key.token, indexId));
    return {
      name,
      keyId: key.id,
      token: key.token,
      rows,
      jobIds,
      exportIds: [made.id],
      fileIds: [JSON.parse(uploaded.text).id],
    };
  };
  const tenants = { crimson: await open('crimson'), azure: await open('azure') };
  const all = stored(await listAll(send, owner, indexId));
  for (const tenant of Object.values(tenants)) {
    const own = [...all].filter(([, { metadata }]) => metadata['tenant'] === tenant.name);
    assert.deepEqual(new Set(tenant.rows.keys()), new Set(own.map(([id]) => id)));
    assert.ok(tenant.jobIds.every((id) => own.some(([row]) => row.startsWith(id))));
  }
  return { send, owner, indexId, tenants };
};

/** Request of a tenant, and what its response must be. */
interface Step {
  readonly method: string;
  readonly url: string;
  readonly body?: Body;
  /** Checks the response, beyond that it shows nothing of the other tenant. */
  readonly check?: (status: number, body: Body) => void;
}

/** Endpoints that refuse a key that is bound to rows. */
const refusing = (Object.values(endpoints) as readonly Endpoint[]).filter(
  ({ auth, routes }) => needsPrincipal(auth.needs) && auth.servesBound !== true && routes === undefined,
);

/** Writer of the random requests of one tenant. */
class Requests {
  readonly #shared: SharedIndex;
  readonly #own: Tenant;
  readonly #foreign: Tenant;
  readonly #next: () => number;
  #written = 0;

  constructor(shared: SharedIndex, name: Name, seed: number) {
    this.#shared = shared;
    this.#own = shared.tenants[name];
    this.#foreign = shared.tenants[otherOf(name)];
    this.#next = numbersOf(seed);
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  #chance(share: number): boolean {
    return this.#next() < share;
  }

  get #path(): string {
    return `/v1/indexes/${this.#shared.indexId}`;
  }

  get #vector(): readonly number[] {
    return [this.#next() + 0.1, this.#next(), this.#next()];
  }

  #ownId(): string {
    return this.#pick([...this.#own.rows.keys()]);
  }

  #foreignId(): string {
    return this.#chance(0.8) ? this.#pick([...this.#foreign.rows.keys()]) : `${this.#foreign.name}:absent`;
  }

  #filter(): Body {
    const foreign = { tenant: this.#foreign.name };
    return this.#pick<Body>([
      {},
      foreign,
      { $or: [foreign, { topic: this.#pick(topics) }] },
      { $not: { tenant: this.#own.name } },
      { tenant: { $in: [...names] } },
      { tenant: { $exists: true } },
      { $or: [{ tenant: { $ne: this.#own.name } }, { year: { $gte: 2010 } }] },
      { topic: this.#pick(topics) },
      { year: { $lt: 2000 + Math.floor(this.#next() * 20) } },
      { owner: `${this.#foreign.name} 1` },
    ]);
  }

  /** Rows of the tenant that have a topic. */
  #withTopic(topic: string): number {
    return [...this.#own.rows.values()].filter(({ metadata }) => metadata['topic'] === topic).length;
  }

  #ranking(): Body {
    return {
      top_k: this.#pick([1, 5, 200, 1_000]),
      ...(this.#chance(0.7) ? { filter: this.#filter() } : {}),
      include: this.#pick([
        ['text', 'metadata', 'vector', 'scores', 'explanation', 'usage', 'citation'],
        ['metadata'],
        ['explanation', 'text'],
        ['citation'],
      ]),
      ...(this.#chance(0.2) ? { highlight: {} } : {}),
      ...(this.#chance(0.2)
        ? { context: { before: 2, after: 2, unit: this.#pick(['chunk', 'heading', 'page', 'file']) } }
        : {}),
      ...(this.#chance(0.2) ? { exact: true } : {}),
      ...(this.#chance(0.2) ? { offset: this.#pick([1, 50]) } : {}),
      ...(this.#chance(0.2) ? { depth: this.#pick([1, 100, 1_000]) } : {}),
      ...(this.#chance(0.2) ? { diversity: 0.5 } : {}),
      ...(this.#chance(0.2) ? { group: { by: this.#pick(['topic', 'tenant', 'owner', 'document']) } } : {}),
      ...(this.#chance(0.3) ? { facets: [{ key: this.#pick(['tenant', 'topic', 'owner']) }, { key: 'year' }] } : {}),
    };
  }

  #search(): Step {
    const mode = this.#pick(['dense', 'sparse', 'hybrid']);
    const text = this.#pick([this.#foreign.name, `${this.#own.name} tea`, `"keeps stone" ${this.#foreign.name}`]);
    const body = {
      ...this.#ranking(),
      ...(mode === 'sparse' ? {} : { vector: this.#vector }),
      ...(mode === 'dense' ? {} : { text }),
    };
    if (this.#chance(0.1)) {
      const searches = [
        { mode, ...body },
        { mode: 'dense', vector: this.#vector, filter: this.#filter() },
      ];
      return { method: 'POST', url: `${this.#path}/search/batch`, body: { searches } };
    }
    return { method: 'POST', url: `${this.#path}/search/${mode}`, body };
  }

  #summary(): Step {
    const topic = this.#pick(topics);
    return this.#pick<Step>([
      {
        method: 'POST',
        url: `${this.#path}/vectors/count`,
        body: {},
        check: (status, { count }) => assert.deepEqual([status, count], [200, this.#own.rows.size]),
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/count`,
        body: { filter: { topic } },
        check: (status, { count }) => assert.deepEqual([status, count], [200, this.#withTopic(topic)]),
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/count`,
        body: { filter: { tenant: this.#foreign.name } },
        check: (status, { count }) => assert.deepEqual([status, count], [200, 0]),
      },
      {
        method: 'POST',
        url: `${this.#path}/metadata/values`,
        body: { key: 'tenant' },
        check: (status, { values }) =>
          assert.deepEqual([status, values], [200, [{ value: this.#own.name, count: this.#own.rows.size }]]),
      },
      {
        method: 'POST',
        url: `${this.#path}/metadata/values`,
        body: { key: this.#pick(['owner', 'topic', 'year']), filter: this.#filter() },
      },
      { method: 'POST', url: `${this.#path}/metadata/describe`, body: { filter: this.#filter() } },
      { method: 'POST', url: `${this.#path}/metadata/describe`, body: {} },
    ]);
  }

  #rows(): Step {
    const ids = [this.#ownId(), this.#foreignId(), this.#foreignId()];
    const foreignCursor = Buffer.from(this.#foreignId()).toString('base64url');
    return this.#pick<Step>([
      {
        method: 'POST',
        url: `${this.#path}/vectors/fetch`,
        body: { ids },
        check: (status, { vectors }) =>
          assert.deepEqual([status, vectors.map(({ id }: Body) => id)], [200, ids.slice(0, 1)]),
      },
      { method: 'POST', url: `${this.#path}/vectors/fetch`, body: { ids, filter: this.#filter() } },
      { method: 'GET', url: `${this.#path}/vectors?limit=${this.#pick([1, 7, 1_000])}` },
      { method: 'GET', url: `${this.#path}/vectors?limit=5&cursor=${foreignCursor}` },
      {
        method: 'GET',
        url: `${this.#path}/vectors?limit=3&include_vectors=true&filter=${encodeURIComponent(JSON.stringify(this.#filter()))}`,
      },
    ]);
  }

  #files(): Step {
    const [own, foreign] = [this.#pick(this.#own.jobIds), this.#pick(this.#foreign.jobIds)];
    const absent = (status: number): void => assert.equal(status, 404);
    const part = this.#pick(['', '/tasks', '/processing', '/chunks', '/download', '/text', '/text?format=text']);
    return this.#pick<Step>([
      {
        method: 'GET',
        url: `${this.#path}/files?limit=${this.#pick([1, 100])}`,
        check: (status, jobs) => {
          assert.equal(status, 200);
          assert.ok(jobs.every(({ id }: Body) => this.#own.jobIds.includes(id)));
        },
      },
      { method: 'GET', url: `${this.#path}/files?q=${this.#foreign.name}` },
      { method: 'GET', url: `${this.#path}/files/${own}${part}`, check: (status) => assert.equal(status, 200) },
      { method: 'GET', url: `${this.#path}/files/${foreign}${part}`, check: absent },
      { method: 'DELETE', url: `${this.#path}/files/${foreign}`, check: absent },
      { method: 'POST', url: `${this.#path}/files/${foreign}/${this.#pick(['cancel', 'retry'])}`, check: absent },
      {
        method: 'POST',
        url: `${this.#path}/files/${foreign}/replace`,
        body: { filename: 'a.txt', content_type: 'text/plain' },
        check: absent,
      },
    ]);
  }

  #exports(): Step {
    const foreign = this.#pick(this.#foreign.exportIds);
    return this.#pick<Step>([
      { method: 'GET', url: `${this.#path}/exports?limit=1` },
      { method: 'GET', url: `${this.#path}/exports/${this.#pick(this.#own.exportIds)}` },
      { method: 'GET', url: `${this.#path}/exports/${foreign}`, check: (status) => assert.equal(status, 404) },
      { method: 'DELETE', url: `${this.#path}/exports/${foreign}`, check: (status) => assert.equal(status, 404) },
    ]);
  }

  #mcp(): Step {
    const { indexId } = this.#shared;
    const [own, foreign] = [this.#pick(this.#own.jobIds), this.#pick(this.#foreign.jobIds)];
    const tool = (name: string, sent: Body) => ({ method: 'tools/call', params: { name, arguments: sent } });
    const message = this.#pick<Body>([
      tool('search', { query: this.#foreign.name, limit: 50 }),
      tool('search', { query: 'tea', filter: this.#filter() }),
      tool('list_documents', { limit: 1 }),
      tool('list_documents', { name: this.#foreign.name }),
      tool('fetch', { id: `${indexId}/${own}` }),
      tool('fetch', { id: `${indexId}/${foreign}` }),
      tool('fetch', { id: `${indexId}/${this.#foreignId()}` }),
      tool('delete_document', { id: `${indexId}/${foreign}` }),
      tool('describe_index', {}),
      tool('list_indexes', {}),
      { method: 'resources/list', params: {} },
      { method: 'resources/read', params: { uri: `strata://${indexId}/${foreign}` } },
      { method: 'tools/list', params: {} },
    ]);
    const url = this.#pick(['/v1/mcp', `${this.#path}/mcp`]);
    return { method: 'POST', url, body: { jsonrpc: '2.0', id: 1, ...message } };
  }

  #openai(): Step {
    const store = `/v1/openai/vector_stores/${this.#shared.indexId}`;
    const foreignFile = this.#pick(this.#foreign.fileIds);
    const foreignJob = this.#pick(this.#foreign.jobIds);
    const absent = (status: number): void => assert.equal(status, 404);
    return this.#pick<Step>([
      { method: 'POST', url: `${store}/search`, body: { query: this.#foreign.name, max_num_results: 50 } },
      {
        method: 'GET',
        url: store,
        check: (status, { file_counts: counts, usage_bytes: bytes }) =>
          assert.deepEqual([status, counts.total, bytes], [200, this.#own.jobIds.length, 0]),
      },
      { method: 'GET', url: '/v1/openai/vector_stores?limit=10' },
      { method: 'GET', url: `${store}/files?limit=1` },
      { method: 'GET', url: `${store}/files?order=asc` },
      { method: 'GET', url: `${store}/files/${foreignJob}`, check: absent },
      { method: 'GET', url: `${store}/files/${foreignJob}/content`, check: absent },
      { method: 'GET', url: `${store}/files/${this.#pick(this.#own.jobIds)}/content` },
      { method: 'DELETE', url: `${store}/files/${foreignJob}`, check: absent },
      { method: 'POST', url: `${store}/files`, body: { file_id: foreignFile }, check: absent },
      { method: 'GET', url: '/v1/openai/files?limit=10' },
      { method: 'GET', url: `/v1/openai/files/${foreignFile}`, check: absent },
      { method: 'GET', url: `/v1/openai/files/${foreignFile}/content`, check: absent },
      { method: 'DELETE', url: `/v1/openai/files/${foreignFile}`, check: absent },
    ]);
  }

  #refused(): Step {
    const { method, path } = this.#pick(refusing);
    const url = path
      .replace('{index_id}', this.#shared.indexId)
      .replace('{key_id}', this.#foreign.keyId)
      .replaceAll(/\{[^}]+\}/g, 'unknown');
    return {
      method,
      url,
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      check: (status) => assert.ok(status === 403 || status === 404, `${method} ${url} responded ${status}`),
    };
  }

  #meta(): Step {
    return this.#pick<Step>([
      {
        method: 'GET',
        url: '/v1/api-keys',
        check: (status, keys) => assert.deepEqual([status, keys.map(({ id }: Body) => id)], [200, [this.#own.keyId]]),
      },
      {
        method: 'GET',
        url: '/v1/organization/usage/credentials',
        check: (status, used) =>
          assert.deepEqual([status, used.map(({ credential_id: id }: Body) => id)], [200, [this.#own.keyId]]),
      },
      { method: 'GET', url: '/v1/indexes' },
      { method: 'GET', url: this.#path },
      { method: 'GET', url: `${this.#path}/files?cursor=bm9uZQ` },
      { method: 'POST', url: `${this.#path}/search/dense`, body: { vector: [1], filter: { $no: 1 }, top_k: 0 } },
    ]);
  }

  #write(): Step {
    const own = this.#own;
    const foreign = this.#foreignId();
    const topic = this.#pick(topics);
    this.#written += 1;
    const id = `${own.name}:new ${this.#written % 20}`;
    const patch = (status: number, body: Body): void => {
      assert.deepEqual([status, body.updated, body.missing], [200, 0, [foreign]]);
    };
    return this.#pick<Step>([
      {
        method: 'POST',
        url: `${this.#path}/vectors`,
        body: [{ id, vector: this.#vector, metadata: { topic, tenant: this.#foreign.name } }],
        check: (status) => {
          assert.equal(status, 200);
          own.rows.set(id, { metadata: { topic, tenant: own.name } });
        },
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors`,
        body: [
          { id, vector: this.#vector },
          { id: foreign, vector: this.#vector, if_version: this.#pick([null, 'rcp_x']) },
        ],
        check: (status, { detail }) =>
          assert.deepEqual([status, detail.map(({ loc }: Body) => loc)], [422, [['body', 1, 'id']]]),
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/update`,
        body: [{ id: foreign, metadata: { topic: 'taken' } }],
        check: patch,
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/update`,
        body: [{ id: foreign, metadata: { topic: 'taken' }, if_version: 'rcp_x' }],
        check: (status, { conflicts }) =>
          assert.deepEqual([status, conflicts], [409, [{ id: foreign, version: null }]]),
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/update`,
        body: [
          { id: this.#ownId(), metadata: { tenant: this.#pick<unknown>([this.#foreign.name, [...names], null]) } },
        ],
        check: (status) => assert.equal(status, 422),
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/update-by-filter`,
        body: { filter: { tenant: this.#foreign.name }, metadata: { topic: 'taken' } },
        check: (status, { updated }) => assert.deepEqual([status, updated], [200, 0]),
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/delete`,
        body: { ids: [foreign, id] },
        check: (status, { deleted }) => {
          assert.deepEqual([status, deleted], [200, own.rows.delete(id) ? 1 : 0]);
        },
      },
      {
        method: 'POST',
        url: `${this.#path}/vectors/delete`,
        body: { filter: { $or: [{ tenant: this.#foreign.name }, { topic: 'none' }] } },
        check: (status, { deleted }) => assert.deepEqual([status, deleted], [200, 0]),
      },
    ]);
  }

  /** Returns the next request. */
  step(): Step {
    const number = this.#next();
    if (number < 0.02) return this.#write();
    if (number < 0.4) return this.#search();
    if (number < 0.55) return this.#summary();
    if (number < 0.7) return this.#rows();
    if (number < 0.82) return this.#files();
    if (number < 0.86) return this.#exports();
    if (number < 0.88) return this.#mcp();
    if (number < 0.92) return this.#openai();
    if (number < 0.96) return this.#refused();
    return this.#meta();
  }
}

/** Returns what a response shows of a tenant, apart from what its request has named. */
const shownOf = ({ name, jobIds, exportIds, fileIds, keyId }: Tenant, response: string, sent: string): string[] => {
  const named = new Set(sent.match(/[\w:.-]+/g));
  const words = response.match(/[\w:.-]+/g) ?? [];
  const ids = [...jobIds, ...exportIds, ...fileIds, keyId];
  return words.filter((word) => !named.has(word) && (word.includes(name) || ids.some((id) => word.includes(id))));
};

/** Runs random requests of both tenants, each with its own key, and throws if a response is not as it should be. */
export const runTenants = async (
  shared: SharedIndex,
  seed: number,
  count: number,
  onStatus: (status: number) => void = () => {},
): Promise<void> => {
  const { send, tenants } = shared;
  const run = async (name: Name): Promise<void> => {
    const requests = new Requests(shared, name, seed + names.indexOf(name));
    for (let done = 0; done < count; done += 1) {
      const { method, url, body, check } = requests.step();
      const sent = body === undefined ? '' : JSON.stringify(body);
      const headers = headersOf(tenants[name].token, body === undefined ? null : 'application/json');
      const answer = await send({ method, url, headers, ...(body === undefined ? {} : { body: sent }) });
      onStatus(answer.status);
      const { text } = answer;
      try {
        assert.ok(answer.status < 500, 'the service failed');
        const cursor = Buffer.from(answer.headers['x-next-cursor'] ?? '', 'base64url').toString();
        const shown = shownOf(
          tenants[otherOf(name)],
          `${JSON.stringify(answer.headers)} ${cursor} ${text}`,
          `${url} ${sent}`,
        );
        assert.deepEqual(shown, []);
        check?.(answer.status, text === '' ? null : JSON.parse(text));
      } catch (error) {
        throw new Error(
          `seed ${seed}, request ${done} of ${name}: ${method} ${url} ${sent}\n${answer.status} ${text.slice(0, 2_000)}`,
          {
            cause: error,
          },
        );
      }
    }
  };
  await Promise.all(names.map(run));
  const left = stored(await listAll(send, shared.owner, shared.indexId));
  for (const { name, rows } of Object.values(tenants)) {
    const own = [...left].filter(([, { metadata }]) => metadata['tenant'] === name);
    assert.deepEqual(new Set(own.map(([id]) => id)), new Set(rows.keys()));
    for (const [id, { metadata }] of own) assert.deepEqual(metadata, rows.get(id)?.metadata);
  }
};
