import { isObject, type Json, type JsonObject } from '../kernel/json.ts';

/** Returns the value of a key, or of a path to a member of objects. Undefined: there is none. */
export const valueAt = (metadata: JsonObject, key: string): Json | undefined => {
  if (Object.hasOwn(metadata, key)) return metadata[key];
  for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
    const head = key.slice(0, dot);
    const member = Object.hasOwn(metadata, head) ? metadata[head] : undefined;
    if (isObject(member)) {
      const value = valueAt(member, key.slice(dot + 1));
      if (value !== undefined) return value;
    }
  }
  return undefined;
};
