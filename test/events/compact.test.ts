import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compactEnvelope,
  type Envelope,
  envelopeLimitBytes,
  fileCompleted,
  fileFailed,
} from '../../shared/events/index.ts';

type Completed = Extract<Envelope['data'], { job: { sparse_text: string } }>;

const text = (most: number) => fc.string({ unit: 'binary', maxLength: most });

const attributeValue = fc.oneof(fc.nat(1e9), fc.boolean(), text(2_000), fc.array(fc.nat(), { maxLength: 300 }));

const step = fc.record({
  phase: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.constantFrom('content.extract', 'multimodal.credits', 'embedding.generate', 'index.write'),
    },
    { weight: 1, arbitrary: text(3_000) },
  ),
  duration_ms: fc.nat(86_400_000),
  attributes: fc.dictionary(
    fc.oneof(fc.constantFrom('pages', 'vectors', 'batches', 'ocr_credits'), text(50)),
    attributeValue,
    {
      maxKeys: 5,
    },
  ),
});

/** Long paths come from repeating a short one, so that a thousand cases take a moment. */
const path = fc
  .tuple(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }))
  .map(([steps, times]) => Array.from({ length: times }, () => steps).flat());

/** Plain letters, control characters (six bytes each in JSON), astral characters and lone surrogates, up to 100,000 long. */
const sparseText = fc
  .tuple(fc.oneof(fc.constantFrom('ab ', '\u0001', '😀', '\ud800x', '字'), text(20)), fc.nat(5_000))
  .map(([unit, times]) => unit.repeat(times));

const envelope = fc.record({
  type: fc.constantFrom('file.processing.completed' as const, 'file.processing.failed' as const),
  created_at: fc.constant('2030-01-01T00:00:00.000Z'),
  organization_id: fc.constant('org_1'),
  data: fc.record({
    job: fc.record({
      id: fc.constant('job_1'),
      index_id: fc.constant('idx_1'),
      filename: text(5_000),
      status: fc.constant('completed' as const),
      vectors_written: fc.nat(),
      sparse_text: sparseText,
      sparse_text_truncated: fc.boolean(),
      error: text(5_000),
      error_code: fc.constant('processing_failed' as const),
    }),
    processing: fc.record({
      job_id: fc.constant('job_1'),
      ocr_credits: fc.nat(),
      audio_credits: fc.nat(),
      audio_seconds: fc.nat(),
      serverless_invocations: fc.nat(),
      end_to_end_latency_ms: fc.nat(),
      path,
    }),
  }),
});

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const totalMs = (value: Envelope): number =>
  'processing' in value.data
    ? value.data.processing.path.reduce((total, { duration_ms }) => total + duration_ms, 0)
    : 0;

const jobOf = (value: Envelope): Completed['job'] => (value.data as Completed).job;

test('compaction always fits, keeps the total duration, and a repeat changes nothing', () => {
  fc.assert(
    fc.property(envelope, (generated) => {
      const input = generated as unknown as Envelope;
      const compact = compactEnvelope(input);
      assert.ok(bytesOf(compact) <= envelopeLimitBytes);
      assert.equal(totalMs(compact), totalMs(input));
      assert.deepEqual(compactEnvelope(compact), compact);
      const [before, after] = [jobOf(input), jobOf(compact)];
      assert.ok(Array.from(after.sparse_text).length <= 4_000);
      assert.ok(before.sparse_text.toWellFormed().startsWith(after.sparse_text));
      assert.equal(
        after.sparse_text_truncated,
        before.sparse_text_truncated || after.sparse_text.length < before.sparse_text.length,
      );
    }),
    { seed: 20_300_101, numRuns: 1_000 },
  );
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

test('what fits is not touched; what does not keeps both ends of the path', () => {
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

test('fields that an event does not have are left out, and an error is bounded', () => {
  const failed = fileFailed({
    ...origin,
    job: { ...job, error: 'e'.repeat(10_000), error_code: 'processing_failed', secret: 'never' } as Parameters<
      typeof fileFailed
    >[0]['job'],
    processing: processingOf(1),
  });
  const { data } = JSON.parse(failed.body) as { data: { job: Record<string, string> } };
  assert.deepEqual(Object.keys(data.job), ['id', 'index_id', 'filename', 'error', 'error_code']);
  assert.equal(data.job['error']?.length, 2_000);
});
