import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { startService } from '../../scripts/support/start-service.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** The service in a process of its own, as `npm start` runs it, with an organization whose plan has no rate limit. */
export interface Service {
  readonly baseUrl: string;
  readonly dataDirectory: string;
  readonly organizationId: string;
  /** Sends one request with a JSON body; rejects for any response but 2xx. */
  readonly call: (method: Method, path: string, body?: unknown) => Promise<unknown>;
  /** The same, with the JSON of the body. Waits if it is asked to. */
  readonly send: (method: Method, path: string, body: string | null) => Promise<unknown>;
  /** Returns the requests that were answered with 429 so far, and repeated. */
  readonly waits: () => number;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Requests with one credential. */
export interface Connection extends Pick<Service, 'call' | 'send' | 'waits'> {
  /** Sends one request with the JSON of its body; resolves with any response. */
  readonly ask: (method: Method, path: string, body: string | null) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Milliseconds after which a request that was asked to wait is repeated. */
const waitMs = 1_000;

/** Calls a service with a credential. */
export const connect = (baseUrl: string, token: string): Connection => {
  const pool = new Pool(baseUrl, { connections: 64, headersTimeout: 120_000 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask: Connection['ask'] = async (method, path, body) => {
    const answer = await pool.request({ method, path, headers, body });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  let waits = 0;
  const send: Service['send'] = async (method, path, body) => {
    let { status, text } = await ask(method, path, body);
    // An index that adds rows to its table asks clients to wait. The time is part of what is measured.
    for (; status === 429; { status, text } = await ask(method, path, body)) {
      waits += 1;
      await delay(waitMs);
    }
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  };
  const call: Service['call'] = (method, path, body) =>
    send(method, path, body === undefined ? null : JSON.stringify(body));
  return { ask, call, send, waits: () => waits, close: () => pool.destroy() };
};

/** Sends one request with a credential. */
const once = async (baseUrl: string, token: string, path: string, body: object): Promise<unknown> => {
  const { call, close } = connect(baseUrl, token);
  try {
    return await call('POST', path, body);
  } finally {
    await close();
  }
};

/** Signs a new user in. Returns the token of the session and the id of the user's organization. */
export const signIn = async (baseUrl: string): Promise<{ readonly token: string; readonly organizationId: string }> => {
  const person = { email: `${randomBytes(8).toString('hex')}@example.com`, name: 'Bench' };
  const identity = (await once(baseUrl, 'none', '/_local/id-token', person)) as { readonly id_token: string };
  const session = (await once(baseUrl, identity.id_token, '/v1/auth/bootstrap', {})) as {
    readonly session_token: string;
    readonly organizations: readonly { readonly organization_id: string }[];
  };
  return { token: session.session_token, organizationId: session.organizations[0]?.organization_id ?? '' };
};

/** Moves an organization to the largest plan, which has no rate limit. */
export const moveToLargestPlan = async (baseUrl: string, organizationId: string): Promise<void> => {
  const plan = ['scripts/set-plan.ts', '--local', baseUrl, '--organization', organizationId, '--plan', 'enterprise'];
  await promisify(execFile)(process.execPath, plan, { cwd: projectDirectory });
};

/** Starts the service on an empty directory. @param flags More options of `npm start`. */
export const openService = async (dataDirectory: string, flags: readonly string[] = []): Promise<Service> => {
  const { ready, stop } = startService({ dataDirectory, flags });
  const { base_url: baseUrl, api_key: key, organization_id: organization } = await ready;
  await moveToLargestPlan(baseUrl, organization);
  const { call, send, waits, close: disconnect } = connect(baseUrl, key);
  const close = async (): Promise<void> => {
    await disconnect();
    await stop();
  };
  return { baseUrl, dataDirectory, organizationId: organization, call, send, waits, close };
};
