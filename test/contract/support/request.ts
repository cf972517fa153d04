import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { Prepared } from '../samples.ts';
import type { WireRequest } from './service.ts';

/** Whether a value of a path is an id. Others are names, such as that of an alias. */
export const isId = (value: string): boolean => /_[0-9a-z]{26}$/.test(value);

/** Returns a missing id of the same form, or a missing name. */
export const absentId = (id: string): string => {
  if (id.startsWith('srch_')) return `srch_${'0'.repeat(52)}`;
  // A page has the form of a number, however many pages there are.
  if (id.endsWith('.png')) return '999999.png';
  return isId(id) ? id.replace(/[0-9a-z]{26}$/, '0'.repeat(26)) : `${id}_absent`;
};

const absentPath = (path: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(path).map(([name, id]) => [name, absentId(id)]));

/** Returns the same request for missing resources. */
export const asAbsent = (prepared: Prepared): Prepared => ({ ...prepared, path: absentPath(prepared.path ?? {}) });

/** Converts a prepared request to its wire form. */
export const toWire = (
  endpoint: Endpoint,
  { path = {}, query, body, contentType = 'application/json', bearer: own, basic }: Prepared,
  bearer: string | null,
  headers: Readonly<Record<string, string>> = {},
): WireRequest => {
  const pathname = endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const credential = own ?? bearer;
  const authorization = basic === undefined ? credential && `Bearer ${credential}` : `Basic ${basic}`;
  return {
    method: endpoint.method,
    url: query === undefined ? pathname : `${pathname}?${query}`,
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
};

/** Returns the request without the credentials of its sample. */
export const withoutProof = (prepared: Prepared): Prepared => {
  const { bearer: _bearer, basic: _basic, ...rest } = prepared;
  return rest;
};
