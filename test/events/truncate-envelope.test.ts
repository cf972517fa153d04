import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Envelope, fileCompleted, fileFailed } from '../../shared/events/index.ts';
import { attributesByPhase } from '../../shared/pipeline/steps.ts';
import { checkCompaction, type Completed } from './support/truncation.ts';

test('a truncated envelope fits the limit, keeps the total duration, and does not change again', () => {
  checkCompaction({ seed: 20_300_101, numRuns: 1_000 });
});

const processingOf = (steps: number) => ({
  job_id: 'job_1',
  ocr_credits: 1,
  audio_credits: 0,
  audio_seconds: 0,
  serverless_invocations: steps,
  end_to_end_latency_ms: 1_000,
  path: Array.from({ length: steps }, (_, at) => ({
    phase: at % 2 === 0 ? 'content.extract' : 'index.write',
    duration_ms: at,
    attributes: { pages: 1, note: 'x'.repeat(40) },
  })),
});

const job = { id: 'job_1', index_id: 'idx_1', filename: 'a.pdf' };
const origin = { organizationId: 'org_1', at: new Date('2030-01-01T00:00:00.000Z') };

test('an envelope within the limit is unchanged and a larger one keeps both ends of its path', () => {
  const completed = {
    ...job,
    status: 'completed' as const,
    vectors_written: 3,
    sparse_text: 'text',
    sparse_text_truncated: false,
  };
  const small = fileCompleted({ ...origin, job: completed, processing: processingOf(50) });
  assert.deepEqual(JSON.parse(small.body), {
    type: 'file.processing.completed',
    created_at: '2030-01-01T00:00:00.000Z',
    organization_id: 'org_1',
    data: { job: completed, processing: processingOf(50) },
  });
  const large = JSON.parse(
    fileCompleted({ ...origin, job: completed, processing: processingOf(2_000) }).body,
  ) as Envelope;
  const compactPath = (large.data as Completed).processing.path;
  const total = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => from + at).reduce((sum, ms) => sum + ms, 0);
  assert.equal(compactPath.length, 41);
  assert.deepEqual(compactPath[20], {
    phase: 'compacted',
    duration_ms: total(20, 1_980),
    attributes: { steps: 1_960 },
  });
  assert.deepEqual(compactPath[40], { phase: 'index.write', duration_ms: 1_999, attributes: { pages: 1 } });
  assert.equal((large.data as Completed).job.sparse_text, 'text');
});

test('a truncated event keeps the figures of every phase', () => {
  const path = Object.entries(attributesByPhase).map(([phase, names]) => ({
    phase,
    duration_ms: 5,
    attributes: { ...Object.fromEntries(names.map((name, at) => [name, at + 1])), failed: true },
  }));
  const noisy = path.map((step) => ({ ...step, attributes: { ...step.attributes, note: 'x'.repeat(20_000) } }));
  const failed = { ...job, error: 'It could not be read', error_code: 'processing_failed' as const };
  const { body } = fileFailed({ ...origin, job: failed, processing: { ...processingOf(0), path: noisy } });
  assert.deepEqual(((JSON.parse(body) as Envelope).data as Completed).processing.path, path);
});

test('an event is stored without unknown fields', () => {
  const failed = fileFailed({
    ...origin,
    job: { ...job, error: 'It could not be read', error_code: 'processing_failed', secret: 'never' } as Parameters<
      typeof fileFailed
    >[0]['job'],
    processing: processingOf(1),
  });
  const { data } = JSON.parse(failed.body) as { data: { job: Record<string, string> } };
  assert.deepEqual(Object.keys(data.job), ['id', 'index_id', 'filename', 'error', 'error_code']);
});
