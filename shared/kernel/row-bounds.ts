import type { JsonObject } from './json.ts';

/** Rows that a credential may see and write. A credential has the same bounds as long as it exists. */
export interface RowBounds {
  /** Filter that every row matches which the credential reads or changes. */
  readonly filter: JsonObject;
  /** Beginning of the ids that it may write. Null: it writes no rows. */
  readonly idPrefix: string | null;
}
