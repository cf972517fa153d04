/** JSON Schema, or another part of the document whose content is not typed. */
export type Schema = Record<string, unknown>;
