import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { getOrganizationUsage } from '../../functions/organization/get-usage.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { type Answer, type TestApp, openTestApp } from '../support/test-app.ts';
import { call, person } from '../support/call.ts';

let app: TestApp;
let organizationId: string;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

/** A time of a year that is still to come, so that the clock of the test can only move on to it. */
const moveTo = (at: string): void =>
  app.cloud.advance((Date.parse(`2040-${at}T12:00:00.000Z`) - app.cloud.runtime.clock.now().getTime()) / 1_000);

const ask = (month?: string): Promise<Answer> =>
  call(app.cloud.runtime, getOrganizationUsage, person(organizationId, 'owner'), {
    query: month === undefined ? {} : { month },
  });

/** Indexes, vectors, dense and sparse bytes at the end of a month, and what was written and deleted in it. */
const told = async (month?: string): Promise<readonly number[]> => {
  const { status, body } = await ask(month);
  assert.equal(status, 200, JSON.stringify(body));
  const { indexes, vectors_stored, dense_bytes, sparse_bytes, vectors_written, vectors_deleted } = body;
  return [indexes, vectors_stored, dense_bytes, sparse_bytes, vectors_written, vectors_deleted];
};

const vector = [1, 2, 3, 4];

describe('the usage of a month that has ended', { concurrency: false, timeout: 60_000 }, () => {
  it('is what was done in it and held at its end, whatever has become of the indexes since', async () => {
    moveTo('03-15');
    app.useNewOrganization();
    const kept = await app.newIndex();
    await app.newIndex();
    ({ organizationId } = await app.record(kept));
    await app.upsert(kept, [
      { id: 'a', vector, text: 'words' },
      { id: 'b', vector },
    ]);
    moveTo('05-10');
    await app.upsert(kept, [{ id: 'c', vector }]);
    const dropped = await app.newIndex();
    await app.upsert(dropped, [{ id: 'a', vector }]);
    moveTo('06-05');
    await app.call(deleteIndex, { index_id: dropped });
    await app.call(deleteVectors, { index_id: kept }, { ids: ['a'] });
    await app.recover();
    // The usage ledger has no entry for the empty index.
    const ended = {
      '2040-02': [0, 0, 0, 0, 0, 0],
      '2040-03': [1, 2, 32, 5, 2, 0],
      '2040-04': [1, 2, 32, 5, 0, 0],
      '2040-05': [2, 4, 64, 5, 2, 0],
    };
    for (const [month, figures] of Object.entries(ended)) assert.deepEqual(await told(month), figures, month);
    assert.deepEqual(await told('2040-06'), [2, 2, 32, 0, 0, 1]);
    assert.deepEqual(await told(), await told('2040-06'));
    moveTo('08-01');
    await app.call(deleteIndex, { index_id: kept });
    await app.recover();
    for (const [month, figures] of Object.entries(ended)) assert.deepEqual(await told(month), figures, month);
    assert.deepEqual(await told('2040-06'), [1, 2, 32, 0, 0, 1]);
    assert.deepEqual(await told('2040-07'), [1, 2, 32, 0, 0, 0]);
    assert.deepEqual(await told('2040-08'), [1, 0, 0, 0, 0, 0]);
  });

  it('reports the period of the requested month, however long before the organization', async () => {
    const periodOf = async (month: string) => {
      const { period_start, period_end } = (await ask(month)).body;
      return [period_start, period_end];
    };
    assert.deepEqual(await periodOf('2040-02'), ['2040-02-01T00:00:00.000Z', '2040-03-01T00:00:00.000Z']);
    assert.deepEqual(await periodOf('0000-12'), ['0000-12-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z']);
    assert.deepEqual(await told('0000-12'), [0, 0, 0, 0, 0, 0]);
  });

  it('is refused for a month that has not begun, and for what is no month', async () => {
    const refusal = async (month: string) => {
      const { status, body } = await ask(month);
      return [status, body.detail];
    };
    const loc = ['query', 'month'];
    assert.deepEqual(await refusal('2040-09'), [422, [{ loc, msg: 'The month has not started', type: 'value_error' }]]);
    const msg = String.raw`String should match pattern '^\d{4}-(0[1-9]|1[0-2])$'`;
    for (const month of ['2040-13', '2040-5', '2040-05-01', 'may', ''])
      assert.deepEqual(await refusal(month), [422, [{ loc, msg, type: 'string_pattern_mismatch' }]], month);
  });
});
