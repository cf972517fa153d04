import { isObject, type JsonObject } from '../../../shared/kernel/json.ts';

/** Merges a patch into `target` by RFC 7396: objects member by member, null removes, all else replaces. */
export const mergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  // A map, because assigning to the key `__proto__` of an object would set its prototype.
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
};
