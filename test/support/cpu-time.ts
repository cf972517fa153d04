import assert from 'node:assert/strict';

/** Milliseconds that this process computes at `work`, however long it waits for its turn on a busy machine. */
const cpuMsOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** What the first run of anything may take more, and a garbage collection. */
const slackMs = 200;

/** Asserts that `work` takes about as long as `usual`, which has as much to do, and not many times as long. */
export const assertUsual = async (work: () => unknown, usual: () => unknown, label: string): Promise<void> => {
  const usualMs = await cpuMsOf(usual);
  const ms = await cpuMsOf(work);
  assert.ok(ms < 10 * usualMs + slackMs, `${label}: ${ms} ms where ${usualMs} are usual`);
};

/** Asserts that time grows as its amount does: with four times as much of it, work that squares takes sixteen times as long. */
export const assertLinear = async (work: (amount: number) => unknown, most: number, label: string): Promise<void> => {
  const fewMs = await cpuMsOf(() => work(Math.floor(most / 4)));
  const ms = await cpuMsOf(() => work(most));
  assert.ok(ms < 9 * fewMs + slackMs, `${label}: ${fewMs} ms, and ${ms} for four times as much`);
};
