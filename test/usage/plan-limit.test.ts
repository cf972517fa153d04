import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { listApiKeys } from '../../functions/api-keys/list.ts';
import { createConnector } from '../../functions/connectors/create.ts';
import { listConnectors } from '../../functions/connectors/list.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { listIndexes } from '../../functions/indexes/list.ts';
import { createInvitation } from '../../functions/invitations/create.ts';
import { listInvitations } from '../../functions/invitations/list.ts';
import { createWebhookEndpoint } from '../../functions/webhooks/create.ts';
import { listWebhookEndpoints } from '../../functions/webhooks/list.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import type { LimitKey } from '../../shared/kernel/plans.ts';
import { organizationsWrite } from '../../shared/organizations/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { call, callOk, person } from '../support/call.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { randomFrom } from '../support/random.ts';

const cloud = new Cloud();
const allow = changeLimits({ after });
/** So few that a round is soon at a limit. */
const room = 2;
before(async () => {
  await cloud.start();
  allow({ indexes: room, api_keys: room, webhook_endpoints: room, members: room + 1 });
});
after(() => cloud.stop());

interface Kind {
  readonly limit: LimitKey;
  readonly create: Endpoint;
  readonly list: Endpoint;
  readonly body: (name: string) => unknown;
}

const kinds: readonly Kind[] = [
  {
    limit: 'indexes',
    create: createIndex,
    list: listIndexes,
    body: (name) => ({ name, dimensions: 8 }),
  },
  {
    limit: 'members',
    create: createInvitation,
    list: listInvitations,
    body: (name) => ({ email: `${name}@example.com` }),
  },
  {
    limit: 'webhook_endpoints',
    create: createWebhookEndpoint,
    list: listWebhookEndpoints,
    body: (name) => ({ url: `https://example.com/${name}` }),
  },
  {
    limit: 'api_keys',
    create: createApiKey,
    list: listApiKeys,
    body: (name) => ({ name }),
  },
];

/** The owner of an organization of their own, in which they take the one place that is not left for others. */
const newOwner = async (): Promise<Principal> => {
  const { organizations } = makeDeps({ organizations: organizationsWrite }, cloud.runtime);
  const email = `${randomUUID()}@example.com`;
  const { memberships } = await organizations.signIn({ issuer: 'i', subject: email, email, name: '' });
  return person(memberships[0]?.organizationId ?? '', 'owner');
};

/** Names of requests of a round, each as often as it is repeated: twins beside competitors. */
const requestsOf = (round: number): readonly string[] =>
  ['a', 'b', 'c', 'd']
    .slice(0, 2 + (round % 3))
    .flatMap((name, at) => Array.from({ length: at === 0 ? 5 : 1 + ((round + at) % 2) }, () => name));

/** `npm run test:faults` plays more of them. */
const rounds = process.env['FAULT_STEP'] === '1' ? 100 : 4;

describe('requests and their repeats, all at once near a limit of the plan', { concurrency: false }, () => {
  for (const { limit, create, list, body } of kinds) {
    it(`report success exactly for what exists afterwards, which is as much as the plan allows: ${limit}`, async () => {
      const most = limit === 'members' ? room + 1 : room;
      const allowed = { code: 'plan_limit_reached', limit: most, current: most };
      for (let round = 0; round < rounds; round += 1) {
        const owner = await newOwner();
        if (round % 2 === 0) await callOk(cloud.runtime, create, owner, { body: body('first') });
        cloud.turns.shuffle(randomFrom(round));
        const answers = await Promise.all(
          requestsOf(round).map((name) =>
            call(cloud.runtime, create, owner, { body: body(name), idempotencyKey: name }),
          ),
        );
        cloud.turns.shuffle(null);
        const told = `round ${round}: ${answers.map(({ status }) => status).join(' ')}`;
        assert.ok(
          answers.every(({ status }) => status === 201 || status === 402),
          told,
        );
        const refused = answers.filter(({ status }) => status === 402);
        for (const { body: refusal } of refused) assert.partialDeepStrictEqual(refusal, allowed);
        const { body: listed } = await call(cloud.runtime, list, owner);
        const there = new Set((listed as readonly { readonly id: string }[]).map(({ id }) => id));
        const made = answers.filter(({ status }) => status === 201);
        for (const answer of made) assert.ok(there.has((answer.body as { readonly id: string }).id), told);
        const others = round % 2 === 0 ? 1 : 0;
        assert.equal(there.size, new Set(made.map((answer) => (answer.body as { id: string }).id)).size + others, told);
        assert.equal(there.size, room, told);
      }
    });
  }
});

describe('connectors, all at once near the limit of an index', () => {
  it('report success exactly for what exists afterwards, which is no more than the limit', async () => {
    const owner = await newOwner();
    const index = await callOk(cloud.runtime, createIndex, owner, { body: { name: 'sources', dimensions: 8 } });
    const path = { index_id: String(index['id']) };
    const body = { provider: 'slack', name: 'Chat', credentials: { token: 'xoxb-1' } };
    const connect = () => call(cloud.runtime, createConnector, owner, { path, body });
    const first = await Promise.all(Array.from({ length: 98 }, connect));
    assert.ok(first.every(({ status }) => status === 201));
    cloud.turns.shuffle(randomFrom(1));
    const answers = await Promise.all(Array.from({ length: 8 }, connect));
    cloud.turns.shuffle(null);
    const told = answers.map(({ status }) => status);
    assert.ok(told.every((status) => status === 201 || status === 409));
    const made = [...first, ...answers].filter(({ status }) => status === 201);
    const { connectors } = (await callOk(cloud.runtime, listConnectors, owner, { path })) as {
      readonly connectors: readonly { readonly id: string }[];
    };
    const ids = made.map((answer) => (answer.body as { readonly id: string }).id);
    assert.deepEqual(connectors.map(({ id }) => id).toSorted(), ids.toSorted());
    assert.ok(ids.length <= 100, told.join(' '));
    const secrets = openTable(cloud.runtime, 'secrets').all(`INDEX#${owner.organizationId}#${path.index_id}`);
    assert.equal((await Array.fromAsync(secrets)).length, ids.length);
  });
});
