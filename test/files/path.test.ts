import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JobRecord, toProcessing } from '../../shared/files/index.ts';
import type { TraceStep } from '../../shared/pipeline/steps.ts';
import { textTask } from '../support/text-task.ts';

const at = '2030-01-01T00:00:00.000Z';
const job = {
  id: 'job_1',
  organizationId: 'org_1',
  indexId: 'idx_1',
  invocations: new Set(),
  createdAt: at,
  queuedAt: at,
};

const taskOf = (ordinal: number, ...steps: readonly Pick<TraceStep, 'phase' | 'attributes'>[]) => ({
  ...textTask(job as unknown as JobRecord, { id: `task_${ordinal}`, ordinal }),
  trace: steps.map((step, before) => ({ attempt: before + 1, started_at: at, duration_ms: 2, ...step })),
});

test('a phase is marked as failed if its last attempt failed in any task', () => {
  const mended = taskOf(
    1,
    { phase: 'content.extract', attributes: { failed: true } },
    { phase: 'content.extract', attributes: { pages: 2 } },
    { phase: 'embedding.generate', attributes: { vectors: 3, tokens: 5 } },
  );
  const failed = taskOf(
    2,
    { phase: 'content.extract', attributes: { pages: 1 } },
    { phase: 'embedding.generate', attributes: { vectors: 1, tokens: 4 } },
    { phase: 'embedding.generate', attributes: { failed: true } },
  );
  for (const tasks of [
    [mended, failed],
    [failed, mended],
  ]) {
    assert.deepEqual(toProcessing(job as unknown as JobRecord, tasks, at).path, [
      { phase: 'content.extract', duration_ms: 6, attributes: { pages: 3 } },
      { phase: 'embedding.generate', duration_ms: 6, attributes: { vectors: 4, tokens: 9, failed: true } },
    ]);
  }
});
