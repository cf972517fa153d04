/** A JSON Schema, or another part of the document that no code looks into. */
export type Schema = Record<string, unknown>;
