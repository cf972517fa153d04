import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { listApiKeys } from '../../functions/api-keys/list.ts';
import { createCrawlJob } from '../../functions/crawls/create.ts';
import { listCrawlJobs } from '../../functions/crawls/list.ts';
import { createFile } from '../../functions/files/create.ts';
import { listFiles } from '../../functions/files/list.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { listIndexes } from '../../functions/indexes/list.ts';
import { createOauthClient } from '../../functions/oauth/create-client.ts';
import { listOauthClients } from '../../functions/oauth/list-clients.ts';
import { openTable } from '../../shared/db/table.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { answerOf, callOk, person } from '../support/call.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;
const table = openTable(runtime, 'usage');

/** Returns the sizes of the pages of a partition, each of at most `limit` visible items. */
const pagesOf = async (pk: string, limit: number): Promise<readonly number[]> => {
  const sizes: number[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page = await table.query(pk, { limit, where: { hidden: { exists: false } }, after });
    sizes.push(page.items.length);
    after = page.next;
  }
  return sizes;
};

/** Stores an item for each letter: `x` hidden, `.` visible, `#` so large that three of them fill a page. */
const partitionOf = async (letters: string): Promise<string> => {
  const pk = newId('req', runtime.clock.now());
  for (const [at, letter] of Array.from(letters).entries()) {
    const text = letter === '#' ? '.'.repeat(390_000) : '';
    await table.put({ pk, sk: String(at).padStart(3, '0'), text, ...(letter === 'x' && { hidden: true }) });
  }
  return pk;
};

describe('a page of a table', () => {
  const cases: readonly (readonly [string, number, readonly number[]])[] = [
    ['', 3, [0]],
    ['...', 3, [3]],
    ['...', 2, [2, 1]],
    ['...', 4, [3]],
    ['...x', 3, [3]],
    ['xx.x..', 3, [3]],
    ['.xxxx..x.xx', 2, [2, 2]],
    ['xxxxx', 2, [0]],
    ['#####', 5, [3, 2]],
  ];
  for (const [letters, limit, sizes] of cases) {
    it(`of ${limit} leads on where there is more, and only there: "${letters}"`, async () => {
      assert.deepEqual(await pagesOf(await partitionOf(letters), limit), sizes);
    });
  }
});

it('count returns the items of all pages for any query options', async () => {
  const pk = await partitionOf('#x##x##');
  const where = { hidden: { exists: false } } as const;
  assert.equal(await table.count(pk), 7);
  assert.equal(await table.count(pk, { where }), 5);
  assert.equal(await table.count(pk, { where, limit: 2, after: '002' }), 3);
  assert.equal(await table.count(await partitionOf('')), 0);
});

describe('a list', () => {
  const client = { name: 'a' };
  const file = { filename: 'a.txt', content_type: 'text/plain' };
  const lists = {
    keys: [createApiKey, listApiKeys, client],
    clients: [createOauthClient, listOauthClients, client],
    indexes: [createIndex, listIndexes, client],
    files: [createFile, listFiles, file],
    crawls: [createCrawlJob, listCrawlJobs, { url: 'https://example.com/' }],
  } as const;
  for (const [what, [create, list, body]] of Object.entries(lists)) {
    it(`of ${what} has no next cursor on its last page`, async () => {
      const owner = person(newId('org', runtime.clock.now()), 'owner');
      const path =
        what === 'files' || what === 'crawls' ? { index_id: await putReadyIndex(runtime, owner.organizationId) } : {};
      const listed = async (limit: number) => {
        const { body: text, headers } = await answerOf(runtime, list, owner, { path, query: { limit: String(limit) } });
        return [(JSON.parse(text) as readonly unknown[]).length, headers['x-next-cursor'] !== undefined];
      };
      await callOk(runtime, create, owner, { path, body });
      await callOk(runtime, create, owner, { path, body });
      assert.deepEqual(
        [await listed(1), await listed(2), await listed(3)],
        [
          [1, true],
          [2, false],
          [2, false],
        ],
      );
    });
  }
});
