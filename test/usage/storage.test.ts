import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { logSend } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import {
  countMessages,
  estimateCostUsd,
  monthUsage,
  newUsageCounters,
  openStoredFilesLedger,
  usageWrite,
} from '../../shared/usage/index.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';

const step = Number(process.env['FAULT_STEP'] ?? 23);

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const gib = 1024 ** 3;
/** A quarter of it is sparse, which counts like the rest. */
const holding = (gibs: number) => ({
  vectors: gibs,
  denseBytes: (gibs * gib * 3) / 4,
  sparseBytes: (gibs * gib) / 4,
  originalBytes: 0,
});

const usageOf = () => makeDeps({ usage: usageWrite }, app.cloud.runtime).usage;

/** What an index holds from a time on, in GiB; null: it has gone, and no run has written so. */
type Change = readonly [at: string, gibs: number | null];

/** Records an index for each list of changes. Returns the usage of the organization in a month of 30 days. */
const books = async (...indexes: readonly (readonly Change[])[]) => {
  const usage = usageOf();
  const organizationId = newId('org', new Date('2026-01-01T00:00:00.000Z'));
  for (const changes of indexes) {
    const index = { organizationId, id: newId('idx', new Date('2026-01-01T00:00:00.000Z')) };
    let [account, held] = [newUsageCounters, holding(0)];
    for (const [at, gibs] of changes) {
      if (gibs === null) {
        await usage.releaseIndex(organizationId, index.id);
        continue;
      }
      account = countMessages({ usage: account, held }, [{ receiptId: at, used: {} }], at);
      held = holding(gibs);
      await usage.saveIndex(index, held, account, at);
    }
  }
  return async (now: string, ended?: string) => {
    const month = await monthUsage(usage, organizationId, new Date(now), ended);
    return { gibDays: Math.round((month.byteMonths / gib) * 30_000) / 1_000, usd: estimateCostUsd(month) };
  };
};

// A GiB costs 0.33 / 30 = 0.011 USD for each day of these months.
describe('storage', { concurrency: false }, () => {
  it('of a day that has ended counts at what was held at its end, that of today so far at what is held now', async () => {
    const at = await books([
      ['2026-06-03T08:00:00.000Z', 50],
      ['2026-06-03T09:00:00.000Z', 100],
      ['2026-06-10T12:00:00.000Z', 300],
    ]);
    // Nothing for two days, 100 for seven days, 300 since.
    assert.deepEqual(await at('2026-06-10T12:00:00.000Z'), { gibDays: 700 + 150, usd: 9.35 });
    assert.deepEqual(await at('2026-06-11T00:00:00.000Z'), { gibDays: 700 + 300, usd: 11 });
    assert.deepEqual(await at('2026-06-30T12:00:00.000Z'), { gibDays: 700 + 20 * 300 + 150, usd: 75.35 });
  });

  it('of files without an index counts once for each change, from the day of the first to that of the last', async () => {
    const ledger = openStoredFilesLedger(app.cloud.runtime);
    const organizationId = newId('org', new Date('2026-01-01T00:00:00.000Z'));
    const added = { id: 'file', at: new Date('2026-05-30T08:00:00.000Z') };
    const removed = { id: '-file', at: new Date('2026-06-11T08:00:00.000Z') };
    for (const change of [added, removed]) {
      const bytes = change === added ? 30 * gib : -30 * gib;
      for (let run = 0; run < 2; run += 1) await ledger.count(organizationId, change, bytes);
      await ledger.forget(organizationId, change);
    }
    const of = (month: string) => monthUsage(usageOf(), organizationId, new Date('2026-07-01T00:00:00.000Z'), month);
    const [may, june] = [await of('2026-05'), await of('2026-06')];
    assert.equal(may.stored.originalBytes, 30 * gib);
    assert.equal(june.stored.originalBytes, 0);
    // At the end of ten days of thirty.
    assert.equal(june.originalByteMonths, 10 * gib);
  });

  it('of an index without a change in the month counts throughout, that of another as it was before its first', async () => {
    const at = await books(
      [['2026-04-20T12:00:00.000Z', 10]],
      [
        ['2026-04-20T12:00:00.000Z', 100],
        ['2026-06-21T00:00:00.000Z', 0],
      ],
    );
    assert.deepEqual(await at('2026-06-26T00:00:00.000Z'), { gibDays: 25 * 10 + 20 * 100, usd: 24.75 });
  });

  it('that is deleted on the last day costs 29 days, and that of the last day costs a day', async () => {
    const at = await books(
      [
        ['2026-05-20T12:00:00.000Z', 100],
        ['2026-06-30T12:00:00.000Z', 0],
      ],
      [['2026-06-30T12:00:00.000Z', 100]],
    );
    assert.deepEqual(await at('2026-06-30T12:00:00.000Z'), { gibDays: 29 * 100 + 50, usd: 32.45 });
  });

  it('of a month that has ended counts as it did then, with indexes that had no change in it', async () => {
    const at = await books(
      [
        ['2026-05-20T12:00:00.000Z', 10],
        ['2026-08-02T12:00:00.000Z', 700],
      ],
      [
        ['2026-05-20T12:00:00.000Z', 100],
        ['2026-06-11T12:00:00.000Z', 40],
        ['2026-09-11T12:00:00.000Z', 0],
        ['2026-09-12T12:00:00.000Z', null],
      ],
      [['2026-06-30T12:00:00.000Z', 10]],
      [['2026-07-01T12:00:00.000Z', 900]],
    );
    const june = { gibDays: 30 * 10 + 10 * 100 + 20 * 40 + 10, usd: 23.21 };
    assert.deepEqual(await at('2026-12-16T12:00:00.000Z', '2026-06'), june);
    assert.deepEqual(await at('2026-12-16T12:00:00.000Z', '2026-04'), { gibDays: 0, usd: 0 });
    const september = { gibDays: 30 * 700 + 10 * 40 + 30 * 10 + 30 * 900, usd: 535.7 };
    assert.deepEqual(await at('2026-12-16T12:00:00.000Z', '2026-09'), september);
  });

  it('of an index whose deletion is not in the books counts until its last change', async () => {
    const at = await books([
      ['2026-06-03T08:00:00.000Z', 100],
      ['2026-06-06T08:00:00.000Z', 100],
      ['2026-06-09T08:00:00.000Z', null],
    ]);
    assert.deepEqual(await at('2026-06-21T00:00:00.000Z'), { gibDays: 400, usd: 4.4 });
  });
});

