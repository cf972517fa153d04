import type { Clock } from '../kernel/clock.ts';
import type { JsonObject } from '../kernel/json.ts';

/** Phases of a task in order, with the figures of their steps. */
export const attributesByPhase = {
  'content.extract': ['pages', 'ocr_credits', 'audio_credits', 'audio_seconds'],
  'multimodal.credits': ['total_credits'],
  'embedding.generate': ['vectors', 'tokens'],
  'index.write': ['batches'],
} as const;

export type Phase = keyof typeof attributesByPhase;

/** Figures of a step. */
export type Figures = { readonly [Name in (typeof attributesByPhase)[Phase][number]]?: number };

/** Timed phase of one attempt, stored with its task. */
export type TraceStep = {
  readonly attempt: number;
  readonly phase: Phase;
  /** RFC 3339 UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly attributes: JsonObject;
};

/** Maximum steps of a trace. Beyond it, the steps of the earlier half are merged by phase. */
const maxSteps = 100;

/**
 * Bounds the trace with which another attempt begins, because a task may wait for hours and begin hundreds of times. The
 * total duration of each phase stays the same.
 */
export const boundTrace = (trace: readonly TraceStep[]): TraceStep[] => {
  if (trace.length <= maxSteps) return [...trace];
  const merged = new Map<Phase, TraceStep>();
  for (const step of trace.slice(0, -maxSteps / 2)) {
    const { attempt, started_at, duration_ms, attributes } = merged.get(step.phase) ?? { ...step, duration_ms: 0 };
    merged.set(step.phase, {
      attempt,
      phase: step.phase,
      started_at,
      duration_ms: duration_ms + step.duration_ms,
      attributes: { ...attributes, ...step.attributes },
    });
  }
  return [...merged.values(), ...trace.slice(-maxSteps / 2)];
};

/** Runs one phase and appends its step to `trace`. If the phase throws, the step has `failed: true`. */
export const timed = async <Result>(
  at: { readonly clock: Clock; readonly attempt: number; readonly trace: TraceStep[] },
  phase: Phase,
  work: () => Promise<{ readonly result: Result; readonly attributes: Figures }>,
): Promise<Result> => {
  const startedAt = at.clock.now();
  const finish = (attributes: JsonObject): void => {
    const durationMs = at.clock.now().getTime() - startedAt.getTime();
    at.trace.push({
      attempt: at.attempt,
      phase,
      started_at: startedAt.toISOString(),
      duration_ms: durationMs,
      attributes,
    });
  };
  try {
    const { result, attributes } = await work();
    finish(attributes);
    return result;
  } catch (error) {
    finish({ failed: true });
    throw error;
  }
};
