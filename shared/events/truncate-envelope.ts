import type { Processing } from '../pipeline/processing.ts';
import { attributesByPhase } from '../pipeline/steps.ts';
import type { Envelope } from './event-data.ts';
import { headOf } from '../kernel/text.ts';

/** Maximum size of an envelope in bytes of UTF-8. */
export const envelopeLimitBytes = 61_440;

/** Maximum number of code points of the text of a file in an event. */
export const maxSparseTextCharacters = 4_000;
const shortErrorLimit = 500;
const maxEndSteps = 20;
/** Attributes of a step that survive truncation: the figures of its phase, and the two that truncation adds. */
const knownAttributes: ReadonlySet<string> = new Set([...Object.values(attributesByPhase).flat(), 'failed', 'steps']);

type Step = Processing['path'][number];
type Attributes = Step['attributes'];

const sizeBytes = (envelope: Envelope): number => Buffer.byteLength(JSON.stringify(envelope));

const mapJob = (
  envelope: Envelope,
  change: (job: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Envelope =>
  'job' in envelope.data
    ? { ...envelope, data: { ...envelope.data, job: change(envelope.data.job) } as Envelope['data'] }
    : envelope;

const mapPath = (envelope: Envelope, change: (path: readonly Step[]) => Step[]): Envelope =>
  'processing' in envelope.data
    ? {
        ...envelope,
        data: {
          ...envelope.data,
          processing: { ...envelope.data.processing, path: change(envelope.data.processing.path) },
        },
      }
    : envelope;

const cutSparseText = (envelope: Envelope, codePoints: number): Envelope =>
  mapJob(envelope, (job) => {
    const text = job['sparse_text'];
    if (typeof text !== 'string') return { ...job };
    const head = headOf(text, codePoints);
    return {
      ...job,
      sparse_text: head,
      sparse_text_truncated: job['sparse_text_truncated'] === true || head.length < text.length,
    };
  });

/** Returns an envelope without the text of its file. The text counts as truncated unless it was empty. */
export const withoutText = (envelope: Envelope): Envelope => cutSparseText(envelope, 0);

const sparseTextLength = (envelope: Envelope): number =>
  'job' in envelope.data && 'sparse_text' in envelope.data.job ? Array.from(envelope.data.job.sparse_text).length : 0;

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Adds up numbers. Of other values, the left one stays. */
const mergedAttributes = (left: Attributes, right: Attributes): Attributes => ({
  ...right,
  ...Object.fromEntries(
    Object.entries(left).map(([key, value]) => {
      const other = right[key];
      return [key, isNumber(value) && isNumber(other) ? value + other : value];
    }),
  ),
});

const mergeAdjacent = (path: readonly Step[]): Step[] => {
  const merged: Step[] = [];
  for (const step of path) {
    const last = merged.at(-1);
    if (last === undefined || last.phase !== step.phase) merged.push(step);
    else {
      merged[merged.length - 1] = {
        phase: step.phase,
        duration_ms: last.duration_ms + step.duration_ms,
        attributes: mergedAttributes(last.attributes, step.attributes),
      };
    }
  }
  return merged;
};

const keepKnownAttributes = (path: readonly Step[]): Step[] =>
  path.map((step) => ({
    ...step,
    attributes: Object.fromEntries(
      Object.entries(step.attributes).filter(
        ([key, value]) => knownAttributes.has(key) && (isNumber(value) || typeof value === 'boolean'),
      ),
    ),
  }));

const keepEnds = (path: readonly Step[]): Step[] => {
  const middle = path.slice(maxEndSteps, -maxEndSteps);
  if (middle.length < 2) return [...path];
  const compacted = {
    phase: 'compacted',
    duration_ms: middle.reduce((total, step) => total + step.duration_ms, 0),
    attributes: { steps: middle.length },
  };
  return [...path.slice(0, maxEndSteps), compacted, ...path.slice(-maxEndSteps)];
};

const shortenError = (envelope: Envelope): Envelope =>
  mapJob(envelope, (job) => ({
    ...job,
    ...(typeof job['error'] === 'string' ? { error: headOf(job['error'], shortErrorLimit) } : {}),
  }));

const boundStrings = <Fields extends object>(fields: Fields, codePoints: number): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'string' && key !== 'sparse_text' ? headOf(value, codePoints) : value,
    ]),
  ) as Fields;

/** Limits the length of names. Validation keeps them shorter, so this only guards the limit of the envelope. */
const shortenNames = (envelope: Envelope): Envelope => {
  const records = Object.entries<object>({ ...envelope.data }).map(
    ([key, record]) => [key, boundStrings(record, 255)] as const,
  );
  const short = { ...envelope, data: Object.fromEntries(records) as unknown as Envelope['data'] };
  return mapPath(short, (path) => path.map((step) => boundStrings(step, 64)));
};

const reductions: readonly ((envelope: Envelope) => Envelope)[] = [
  (envelope) => mapPath(envelope, mergeAdjacent),
  (envelope) => mapPath(envelope, keepKnownAttributes),
  (envelope) => mapPath(envelope, keepEnds),
  shortenError,
  shortenNames,
];

/**
 * Returns an envelope within the limit. It drops only as much as necessary, the least useful parts first. `sparse_text`
 * never exceeds `maxSparseTextCharacters`. The durations of the path keep their sum. Idempotent; never throws.
 */
export const truncateEnvelope = (envelope: Envelope, limitBytes = envelopeLimitBytes): Envelope => {
  let truncated = cutSparseText(envelope, maxSparseTextCharacters);
  for (const reduce of reductions) {
    if (sizeBytes(truncated) <= limitBytes) return truncated;
    truncated = reduce(truncated);
  }
  while (sizeBytes(truncated) > limitBytes && sparseTextLength(truncated) > 0) {
    truncated = cutSparseText(truncated, Math.floor(sparseTextLength(truncated) / 2));
  }
  return truncated;
};