describe('storage of an index that is dropped', { concurrency: false, timeout: 120_000 }, () => {
  /** Two rows of 16 bytes, one with five bytes of text. */
  const bytes = 37;
  let year = 2040;

  const moveTo = (at: string): void =>
    app.cloud.advance((Date.parse(at) - app.cloud.runtime.clock.now().getTime()) / 1_000);

  /** An index that was filled in May and is to be deleted in June, in an organization and a year of its own. */
  const filled = async () => {
    year += 1;
    app.useNewOrganization();
    moveTo(`${year}-05-20T08:00:00.000Z`);
    const id = await app.newIndex();
    await app.upsert(id, [
      { id: 'a', vector: [1, 2, 3, 4], text: 'words' },
      { id: 'b', vector: [1, 2, 3, 4] },
    ]);
    const index = await app.record(id);
    const byteDays = async (now: string): Promise<number> => {
      const month = await monthUsage(usageOf(), index.organizationId, new Date(`${year}-${now}`));
      return Math.round(month.byteMonths * 30 * 1_000) / 1_000;
    };
    return { id, index, byteDays, toDay: (at: string) => moveTo(`${year}-${at}`) };
  };

  it('counts up to the day of its deletion, however its removal is killed and whenever it is over', async () => {
    for (let request = 1, isKilled = true; isKilled; request += step) {
      const { id, byteDays, toDay } = await filled();
      toDay('06-11T23:59:00.000Z');
      assert.equal(await byteDays('06-11T12:00:00.000Z'), 10.5 * bytes);
      const kind = request % 2 === 0 ? 'not applied' : 'reply lost';
      isKilled = await app.dieAt({ request, kind }, () => app.call(deleteIndex, { index_id: id }));
      // The request itself may not have come to anything.
      app.cloud.faults.arm(null);
      await app.call(deleteIndex, { index_id: id });
      toDay('06-13T08:00:00.000Z');
      await app.recover();
      const told = `dead at ${request}, ${kind}`;
      assert.equal(await byteDays('06-21T12:00:00.000Z'), 10 * bytes, told);
      assert.equal(await byteDays('07-11T12:00:00.000Z'), 0, told);
    }
  });

  it('counts no more once it is deleted while a branch is based on it, also when it is dropped again', async () => {
    const { id, index, byteDays, toDay } = await filled();
    toDay('06-06T12:00:00.000Z');
    const branch = await app.newBranch(id);
    toDay('06-11T12:00:00.000Z');
    await app.call(deleteIndex, { index_id: id });
    await app.work();
    // The branch holds as much from the sixth on; September has 30 days, too.
    const expected = (10 + 15) * bytes;
    assert.equal(await byteDays('06-21T00:00:00.000Z'), expected);
    for (const again of ['06-16T12:00:00.000Z', '09-16T12:00:00.000Z']) {
      toDay(again);
      await makeDeps({ log: logSend }, app.cloud.runtime).log.append(index, { op: 'close' });
      await app.work();
    }
    assert.equal((await app.record(id)).status, 'deleting');
    assert.equal(await byteDays('09-16T12:00:00.000Z'), 15.5 * bytes);
    assert.equal((await app.record(branch)).status, 'ready');
  });
});
