import type { Json } from '../../../kernel/json.ts';

/** Returns the value at a JSON Pointer (RFC 6901); undefined if there is none. */
export const valueAt = (value: Json, pointer: string): Json | undefined => {
  let at: Json | undefined = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null) return undefined;
    if (Array.isArray(at)) at = /^(0|[1-9]\d*)$/.test(name) ? (at as readonly Json[])[Number(name)] : undefined;
    else at = Object.hasOwn(at, name) ? (at as Readonly<Record<string, Json>>)[name] : undefined;
  }
  return at;
};
