import { startService } from '../../../scripts/support/start-service.ts';
import type { Caller } from './organization.ts';

/** The service as its own process, started as a user starts it. */
export interface ServiceProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly key: Caller;
  readonly session: Caller;
  /** SIGTERM; resolves when the process is gone. */
  readonly stop: () => Promise<void>;
  /** SIGKILL, at once; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
}

/** Starts the service on a data directory and waits until it serves. Throws with its last words where it does not. */
export const startProcess = async (
  dataDirectory: string,
  onLine: (line: string) => void = () => {},
): Promise<ServiceProcess> => {
  const { pid, ready, stop, kill } = startService({ dataDirectory, onPhase: onLine });
  const { base_url: baseUrl, api_key, session_token } = await ready;
  return { pid, stop, baseUrl, key: { baseUrl, bearer: api_key }, session: { baseUrl, bearer: session_token }, kill };
};
