import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countMessages, newUsageCounters } from '../../shared/usage/index.ts';

const held = { vectors: 3, denseBytes: 12, sparseBytes: 5, originalBytes: 0 };
const january = '2026-01-31T23:59:59.000Z';
const february = '2026-02-01T00:00:00.000Z';

/** Sizes of batches and, for each, how often it comes again in parts before its messages are deleted. */
const deliveries = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 10 }),
    again: fc.array(fc.tuple(fc.nat({ max: 9 }), fc.integer({ min: 1, max: 10 })), { maxLength: 3 }),
  }),
  { maxLength: 20 },
);

describe('the account of an index', () => {
  it('counts each message once, however its batch comes again', () => {
    fc.assert(
      fc.property(deliveries, (batches) => {
        let account = newUsageCounters;
        let next = 0;
        for (const { size, again } of batches) {
          const batch = Array.from({ length: size }, () => {
            next += 1;
            return { receiptId: `rcp_${next}`, used: { vectors_written: next } };
          });
          account = countMessages({ usage: account, held }, batch, january);
          // What the queue hands out again is a part of the batch, in order.
          for (const [from, length] of again) {
            const part = batch.slice(from, from + length);
            if (part.length > 0) account = countMessages({ usage: account, held }, part, january);
          }
        }
        assert.equal(account.totals.vectors_written, (next * (next + 1)) / 2);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('begins a month with what was used and held before its first change', () => {
    const old = countMessages(
      { usage: newUsageCounters, held: { vectors: 0, denseBytes: 0, sparseBytes: 0, originalBytes: 0 } },
      [{ receiptId: 'a', used: { vectors_written: 3 } }],
      january,
    );
    assert.deepEqual([old.month, old.base.vectors_written, old.start.vectors], ['2026-01', 0, 0]);
    const fresh = countMessages(
      { usage: old, held },
      [{ receiptId: 'b', used: { vectors_written: 2, vectors_deleted: 1 } }],
      february,
    );
    assert.deepEqual(
      [fresh.month, fresh.base.vectors_written, fresh.totals.vectors_written, fresh.start],
      ['2026-02', 3, 5, held],
    );
    const later = countMessages(
      { usage: fresh, held: { ...held, vectors: 9 } },
      [{ receiptId: 'c', used: {} }],
      february,
    );
    assert.deepEqual([later.base, later.start], [fresh.base, held]);
  });

  it('never goes back to a month that has passed, whatever the clock of a run says', () => {
    const old = countMessages(
      { usage: newUsageCounters, held },
      [{ receiptId: 'a', used: { vectors_written: 3 } }],
      january,
    );
    const fresh = countMessages({ usage: old, held }, [{ receiptId: 'b', used: { vectors_written: 2 } }], february);
    const late = countMessages({ usage: fresh, held }, [{ receiptId: 'c', used: { vectors_written: 1 } }], january);
    assert.deepEqual([late.month, late.base.vectors_written, late.totals.vectors_written], ['2026-02', 3, 6]);
  });

  it('counts a job once until the next one', () => {
    const first = countMessages(
      { usage: newUsageCounters, held },
      [{ receiptId: 'job_1', used: { pages: 4 } }],
      january,
    );
    const repeated = countMessages({ usage: first, held }, [{ receiptId: 'job_1', used: { pages: 4 } }], january);
    const second = countMessages({ usage: repeated, held }, [{ receiptId: 'job_2', used: { pages: 1 } }], january);
    assert.deepEqual([first.totals.pages, repeated.totals.pages, second.totals.pages], [4, 4, 5]);
  });
});
