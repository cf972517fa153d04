/** Any value that survives a JSON round trip. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; absent keys are absent, never `undefined`. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is an object rather than a list, null or a bare value. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
