import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { isRun, readGuides } from './guide-blocks.ts';

/** Number of blocks that cannot run here, by language and mark. A new one needs a reason. */
const notRun: Readonly<Record<string, number>> = {
  // Commands that need an account of AWS. `npm run test:docs` checks them against the models of its API.
  'sh aws': 11,
  // Needs an account at Pinecone.
  'python account': 1,
  // Policies and budgets, which are parsed.
  json: 4,
  // A workflow of GitHub Actions.
  yaml: 1,
};

const blocks = readGuides().flatMap((guide) => guide.blocks);

test('every code block of a guide runs in test:docs, or is one of the counted ones that need an account', () => {
  const others = blocks.filter((block) => !isRun(block)).map(({ language, mark }) => `${language} ${mark}`.trim());
  const counted = Object.entries(Object.groupBy(others, (name) => name)).map(([name, all = []]) => [name, all.length]);
  assert.deepEqual(Object.fromEntries(counted), notRun);
  assert.ok(blocks.filter(isRun).length > 20);
});

test('the shell and JSON blocks of the guides have no errors of syntax', () => {
  for (const { language, code } of blocks) {
    if (language === 'json') JSON.parse(code);
    if (language !== 'sh') continue;
    const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
    assert.equal(status, 0, `${stderr}\n${code}`);
  }
});
