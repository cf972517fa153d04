import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Caller } from './organization.ts';

const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** The service as its own process, started as a user starts it. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly key: Caller;
  readonly session: Caller;
  /** SIGKILL, at once; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
}

const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** Starts the service on a data directory and waits until it serves. Throws with its last words where it does not. */
export const startProcess = async (dataDirectory: string, port = 0): Promise<ServiceProcess> => {
  const args = [
    join(projectDirectory, 'local', 'start.mjs'),
    '--port',
    String(port),
    '--data',
    dataDirectory,
    '--json',
    '--allow-local-webhooks',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words = `${words}${text}`.slice(-4000)));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${words}`)));
  });
  const {
    base_url: baseUrl,
    api_key,
    session_token,
  } = JSON.parse(line) as { base_url: string; api_key: string; session_token: string };
  return {
    baseUrl,
    key: { baseUrl, bearer: api_key },
    session: { baseUrl, bearer: session_token },
    kill: async () => {
      child.kill('SIGKILL');
      await exited(child);
    },
  };
};
