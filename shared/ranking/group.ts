import type { Json } from '../kernel/json.ts';
import type { Group } from './plan.ts';
import { valueAt } from './metadata-value.ts';
import type { GroupPlace, StagedHit } from './staged-hit.ts';

type Row = StagedHit['row'];

/** Metadata key of the id of a document, which connectors set. */
const documentKey = 'document_id';

const textAt = (row: Row, key: string): GroupPlace['value'] => {
  const value = valueAt(row.metadata, key);
  const first: Json | undefined = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  return typeof first === 'string' || typeof first === 'number' || typeof first === 'boolean' ? first : null;
};

/** Returns the group of a row. Null: it is a group of its own. */
const groupOf = (row: Row, by: string): GroupPlace['value'] => {
  if (by === 'file') return row.jobId;
  return by === 'document' ? (textAt(row, documentKey) ?? row.jobId) : textAt(row, by);
};

const nameOf = (row: Row, by: string): string => {
  const value = groupOf(row, by);
  return JSON.stringify(value === null ? { id: row.id } : [value]);
};

/** Returns the number of groups among hits. */
export const countGroups = (hits: readonly StagedHit[], by: string): number =>
  new Set(hits.map(({ row }) => nameOf(row, by))).size;

/** Returns the groups of hits in the order of their best, each with up to `size` hits. */
export const groupHits = (
  hits: readonly StagedHit[],
  { by, size }: Group,
): readonly (readonly [StagedHit, ...StagedHit[]])[] =>
  [...Map.groupBy(hits, ({ row }) => nameOf(row, by)).values()].flatMap((members) => {
    const [first, ...others] = members.slice(0, size).map((hit, at) => ({
      ...hit,
      group: { value: groupOf(hit.row, by), position: at + 1, hidden: Math.max(0, members.length - size) },
    }));
    return first === undefined ? [] : [[first, ...others] as const];
  });
