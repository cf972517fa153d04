import type { Client, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { paths } from './schema.ts';
import { StrataError } from './strata-error.ts';

/** The underlying client: typed paths, whole responses. */
export type Api = Client<paths>;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Arguments<Init> = undefined extends Init ? [init?: Init] : [init: Init];

type Answer<M extends Method, Path extends ClientPathsWithMethod<Api, M>> = [MethodResponse<Api, M, Path>] extends [
  never,
]
  ? undefined
  : MethodResponse<Api, M, Path>;

/**
 * Calls an operation by its path in the OpenAPI description, followed by parameters and body. Resolves to the body of the
 * response. Throws StrataError for a response other than a success.
 */
export type Operation<M extends Method> = <Path extends ClientPathsWithMethod<Api, M>>(
  path: Path,
  ...init: Arguments<MaybeOptionalInit<paths[Path], M>>
) => Promise<Answer<M, Path>>;

type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;

/** Paths of paginated lists. */
export type PagedPath = {
  [Path in keyof paths]: [QueryOf<Path>] extends [never] ? never : 'cursor' extends keyof QueryOf<Path> ? Path : never;
}[keyof paths] &
  ClientPathsWithMethod<Api, 'get'>;

type Item<List> = List extends readonly (infer Value)[] ? Value : never;

/** Iterates over a list from its first page to its last. Throws StrataError. */
export type Pages = <Path extends PagedPath>(
  path: Path,
  ...init: Arguments<MaybeOptionalInit<paths[Path], 'get'>>
) => AsyncGenerator<Item<Answer<'get', Path>>, void>;

interface Init {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> };
  readonly parseAs?: 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream' | 'formData';
}

interface Answered {
  readonly data?: unknown;
  readonly response: Response;
}

export const isJson = ({ headers }: Response): boolean => /[/+]json\b/i.test(headers.get('content-type') ?? '');

/** Parses the text of a response. A proxy may have sent a page in its place, or the beginning of it. Throws StrataError. */
const parseJson = (request: string, response: Response, text: string): unknown => {
  try {
    if (isJson(response)) return JSON.parse(text);
  } catch {
    throw new StrataError(request, response, `JSON that is cut or invalid: ${text}`);
  }
  throw new StrataError(request, response, text);
};

/** Binds the operations to an API. The OpenAPI description types their arguments, which their code does not check. */
export const bindOperations = (api: Api, address: string) => {
  const send = api.request as unknown as (method: Method, path: string, init: Init) => Promise<Answered>;
  const request = async (method: Method, path: string, init: Init = {}): Promise<Answered> => {
    const { parseAs = 'json' } = init;
    if (parseAs !== 'json') return send(method, path, init);
    const { data, response } = await send(method, path, { ...init, parseAs: 'text' });
    if (response.status === 204) return { response };
    const text = typeof data === 'string' ? data : '';
    return { data: parseJson(`${method.toUpperCase()} ${address}${path}`, response, text), response };
  };
  const operation =
    (method: Method) =>
    async (path: string, init?: Init): Promise<unknown> =>
      (await request(method, path, init)).data;
  async function* pages(path: string, init?: Init): AsyncGenerator<unknown, void> {
    let cursor = init?.params?.query?.['cursor'];
    do {
      const query = { ...init?.params?.query, cursor };
      const { data, response } = await request('get', path, { ...init, params: { ...init?.params, query } });
      yield* data as readonly unknown[];
      cursor = response.headers.get('x-next-cursor') ?? undefined;
    } while (cursor !== undefined);
  }
  return {
    get: operation('get') as Operation<'get'>,
    post: operation('post') as Operation<'post'>,
    put: operation('put') as Operation<'put'>,
    patch: operation('patch') as Operation<'patch'>,
    delete: operation('delete') as Operation<'delete'>,
    pages: pages as Pages,
  };
};
