/** Any value that survives a JSON round trip. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; absent keys are absent, never `undefined`. */
export interface JsonObject {
  readonly [key: string]: Json;
}
