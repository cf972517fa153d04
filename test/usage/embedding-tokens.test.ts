import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshIdempotencyContext } from '../../shared/http/idempotency.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { openRequestEnd } from '../../shared/http/request-end.ts';
import { requireIndex } from '../../shared/indexes/index.ts';
import { capability, makeDeps } from '../../shared/kernel/capability.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { openTable } from '../../shared/db/table.ts';
import { createEmbeddedEmbedder } from '../../shared/platform/models/embedded.ts';
import type { Embedders } from '../../shared/platform/models/port.ts';
import { inProcessReader } from '../../shared/reader/index.ts';
import { runSearch, searchUses } from '../../shared/search/index.ts';
import { monthUsage, usageRead } from '../../shared/usage/index.ts';
import { upsertUses, upsertVectors } from '../../shared/vectors/index.ts';
import { person } from '../support/call.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { changeLimits } from '../support/plan-limits.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const allow = changeLimits({ after });
const embedder = createEmbeddedEmbedder({ assetsDirectory: join(import.meta.dirname, '../..') });
const reader = inProcessReader(capability<Embedders>([], () => () => embedder));

/** An index of a new organization, and processes that search it and write to it. */
const newScene = async () => {
  app.useNewOrganization();
  const { runtime } = app.cloud;
  const index = await app.newIndex(8);
  const { organizationId } = await app.record(index);
  const caller: Principal = person(organizationId, 'owner');
  const searching = makeDeps(searchUses(reader), runtime);
  const upserting = makeDeps({ ...upsertUses, reader }, runtime);
  const { usage } = makeDeps({ usage: usageRead }, runtime);
  const month = runtime.clock.now().toISOString().slice(0, 7);
  const found = () => requireIndex(searching.indexes, organizationId, index);
  return {
    /** Searches by a text, as one process of the function. */
    search: async (text: string): Promise<void> => {
      const begun = { index: await found(), counting: Promise.resolve(null), speculative: Promise.resolve(null) };
      const end = openRequestEnd(runtime.log, 'req_test');
      const call = {
        deps: searching,
        prefetched: Promise.resolve(begun),
        caller,
        onEnd: end.onEnd,
        clock: runtime.clock,
      };
      await runSearch(call, { mode: 'dense', text, top_k: 3, include: [], exact: false });
      await end.run(true);
    },
    upsert: (items: readonly { readonly id: string; readonly text: string }[]) => {
      const call = {
        deps: upserting,
        prefetched: found(),
        caller,
        idempotency: freshIdempotencyContext(runtime.clock),
      };
      return app.runWriterDuring(upsertVectors(call, items));
    },
    /** Tokens that the quota counts, and those of the bill. */
    tokens: async (): Promise<readonly [reserved: number, billed: number]> => {
      const key = { pk: `MONTH#${organizationId}#${month}`, sk: 'CREDITS' };
      const counter = await openTable(runtime, 'usage').get(key);
      const { used } = await monthUsage(usage, organizationId, runtime.clock.now());
      return [Number(counter?.['tokens_reserved'] ?? 0), used.embedding_tokens];
    },
  };
};

const refusal = (limit: number, current: number) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.deepEqual([error.code, error.fields], ['plan_limit_reached', { limit, current }]);
  assert.match(error.message, /embedding tokens per month/);
  return true;
};

test('a search and an upsert whose text the month has no tokens for are refused before the model reads it', async () => {
  allow({ embedding_tokens_per_month: 100 });
  const { search, upsert, tokens } = await newScene();
  const text = 'herring '.repeat(20);
  await assert.rejects(search(text), refusal(100, 0));
  await assert.rejects(upsert([{ id: 'a', text }]), refusal(100, 0));
  assert.deepEqual(await tokens(), [0, 0]);
});

test('searches by text are let through until the tokens of the month are used up, and never beyond', async () => {
  allow({ embedding_tokens_per_month: 1_300 });
  const { search, tokens } = await newScene();
  const searchOn = async (): Promise<void> => {
    for (let searches = 0; searches < 2_000; searches += 1) await search('Where do the herring go in winter?');
  };
  await assert.rejects(searchOn(), { code: 'plan_limit_reached' });
  const [reserved, billed] = await tokens();
  assert.ok(reserved <= 1_300, `${reserved} reserved`);
  // Less is left than a search may take.
  assert.ok(billed <= reserved && billed > 1_200, `${billed} billed`);
});

test('a process writes to the counter of tokens once for many searches', async () => {
  allow({ embedding_tokens_per_month: 1_000_000 });
  const { search, tokens } = await newScene();
  await search('comets');
  const [reserved] = await tokens();
  app.cloud.faults.arm(null);
  for (let searches = 0; searches < 50; searches += 1) await search('comets');
  // Each reads the index and counts itself.
  assert.equal(app.cloud.faults.count, 100);
  assert.equal((await tokens())[0], reserved);
});

test('an upsert returns the tokens that the model has not read, but for a block', async () => {
  allow({ embedding_tokens_per_month: 1_000_000 });
  const { upsert, tokens } = await newScene();
  const items = Array.from({ length: 50 }, (_, at) => ({ id: `${at}`, text: 'herring and comets '.repeat(20) }));
  await upsert(items);
  await upsert(items.map(({ id }) => ({ id, text: `${id} herring and comets`.repeat(20) })));
  await app.work();
  const [reserved, billed] = await tokens();
  assert.ok(billed > 1_000 && reserved >= billed && reserved - billed <= 2_000, `${reserved} for ${billed}`);
});

test('an upsert that the plan has no vectors left for is refused before the model reads it', async () => {
  allow({ embedding_tokens_per_month: 1_000_000, vectors: 3 });
  const { upsert, tokens } = await newScene();
  const items = ['a', 'b', 'c'].map((id) => ({ id, text: 'herring' }));
  await upsert(items);
  const before = await tokens();
  await assert.rejects(upsert([...items, { id: 'd', text: 'comets' }]), {
    code: 'plan_limit_reached',
    fields: { limit: 3, current: 3 },
  });
  assert.deepEqual(await tokens(), before);
  // Existing rows are written again.
  assert.equal((await upsert(items)).upserted, 3);
});
