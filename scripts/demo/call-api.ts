import * as z from 'zod';

/** A request of the public API. */
interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From `/` on. */
  readonly path: string;
  readonly body?: unknown;
}

/** Calls the API with one credential. */
export interface Api {
  /** The answer's body. @throws Error that names the request and what was answered instead of a 2xx. */
  readonly call: <Schema extends z.ZodType>(request: Request, schema: Schema) => Promise<z.output<Schema>>;
}

const longestAnswer = 600;

/** Binds address and bearer value. */
export const openApi = (baseUrl: string, bearer: string): Api => ({
  call: async ({ method, path, body }, schema) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, longestAnswer)}`);
    }
    const parsed = schema.safeParse(text === '' ? undefined : JSON.parse(text));
    if (!parsed.success)
      throw new Error(`${method} ${path} answered in another form: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  },
});
