import type {
  ErrorCode,
  ErrorResponse,
  OAuthError,
  OAuthErrorCode,
  ValidationError,
  VersionConflict,
} from './schema.ts';

/** Content of the body of an error response. Absent parts are null or empty. */
export interface Refusal {
  readonly code: ErrorCode | OAuthErrorCode | null;
  readonly detail: string | null;
  readonly problems: readonly ValidationError[];
  readonly limit: number | null;
  readonly current: number | null;
  readonly conflicts: readonly VersionConflict[];
}

type Fields = Readonly<Record<string, unknown>>;

const nothing: Refusal = { code: null, detail: null, problems: [], limit: null, current: null, conflicts: [] };

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isProblem = (value: unknown): value is ValidationError =>
  isObject(value) &&
  Array.isArray(value['loc']) &&
  typeof value['msg'] === 'string' &&
  typeof value['type'] === 'string';

const isConflict = (value: unknown): value is VersionConflict => isObject(value) && typeof value['id'] === 'string';

/** Whether a body is an error of the service. Codes newer than this client are accepted. */
const isErrorResponse = (body: Fields): body is Fields & Pick<ErrorResponse, 'code' | 'detail'> =>
  typeof body['code'] === 'string' && typeof body['detail'] === 'string';

/** Whether a body is an error of the token endpoint. Both fields are required, since other responses may have an `error`. */
const isOAuthError = (body: Fields): body is Fields & OAuthError =>
  typeof body['error'] === 'string' && typeof body['error_description'] === 'string';

const itemsOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] =>
  Array.isArray(value) ? value.filter((item): item is Item => isItem(item)) : [];

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Reads the body of an error response. It can be that of a proxy, with another format. */
export const readRefusal = (text: string): Refusal => {
  const body = parse(text);
  if (!isObject(body)) return nothing;
  if (isOAuthError(body)) return { ...nothing, code: body.error, detail: body.error_description };
  if (isErrorResponse(body)) {
    const [limit, current] = [numberOf(body['limit']), numberOf(body['current'])];
    const conflicts = itemsOf(body['conflicts'], isConflict);
    return { ...nothing, code: body.code, detail: body.detail, limit, current, conflicts };
  }
  const { detail } = body;
  if (typeof detail === 'string') return { ...nothing, detail };
  const problems = itemsOf(detail, isProblem);
  if (problems.length === 0) return nothing;
  const told = problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return { ...nothing, detail: told, problems };
};
