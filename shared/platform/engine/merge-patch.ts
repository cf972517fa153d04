import { isObject, type JsonObject } from '../../kernel/json.ts';

/** `target` with a patch merged into it: objects member by member, null removes, all else replaces. Source: RFC 7396. */
export const mergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  // A map, because assigning to the key __proto__ of an object does something else.
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
};
