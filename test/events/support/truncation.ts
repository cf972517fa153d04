import assert from 'node:assert/strict';
import fc from 'fast-check';
import { truncateEnvelope, type Envelope, envelopeLimitBytes } from '../../../shared/events/index.ts';
import { attributesByPhase } from '../../../shared/pipeline/steps.ts';

export type Completed = Extract<Envelope['data'], { job: { sparse_text: string } }>;

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
    fc.oneof(fc.constantFrom(...Object.values(attributesByPhase).flat()), text(50)),
    attributeValue,
    {
      maxKeys: 5,
    },
  ),
});

/** Long paths repeat a short one, so that a thousand cases are fast. */
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

/** Truncates generated envelopes of every size and content, and throws if a result violates a property. */
export const checkCompaction = (options: { readonly seed: number; readonly numRuns: number }): void => {
  fc.assert(
    fc.property(envelope, (generated) => {
      const input = generated as unknown as Envelope;
      const compact = truncateEnvelope(input);
      assert.ok(bytesOf(compact) <= envelopeLimitBytes);
      assert.equal(totalMs(compact), totalMs(input));
      assert.deepEqual(truncateEnvelope(compact), compact);
      const [before, after] = [jobOf(input), jobOf(compact)];
      assert.ok(Array.from(after.sparse_text).length <= 4_000);
      assert.ok(before.sparse_text.toWellFormed().startsWith(after.sparse_text));
      assert.equal(
        after.sparse_text_truncated,
        before.sparse_text_truncated || after.sparse_text.length < before.sparse_text.length,
      );
    }),
    options,
  );
};
