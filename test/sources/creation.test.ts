import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createConnector } from '../../functions/connectors/create.ts';
import { createCustomApiConnector } from '../../functions/connectors/create-custom-api.ts';
import { createCrawlJob } from '../../functions/crawls/create.ts';
import { createImport } from '../../functions/imports/create.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { newId } from '../../shared/kernel/ids.ts';
import type { TableName } from '../../shared/kernel/names.ts';
import { unseal } from '../../shared/kernel/seal.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { call, machine } from '../support/call.ts';
import { assertIdempotentCreation } from '../support/idempotent-creation.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const repeats = 10;
/** Every so many-th request is a point to die at. */
const step = Number(process.env['FAULT_STEP'] ?? 35);
const token = 'hunter2-Hunter2-hunter2';

const writer = (): Principal => machine(newId('org', cloud.runtime.clock.now()));

interface Scene {
  readonly endpoint: Endpoint;
  readonly body: unknown;
  /** Tables that hold one item for each thing that was made. */
  readonly tables: readonly TableName[];
  /** Table item with the sealed credentials and its context; null for endpoints without credentials. */
  readonly sealed: {
    readonly table: TableName;
    readonly attribute: string;
    readonly context: (pk: string, sk: string) => object;
  } | null;
}

const ofConnection = {
  table: 'connectors',
  attribute: 'source',
  context: (pk, sk) => ({ organizationId: pk.split('#')[1], indexId: pk.split('#')[2], connectionId: sk }),
} as const satisfies Scene['sealed'];

const articles = {
  name: 'Articles',
  base_url: 'https://api.example.com',
  auth: { type: 'bearer', token },
  list: { path: '/articles', items: '/data' },
  item: { id: '/id', text: '/body' },
};

const scenes: readonly Scene[] = [
  {
    endpoint: createImport,
    body: {
      provider: 'azure_blob',
      uri: 'https://account.blob.core.windows.net/docs/a.pdf',
      credentials: { sas_token: `sig=${token}` },
    },
    tables: ['files', 'imports', 'secrets'],
    sealed: { table: 'imports', attribute: 'credentials', context: (pk, sk) => ({ pk, sk }) },
  },
  { endpoint: createCrawlJob, body: { url: 'https://example.com' }, tables: ['crawls'], sealed: null },
  {
    endpoint: createCrawlJob,
    body: { url: 'https://example.com', headers: { authorization: `Bearer ${token}` } },
    tables: ['crawls', 'secrets'],
    sealed: { table: 'crawls', attribute: 'headers', context: (pk, sk) => ({ pk, sk }) },
  },
  {
    endpoint: createConnector,
    body: { provider: 'notion', credentials: { token } },
    tables: ['connectors', 'secrets'],
    sealed: ofConnection,
  },
  {
    endpoint: createCustomApiConnector,
    body: articles,
    tables: ['connectors', 'secrets'],
    sealed: ofConnection,
  },
];

/** Exactly one thing was made, its parts belong together, and its source opens. */
const assertOne = async (
  { tables, sealed }: Scene,
  caller: Principal,
  index: string,
  answer: string,
): Promise<void> => {
  const { id } = JSON.parse(answer) as { id: string };
  const pk = `INDEX#${caller.organizationId}#${index}`;
  for (const table of tables) {
    const { items } = await openTable(cloud.runtime, table).query(pk);
    assert.deepEqual(
      items.map(({ sk }) => sk),
      [id],
      table,
    );
  }
  if (sealed === null) return;
  const record = await openTable(cloud.runtime, sealed.table).get({ pk, sk: id });
  const secret = await openTable(cloud.runtime, 'secrets').get({ pk, sk: id });
  const key = Buffer.from(secret?.['key'] as string, 'base64');
  const opened = unseal(record?.[sealed.attribute] as string, key, JSON.stringify(sealed.context(pk, id)));
  assert.ok(opened.includes(token));
};

it('a local URL is rejected unless allowed, together with all other problems', async () => {
  const caller = writer();
  const path = { index_id: await putReadyIndex(cloud.runtime, caller.organizationId) };
  const body = { ...articles, name: '', base_url: 'http://localhost:8080/v2' };
  const answersWhere = async (allowLocalWebhooks: boolean) => {
    const runtime = { ...cloud.runtime, config: { ...cloud.runtime.config, allowLocalWebhooks } };
    const answer = await call(runtime, createCustomApiConnector, caller, { path, body });
    const { detail } = answer.body as { readonly detail: readonly { readonly loc: readonly string[] }[] };
    return [answer.status, detail.map(({ loc }) => loc.at(-1))];
  };
  assert.deepEqual(await answersWhere(false), [422, ['name', 'base_url']]);
  assert.deepEqual(await answersWhere(true), [422, ['name']]);
});

describe('creations with an Idempotency-Key', { concurrency: false }, () => {
  for (const scene of scenes) {
    const { endpoint, body } = scene;
    it(`creates everything once although the request crashes: ${endpoint.id}`, async (t) => {
      const points = await assertIdempotentCreation({
        cloud,
        endpoint,
        body,
        repeats,
        step,
        newCaller: writer,
        arrange: async ({ organizationId }) => ({ index_id: await putReadyIndex(cloud.runtime, organizationId) }),
        check: (caller, path, answer) => assertOne(scene, caller, path['index_id'] ?? '', answer),
      });
      t.diagnostic(`${points} crash points`);
    });
  }
});
