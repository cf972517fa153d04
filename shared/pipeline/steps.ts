import type { Clock } from '../kernel/clock.ts';
import type { JsonObject } from '../kernel/json.ts';

/** One timed phase of one attempt, as it is kept with its task. */
export type TraceStep = {
  readonly attempt: number;
  readonly phase: string;
  /** RFC 3339 UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly attributes: JsonObject;
};

/** Runs one phase and appends its step to `trace`, also when it throws (with `failed: true`). */
export const timed = async <Result>(
  at: { readonly clock: Clock; readonly attempt: number; readonly trace: TraceStep[] },
  phase: string,
  work: () => Promise<{ readonly result: Result; readonly attributes: JsonObject }>,
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
