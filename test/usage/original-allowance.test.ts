import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { originalAllowance } from '../../shared/usage/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { everyPoint } from '../support/every-point.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { randomFrom } from '../support/random.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const allowance = originalAllowance.make(cloud.runtime);

/** An organization whose originals are stored in a set. */
const newOrganization = () => {
  const organizationId = newId('org', cloud.runtime.clock.now());
  const stored = new Set<string>();
  const isStored = ({ id }: { readonly id: string }): Promise<boolean> => Promise.resolve(stored.has(id));
  const newOriginal = (): string => newId('job', cloud.runtime.clock.now());
  /** Reserves an original, and leaves it without a record. */
  const reserve = (id: string, bytes: number) =>
    allowance.reserve('developer', { organizationId, id, indexId: null, bytes, isStored });
  return {
    organizationId,
    newOriginal,
    reserve,
    add: async (id: string, bytes: number): Promise<void> => {
      const confirm = await reserve(id, bytes);
      stored.add(id);
      await confirm();
    },
    resize: (id: string, bytes: number) => allowance.resize(organizationId, id, bytes),
    release: (id: string) => allowance.release(organizationId, id),
    /** Bytes, number and open reservations. */
    total: async () => {
      const item = await openTable(cloud.runtime, 'usage').get({ pk: `ORIGINALS#${organizationId}`, sk: 'TOTAL' });
      const open = (item?.['open'] as ReadonlySet<string> | undefined)?.size ?? 0;
      return [item?.['bytes'] ?? 0, item?.['originals'] ?? 0, open];
    },
  };
};

const isRefused = (limit: number, current: number) => (error: unknown) =>
  error instanceof AppError &&
  error.code === 'plan_limit_reached' &&
  error.fields['limit'] === limit &&
  error.fields['current'] === current;

test('originals count with their bytes from their reservation to their release', async (context) => {
  changeLimits(context)({ original_bytes: 100, originals: 3 });
  const { add, resize, release, total, newOriginal } = newOrganization();
  const [first, second, third, fourth] = [newOriginal(), newOriginal(), newOriginal(), newOriginal()];
  await add(first, 60);
  await add(first, 60);
  assert.deepEqual(await total(), [60, 1, 0]);
  await assert.rejects(add(second, 41), isRefused(100, 60));
  await resize(first, 20);
  await add(second, 80);
  assert.deepEqual(await total(), [100, 2, 0]);
  await add(third, 0);
  await assert.rejects(add(fourth, 0), isRefused(3, 3));
  for (const _ of ['once', 'again']) await release(second);
  await resize(second, 50);
  assert.deepEqual(await total(), [20, 2, 0]);
  await add(fourth, 80);
  assert.deepEqual(await total(), [100, 3, 0]);
});

test('an original is counted, resized and released once, at whichever request its run dies', async () => {
  const points = await everyPoint({ step: 1 }, async (fault) => {
    const { add, resize, release, total, newOriginal } = newOrganization();
    const [other, id] = [newOriginal(), newOriginal()];
    await add(other, 5);
    const died = await cloud.dieAt(fault, async () => {
      await add(id, 10);
      await resize(id, 7);
      await release(id);
    });
    const [bytes, originals] = (await total()) as number[];
    assert.ok(Number(bytes) <= 15 && Number(originals) <= 2);
    await release(id);
    await release(id);
    assert.deepEqual(await total(), [5, 1, 0]);
    return died;
  });
  assert.ok(points > 10, `${points} points`);
});

test('a reservation whose record was never stored is released when others need it, a day later', async (context) => {
  changeLimits(context)({ original_bytes: 10 });
  await everyPoint({ step: 1 }, async (fault) => {
    const { reserve, add, total, newOriginal } = newOrganization();
    await reserve(newOriginal(), 10);
    await assert.rejects(add(newOriginal(), 1), isRefused(10, 10));
    cloud.advance(26 * 3_600);
    const next = newOriginal();
    const died = await cloud.dieAt(fault, () => add(next, 10));
    await add(next, 10);
    assert.deepEqual((await total()).slice(0, 2), [10, 1]);
    return died;
  });
});

test('concurrent reservations never exceed the limit, and a retry adds nothing', async (context) => {
  changeLimits(context)({ original_bytes: 25 });
  for (let round = 0; round < 6; round += 1) {
    const { add, release, total, newOriginal } = newOrganization();
    const ids = Array.from({ length: 12 }, newOriginal);
    cloud.turns.shuffle(randomFrom(round));
    const outcomes = await Promise.allSettled([...ids, ...ids].map((id) => add(id, 3)));
    cloud.turns.shuffle(null);
    assert.deepEqual((await total()).slice(0, 2), [24, 8], `round ${round}`);
    assert.ok(outcomes.some(({ status }) => status === 'rejected'));
    cloud.turns.shuffle(randomFrom(round + 100));
    await Promise.all([...ids, ...ids].map((id) => release(id)));
    cloud.turns.shuffle(null);
    assert.deepEqual(await total(), [0, 0, 0], `round ${round}`);
  }
});
