import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { allVectors } from './support/files.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const clients = 8;
/** As long as the whole run of the tests can afford. */
const seconds = Number(process.env['SECONDS'] ?? 3);
const sharedIds = 40;

test(
  'eight clients that upsert overlapping ids make no duplicate and lose no acknowledged write',
  { timeout: 180_000 },
  async () => {
    const { key } = await newOrganization(baseUrl);
    const index = (await call(key, 'POST', '/v1/indexes', { name: 'busy', dimensions: 8 })).body.id;
    /** Acknowledged writes of each id, by client: the last of each client may be the one that stands. */
    const last = new Map<string, Map<number, number>>();
    const deadline = Date.now() + seconds * 1000;
    const work = async (client: number): Promise<number> => {
      let written = 0;
      for (let round = 0; Date.now() < deadline; round += 1) {
        const ids = Array.from({ length: 5 }, (_, at) =>
          at < 4 ? `shared-${(round * 7 + at * 11 + client) % sharedIds}` : `own-${client}-${round}`,
        );
        const items = [...new Set(ids)].map((id) => ({
          id,
          vector: [client + 1, round + 1, 1, 1, 1, 1, 1, 1],
          metadata: { client, round },
        }));
        const answer = await call(key, 'POST', `/v1/indexes/${index}/vectors`, items);
        assert.deepEqual([answer.status, answer.body.upserted], [200, items.length]);
        for (const { id } of items) {
          const byClient = last.get(id) ?? new Map<number, number>();
          last.set(id, byClient.set(client, round));
        }
        written += items.length;
      }
      return written;
    };
    const written = await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
    assert.ok(written.every((count) => count > 0));
    const rows = await allVectors(key, index);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(last.keys()));
    for (const { id, metadata } of rows)
      assert.equal(last.get(id)?.get(metadata.client), metadata.round, `${id} is not a client's last write`);
  },
);
