import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';

const projectDirectory = join(import.meta.dirname, '..', '..');

const Ready = z.object({
  base_url: z.string(),
  api_key: z.string(),
  session_token: z.string(),
  organization_id: z.string(),
  docs_url: z.string(),
});

/** The running service with credentials, and how to ask and to stop it. */
export interface Service {
  readonly baseUrl: string;
  /** Asks with the API key; throws with the answer's text unless it is 2xx. */
  readonly ask: <Schema extends z.ZodType>(
    method: string,
    path: string,
    schema: Schema,
    body?: unknown,
  ) => Promise<z.output<Schema>>;
  /** The same with the owner's session. */
  readonly askAsOwner: Service['ask'];
  readonly stop: () => Promise<void>;
}

const asker =
  (baseUrl: string, bearer: string): Service['ask'] =>
  async (method, path, schema, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return schema.parse(JSON.parse(text));
  };

const firstLine = (child: ChildProcess, lastWords: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${lastWords()}`)));
  });

/** Starts the service as `npm start` does, on a data directory of its own; `onPhase` hears what it is doing. */
export const startService = async (dataDirectory: string, onPhase: (phase: string) => void): Promise<Service> => {
  const script = join(projectDirectory, 'local', 'start.mjs');
  const child = spawn(
    process.execPath,
    [script, '--port', '0', '--data', dataDirectory, '--json', '--allow-local-webhooks'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let words = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    words = line;
    onPhase(line.replace(/^\s*[\d.]+ s\s+/, ''));
  });
  const ready = Ready.parse(JSON.parse(await firstLine(child, () => words)));
  return {
    baseUrl: ready.base_url,
    ask: asker(ready.base_url, ready.api_key),
    askAsOwner: asker(ready.base_url, ready.session_token),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
};
