import { randomBytes } from 'node:crypto';

/** An answer of the API, its body parsed where it is JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  readonly body: any;
}

export interface Caller {
  readonly baseUrl: string;
  readonly bearer: string | null;
}

/** One request; the body travels as JSON unless it is a string already. */
export const call = async (
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> => {
  const response = await fetch(`${caller.baseUrl}${path}`, {
    method,
    headers: {
      ...(caller.bearer === null ? {} : { authorization: `Bearer ${caller.bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A fresh organization with its owner's session and a key that may do everything. */
export interface TestOrganization {
  readonly id: string;
  readonly session: Caller;
  readonly key: Caller;
}

/** Signs a person in by the local identity provider; the first time makes their organization. */
const signIn = async (baseUrl: string, email: string): Promise<ApiAnswer> => {
  const { body } = await call({ baseUrl, bearer: null }, 'POST', '/_local/id-token', { email, name: 'Test Person' });
  return call({ baseUrl, bearer: body.id_token }, 'POST', '/v1/auth/bootstrap');
};

/** Makes an organization that no other test shares. */
export const newOrganization = async (baseUrl: string): Promise<TestOrganization> => {
  const opened = await signIn(baseUrl, `${randomBytes(8).toString('hex')}@example.com`);
  const session = { baseUrl, bearer: opened.body.session_token as string };
  const made = await call(session, 'POST', '/v1/api-keys', { name: 'test' });
  return { id: opened.body.organizations[0].organization_id, session, key: { baseUrl, bearer: made.body.token } };
};
