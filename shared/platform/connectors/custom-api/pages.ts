import type { Json, JsonObject } from '../../../kernel/json.ts';
import { valueAt } from './json-pointer.ts';
import { SourceFault } from '../port.ts';

type Auth =
  | { readonly type: 'none' }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string };

/** What the caller said of the API, as it was validated when the connection was made. */
export interface Description {
  readonly base_url: string;
  readonly auth: Auth;
  readonly list: {
    readonly path: string;
    readonly method: 'GET' | 'POST';
    readonly query: Readonly<Record<string, string>>;
    readonly items: string;
    readonly next: string | null;
    readonly next_parameter: string | null;
  };
  readonly item: {
    readonly id: string;
    readonly title: string | null;
    readonly text: string | null;
    readonly file_url: string | null;
    readonly url: string | null;
    readonly updated_at: string | null;
  };
}

/** The address at which the list begins. */
export const firstPage = ({ base_url, list }: Description): string => {
  const url = new URL(`${base_url.replace(/\/+$/, '')}${list.path}`);
  for (const [name, value] of Object.entries(list.query)) url.searchParams.set(name, value);
  return url.href;
};

/** Text or a number as text; null for anything else. */
export const scalar = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

/** More than can be kept. The platform's parser of parameters needs seconds for it, and time by the square beyond. */
const longestNext = 512 * 1024;

/** Address of the page after the one at `url`; null after the last. */
export const nextPage = (description: Description, url: string, page: Json): string | null => {
  const { next, next_parameter: parameter } = description.list;
  const value = next === null ? null : scalar(valueAt(page, next));
  if (value === null) return null;
  if (value.length > longestNext)
    throw new SourceFault(
      'refused',
      `The next page is told in more than ${longestNext} characters: check \`list.next\``,
    );
  if (parameter !== null) {
    const following = new URL(firstPage(description));
    following.searchParams.set(parameter, value);
    return following.href;
  }
  if (!URL.canParse(value, url))
    throw new SourceFault('refused', 'The address of the next page is none: check `list.next`');
  const following = new URL(value, url);
  if (following.origin !== new URL(description.base_url).origin)
    throw new SourceFault('refused', 'The next page is at another host: check `list.next`');
  return following.href;
};

/**
 * Where a list goes on, without what of the query the caller gave: a key may be among it, and a state is not sealed.
 * `given`: names of what was left out.
 */
export interface Onward {
  readonly next: string;
  readonly given: readonly string[];
  readonly pages: number;
}

/** Whether a parameter is just as the caller gave it. */
const isGiven = (url: URL, name: string, value: string): boolean => {
  const [only, ...others] = url.searchParams.getAll(name);
  return only === value && others.length === 0;
};

/** What is kept of the address of a page. */
export const keep = (next: string, { list }: Description, pages: number): JsonObject => {
  const url = new URL(next);
  const given = Object.entries(list.query).flatMap(([name, value]) => (isGiven(url, name, value) ? [name] : []));
  for (const name of given) url.searchParams.delete(name);
  return { next: url.href, given, pages };
};

/** The address again. */
export const addressOf = ({ next, given }: Onward, { list }: Description): string => {
  const url = new URL(next);
  for (const name of given) url.searchParams.set(name, list.query[name] ?? '');
  return url.href;
};
