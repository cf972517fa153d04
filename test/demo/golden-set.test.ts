import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goldenSetFile } from '../../scripts/demo/evaluate-handbook.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { passageMatcher } from '../../shared/evaluations/index.ts';
import { fromLines } from '../../shared/golden-sets/index.ts';

test('each passage of the golden set of the demo is in the handbook', () => {
  const files = globSync('docs/handbook/*.md', { cwd: projectDirectory });
  const paragraphs = files.flatMap((file) => readFileSync(join(projectDirectory, file), 'utf8').split('\n'));
  const questions = fromLines(readFileSync(goldenSetFile, 'utf8'));
  assert.ok(questions.length >= 15);
  for (const { query, relevant } of questions)
    for (const { text = '' } of relevant) assert.ok(paragraphs.some(passageMatcher(text)), query);
});
