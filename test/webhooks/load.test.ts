import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoad } from '../events/support/load.ts';

test(
  'endpoints that hang, drip, refuse, fail, are gone, redirect or send 2 GB keep no event from the others',
  { timeout: 180_000 },
  async () => {
    const load = { events: 24, endpoints: 20, eventsPerSecond: 2, patienceSeconds: 90 };
    const { missing, redirected, requests, residentMb } = await runLoad(load);
    assert.deepEqual([missing, redirected, requests.gone, requests.refuses], [0, 0, 1, 0]);
    assert.ok(requests.healthy >= 12 * load.events);
    // Sequential attempts of 15 seconds each. The second starts after the first has ended.
    assert.ok(requests.hangs <= 2 * 8 && requests.drips <= 8);
    assert.ok(requests.fails > load.events && requests.redirects > load.events);
    assert.ok(residentMb < 600);
  },
);
