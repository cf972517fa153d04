import { after, before, test } from 'node:test';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { explore, letterModels } from './explore.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp(letterModels);
});
after(() => app.close());

const [sequences, steps, seed] = [2, 60, 20261129];

test('an index and its branches have the rows of a plain map after every step, while it is rebuilt and restored', async (t) => {
  const taken = new Map<string, number>();
  for (let at = 0; at < sequences; at += 1)
    for (const [name, count] of await explore(app, seed + at, steps)) taken.set(name, (taken.get(name) ?? 0) + count);
  t.diagnostic([...taken].map(([name, count]) => `${name} ${count}`).join(', '));
});
