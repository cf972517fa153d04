import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import {
  addDays,
  countMessages,
  dateOf,
  indexHistory,
  monthUsage,
  newUsageCounters,
  usageWrite,
} from '../../shared/usage/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const organizationId = newId('org', cloud.runtime.clock.now());
const createdAt = '2026-01-05T23:59:00.000Z';
const anIndex = () => ({ organizationId, id: newId('idx', cloud.runtime.clock.now()), createdAt });
const index = anIndex();
/** Range of the last days until a time. */
const lastDays = (now: Date, days: number) => ({ from: addDays(dateOf(now), 1 - days), to: dateOf(now) });
const holding = (vectors: number) => ({ vectors, denseBytes: 4 * vectors, sparseBytes: vectors, originalBytes: 0 });

describe('the books of an index', { concurrency: false }, () => {
  it('report for each day what was held at its end and what was done, over months without a change', async () => {
    const { usage } = makeDeps({ usage: usageWrite }, cloud.runtime);
    const commits = [
      { at: '2026-01-10T08:00:00.000Z', vectors: 5, used: { vectors_written: 5 } },
      { at: '2026-01-10T09:00:00.000Z', vectors: 8, used: { vectors_written: 4, vectors_deleted: 1 } },
      { at: '2026-03-02T10:00:00.000Z', vectors: 6, used: { vectors_deleted: 2 } },
    ];
    let [account, held] = [newUsageCounters, holding(0)];
    for (const [at, commit] of commits.entries()) {
      const message = { receiptId: String(at), used: commit.used };
      account = countMessages({ usage: account, held }, [message], commit.at);
      held = holding(commit.vectors);
      // A repeat of the last step after a crash.
      await usage.saveIndex(index, held, account, commit.at);
      await usage.saveIndex(index, held, account, commit.at);
    }
    const now = new Date('2026-03-03T12:00:00.000Z');
    const days = await indexHistory(usage, index, held, now, lastDays(now, 90));
    assert.deepEqual([days.length, days[0]?.date, days.at(-1)?.date], [90, '2025-12-04', '2026-03-03']);
    const told = (date: string) => {
      const day = days.find((candidate) => candidate.date === date);
      return [day?.vectors, day?.used.vectors_written, day?.used.vectors_deleted, day?.denseBytes];
    };
    assert.deepEqual(told('2026-01-09'), [0, 0, 0, 0]);
    assert.deepEqual(told('2026-01-10'), [8, 9, 1, 32]);
    assert.deepEqual(told('2026-02-15'), [8, 0, 0, 32]);
    assert.deepEqual(told('2026-03-02'), [6, 0, 2, 24]);
    assert.deepEqual(told('2026-03-03'), [6, 0, 0, 24]);
    // A window that begins after the last change of an earlier month.
    const short = await indexHistory(usage, index, held, now, lastDays(now, 3));
    assert.deepEqual(
      short.map(({ vectors }) => vectors),
      [8, 6, 6],
    );
    const march = await monthUsage(usage, organizationId, now);
    assert.deepEqual([march.used.vectors_written, march.used.vectors_deleted, march.stored.vectors], [0, 2, 6]);
  });

  it('report the same for a day in a request of any length, and nothing from before the index existed', async () => {
    const { usage } = makeDeps({ usage: usageWrite }, cloud.runtime);
    const written = anIndex();
    const at = '2026-01-10T08:00:00.000Z';
    const message = { receiptId: 'a', used: { vectors_written: 1_000 } };
    const account = countMessages({ usage: newUsageCounters, held: holding(0) }, [message], at);
    await usage.saveIndex(written, holding(1_000), account, at);
    const until = (now: string, days: number, of = written) =>
      indexHistory(usage, of, holding(1_000), new Date(now), lastDays(new Date(now), days));
    const inFull = await until('2026-02-20T12:00:00.000Z', 60);
    for (let days = 1; days < 60; days += 1)
      assert.deepEqual(await until('2026-02-20T12:00:00.000Z', days), inFull.slice(-days), `${days} days`);
    const figures = (days: typeof inFull) => days.map(({ vectors, used }) => [vectors, used.vectors_written]);
    assert.deepEqual(
      figures(await until('2026-01-20T12:00:00.000Z', 5)),
      Array.from({ length: 5 }, () => [1_000, 0]),
    );
    assert.deepEqual(figures(await until('2026-01-12T12:00:00.000Z', 4)), [
      [0, 0],
      [1_000, 1_000],
      [1_000, 0],
      [1_000, 0],
    ]);
    // What it holds without a change in these months, it holds from its first day on.
    assert.deepEqual(figures(await until('2026-01-06T12:00:00.000Z', 3, anIndex())), [
      [0, 0],
      [1_000, 0],
      [1_000, 0],
    ]);
  });

  it('keep to the month of the account if the clock of a run is in another month', async () => {
    const { usage } = makeDeps({ usage: usageWrite }, cloud.runtime);
    const saved = anIndex();
    const [january, february] = ['2026-01-31T23:58:00.000Z', '2026-02-01T00:01:00.000Z'];
    let account = newUsageCounters;
    for (const [vectors, at] of [january, february, january].entries()) {
      const message = { receiptId: String(vectors), used: { vectors_written: 1 } };
      account = countMessages({ usage: account, held: holding(vectors) }, [message], at);
      await usage.saveIndex(saved, holding(vectors + 1), account, at);
    }
    const used = ['2026-01', '2026-02'].map(async (month) => usage.indexMonth(organizationId, month, saved.id));
    assert.deepEqual(
      (await Promise.all(used)).map((month) => month?.used.vectors_written),
      [1, 2],
    );
    const days = await indexHistory(usage, saved, holding(3), new Date(february), lastDays(new Date(february), 2));
    assert.deepEqual(
      days.map(({ vectors, used }) => [vectors, used.vectors_written]),
      [
        [1, 1],
        [3, 2],
      ],
    );
  });
});
