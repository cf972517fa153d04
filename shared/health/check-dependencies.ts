import type { Logger } from '../kernel/log.ts';
import type { DependencyHealth } from './schemas.ts';

/** Health check of one dependency, by a cheap request. */
export interface Probe {
  readonly name: string;
  /** Throws if the check fails. Null: there is nothing to check. */
  readonly run: ((signal: AbortSignal) => Promise<unknown>) | null;
}

/** Timeout of one check, shorter than that of the endpoint. */
const timeoutMs = 10_000;

const timedOut = Symbol('timed out');

const outcomeOf = async ({ run }: Probe): Promise<Pick<DependencyHealth, 'status'> & { readonly error: unknown }> => {
  if (run === null) return { status: 'skipped', error: null };
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<typeof timedOut>((resolve) => {
    signal.addEventListener('abort', () => resolve(timedOut), { once: true });
  });
  try {
    const first = await Promise.race([run(signal), late]);
    return { status: first === timedOut ? 'timeout' : 'ok', error: null };
  } catch (error) {
    return signal.aborted ? { status: 'timeout', error: null } : { status: 'failed', error };
  }
};

const check = async (probe: Probe, log: Logger): Promise<DependencyHealth> => {
  const began = performance.now();
  const { status, error } = await outcomeOf(probe);
  const ms = Math.round(performance.now() - began);
  if (status === 'failed' || status === 'timeout')
    log.warn('health.dependency.failed', { dependency: probe.name, status, duration_ms: ms, error });
  return { name: probe.name, status, ms, error: error === null ? null : error instanceof Error ? error.name : 'Error' };
};

/** Runs all checks concurrently, each for at most 10 seconds. Does not throw if a check fails. */
export const checkDependencies = (probes: readonly Probe[], log: Logger): Promise<readonly DependencyHealth[]> =>
  Promise.all(probes.map((probe) => check(probe, log)));
