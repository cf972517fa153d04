import { createClient } from '#client';
import { advice, attempt, type Finding, ok, problem } from './finding.ts';

const timeoutMs = 10_000;

const checkHealth = async (url: string): Promise<Finding> => {
  try {
    const { status } = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(timeoutMs) });
    if (status === 200) return ok('service', `${url} answers`);
    return problem('service', `${url}/v1/health answers ${status}`, 'Look at the access log of the API.');
  } catch {
    return problem(
      'service',
      `${url} cannot be reached`,
      'Check the address, the network and a firewall or allow list.',
    );
  }
};

const checkDependencies = async (url: string, token: string): Promise<readonly Finding[]> => {
  const outcomes = await createClient({ baseUrl: url, token }).get('/v1/health/deep');
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'timeout');
  if (failed.length === 0) return [ok('dependencies', `all ${outcomes.length} answer`)];
  return failed.map(({ name, status, error }) =>
    problem(name, error ?? status, 'Look for health.dependency.failed in the log of the API.'),
  );
};

/** Checks that a service answers and, with the session token of an owner in STRATA_TOKEN, all that it depends on. */
export const checkService = async (url: string): Promise<readonly Finding[]> => {
  const health = await checkHealth(url);
  const { STRATA_TOKEN: token = '' } = process.env;
  if (health.level !== 'ok') return [health];
  if (token !== '') return [health, ...(await attempt('dependencies', () => checkDependencies(url, token)))];
  const action = 'Give the session token of an owner in STRATA_TOKEN to check tables, queues, buckets and models.';
  return [health, advice('dependencies', 'not checked', action)];
};
