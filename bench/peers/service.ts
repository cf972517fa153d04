import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { startService } from '../../scripts/support/start-service.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** The service in a process of its own, as `npm start` runs it, with an organization whose plan bounds no rate. */
export interface Service {
  readonly baseUrl: string;
  readonly dataDirectory: string;
  readonly organizationId: string;
  /** One request with a JSON body; rejects on any answer but 2xx. */
  readonly call: (method: Method, path: string, body?: unknown) => Promise<unknown>;
  /** The same, with the JSON of the body. */
  readonly send: (method: Method, path: string, body: string | null) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Calls a service with a credential. */
export const connect = (baseUrl: string, token: string): Pick<Service, 'call' | 'send'> & { readonly pool: Pool } => {
  const pool = new Pool(baseUrl, { connections: 64, headersTimeout: 120_000 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send: Service['send'] = async (method, path, body) => {
    const answer = await pool.request({ method, path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  };
  const call: Service['call'] = (method, path, body) =>
    send(method, path, body === undefined ? null : JSON.stringify(body));
  return { call, send, pool };
};

/** Starts the service on an empty directory. @param flags More options of `npm start`. */
export const openService = async (dataDirectory: string, flags: readonly string[] = []): Promise<Service> => {
  const { ready, stop } = startService({ dataDirectory, flags });
  const { base_url: baseUrl, api_key: key, organization_id: organization } = await ready;
  const plan = ['scripts/set-plan.ts', '--local', baseUrl, '--organization', organization, '--plan', 'enterprise'];
  await promisify(execFile)(process.execPath, plan, { cwd: projectDirectory });
  const { call, send, pool } = connect(baseUrl, key);
  const close = async (): Promise<void> => {
    await pool.destroy();
    await stop();
  };
  return { baseUrl, dataDirectory, organizationId: organization, call, send, close };
};
