import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dueBy, shardsOf } from '../../shared/db/due.ts';
import type { DuePartition, Key } from '../../shared/db/contracts.ts';
import { openTable } from '../../shared/db/table.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putMany } from '../support/put-many.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const table = openTable(cloud.runtime, 'connectors');
const now = cloud.runtime.clock.now();
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const newOrganization = (): string => newId('org', now);
const shardOf = (kind: DuePartition, organizationId: string): string => dueBy(kind, organizationId, now).due_pk;
const keyOf = (organizationId: string, nth: number): Key => ({
  pk: `INDEX#${organizationId}#idx_1`,
  sk: `conn_${String(nth).padStart(4, '0')}`,
});

/** Returns new organizations of one shard. */
const sharing = (kind: DuePartition, count: number): readonly string[] => {
  const [first = '', ...all] = Array.from({ length: 40 * count }, newOrganization);
  const others = all.filter((other) => shardOf(kind, other) === shardOf(kind, first));
  return [first, ...others.slice(0, count - 1)];
};

/** Items of an organization, one due each second from `from` on. */
const itemsOf = (kind: DuePartition, organizationId: string, count: number, from: number) =>
  Array.from({ length: count }, (_, nth) => ({
    ...keyOf(organizationId, nth),
    ...dueBy(kind, organizationId, later(from + nth)),
  }));

/** Result of one call: its keys, their organizations and the number of requests. */
const look = async (kind: DuePartition, limit: number, until = now) => {
  cloud.faults.arm(null);
  const keys = await table.due(kind, until.toISOString(), limit);
  return { keys, organizations: keys.map(({ pk }) => pk.split('#')[1] ?? ''), requests: cloud.faults.count };
};

/** Requests of a call without due items: one for each shard. */
const idleRequests = shardsOf('jobs').length;

describe('the due index', { concurrency: false }, () => {
  it('distributes items to shards by organization and reads each empty shard once', async () => {
    const shards = new Set(Array.from({ length: 200 }, () => shardOf('jobs', newOrganization())));
    assert.deepEqual(shards, new Set(shardsOf('jobs')));
    const { keys, requests } = await look('jobs', 10);
    assert.deepEqual([keys, requests], [[], idleRequests]);
  });

  it('skips the backlog of one organization to find due items of others in the same shard', async () => {
    const [many = '', ...others] = sharing('tasks', 4);
    await putMany('connectors', [
      ...itemsOf('tasks', many, 450, -3600),
      ...others.flatMap((other) => itemsOf('tasks', other, 1, -1)),
    ]);
    const small = await look('tasks', 10);
    assert.deepEqual(new Set(small.organizations.slice(0, 4)), new Set([many, ...others]));
    assert.equal(small.keys.length, 10);
    // Besides the first page of each partition: at most one on either side of the backlog.
    assert.ok(small.requests <= idleRequests + 2, `${small.requests} requests`);
    const large = await look('tasks', 400);
    assert.equal(large.keys.length, 400);
    assert.ok(large.requests <= idleRequests + 3, `${large.requests} requests`);
    const ofMany = large.keys.filter(({ pk }) => pk.includes(many)).map(({ sk }) => sk);
    assert.deepEqual(ofMany, [...new Set(ofMany)].toSorted(), 'oldest first, each once');
  });

  it('does not return items that are due later', async () => {
    const [waiting, due] = [newOrganization(), newOrganization()];
    await putMany('connectors', [...itemsOf('ends', waiting, 250, 1), ...itemsOf('ends', due, 2, -1)]);
    const { organizations } = await look('ends', 500);
    assert.deepEqual(organizations, [due, due]);
  });

  it('returns the items of more organizations than one call can read in later calls', async () => {
    // Each organization fills a page.
    const organizations = sharing('removals', 60);
    await putMany(
      'connectors',
      organizations.flatMap((organizationId) => itemsOf('removals', organizationId, 101, -3600)),
    );
    const found = new Set<string>();
    for (let looks = 0; looks < 20 && found.size < organizations.length; looks += 1) {
      const { requests, organizations: due } = await look('removals', 60, later(looks * 60));
      // Fifty for the shard, and one more for each organization with further pages.
      assert.ok(requests < idleRequests + 2 * 50, `${requests} requests`);
      for (const organizationId of due) found.add(organizationId);
    }
    assert.deepEqual(found, new Set(organizations));
  });
});
