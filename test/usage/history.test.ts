import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { countMessages, indexHistory, monthUsage, newAccount, usageWrite } from '../../shared/usage/index.ts';
import { Cloud } from '../events/support/cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const organizationId = newId('org', cloud.runtime.clock.now());
const index = { organizationId, id: newId('idx', cloud.runtime.clock.now()) };
const holding = (vectors: number) => ({ vectors, denseBytes: 4 * vectors, sparseBytes: vectors });

describe('the books of an index', { concurrency: false }, () => {
  it('tell of each day what was held at its end and what was done, over months without a change', async () => {
    const { usage } = makeDeps({ usage: usageWrite }, cloud.runtime);
    const commits = [
      { at: '2026-01-10T08:00:00.000Z', vectors: 5, used: { vectors_written: 5 } },
      { at: '2026-01-10T09:00:00.000Z', vectors: 8, used: { vectors_written: 4, vectors_deleted: 1 } },
      { at: '2026-03-02T10:00:00.000Z', vectors: 6, used: { vectors_deleted: 2 } },
    ];
    let [account, held] = [newAccount, holding(0)];
    for (const [at, commit] of commits.entries()) {
      const message = { receiptId: String(at), used: commit.used };
      account = countMessages({ usage: account, held }, [message], commit.at);
      held = holding(commit.vectors);
      // A repeat of the last step after a crash.
      await usage.saveIndex(index, held, account, commit.at);
      await usage.saveIndex(index, held, account, commit.at);
    }
    const now = new Date('2026-03-03T12:00:00.000Z');
    const days = await indexHistory(usage, index, held, now, 90);
    assert.deepEqual([days.length, days[0]?.date, days.at(-1)?.date], [90, '2025-12-04', '2026-03-03']);
    const told = (date: string) => {
      const day = days.find((candidate) => candidate.date === date);
      return [day?.vectors, day?.vectorsWritten, day?.vectorsDeleted, day?.denseBytes];
    };
    assert.deepEqual(told('2026-01-09'), [0, 0, 0, 0]);
    assert.deepEqual(told('2026-01-10'), [8, 9, 1, 32]);
    assert.deepEqual(told('2026-02-15'), [8, 0, 0, 32]);
    assert.deepEqual(told('2026-03-02'), [6, 0, 2, 24]);
    assert.deepEqual(told('2026-03-03'), [6, 0, 0, 24]);
    // A window that begins after the last change of an earlier month.
    const short = await indexHistory(usage, index, held, now, 3);
    assert.deepEqual(
      short.map(({ vectors }) => vectors),
      [8, 6, 6],
    );
    const march = await monthUsage(usage, organizationId, now);
    assert.deepEqual([march.used.vectors_written, march.used.vectors_deleted, march.stored.vectors], [0, 2, 6]);
  });
});
