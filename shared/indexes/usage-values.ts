import { type Filter, filterOf, requiredValue } from '#engine';
import type { Principal } from '../http/principal.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import {
  countedCredential,
  type CountedFigures,
  subjectsOf,
  type UsageValue,
  type ValueSubject,
} from '../usage/index.ts';
import type { Receipt } from './contracts.ts';
import type { RequestedChange } from './index-log.ts';
import type { IndexRecord } from './record.ts';

type CountedIndex = Pick<IndexRecord, 'id' | 'usageKey'>;

type CountedCaller = Parameters<typeof countedCredential>[0];

/** Returns why a key cannot be the usage key of an index: no filter may name it. */
export const usageKeyProblems = (
  usageKey: string | null | undefined,
  nonFilterableKeys: readonly string[],
): readonly ValidationProblem[] =>
  usageKey != null && nonFilterableKeys.includes(usageKey)
    ? [valueProblem(['body', 'usage_key'], 'no filter may name this key, so usage cannot be counted by it')]
    : [];

/** Maximum values that one write adds figures to, each by a write to the table of usage. */
const maxValuesOfWrite = 100;

const isUsageValue = (value: Json | undefined): value is UsageValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Returns the subjects of the rows with this metadata: none if the index has no usage key, or they have no single value. */
export const subjectsOfMetadata = ({ id, usageKey }: CountedIndex, metadata: JsonObject): readonly ValueSubject[] => {
  const value = usageKey === null ? null : metadata[usageKey];
  return isUsageValue(value) ? [{ indexId: id, value }] : [];
};

const subjectsOfFilter = (
  index: CountedIndex,
  { bounds }: Pick<Principal, 'bounds'>,
  filter: Filter | null | undefined,
): readonly ValueSubject[] => {
  const filters = [bounds && filterOf(bounds), filter];
  return index.usageKey === null
    ? []
    : subjectsOfMetadata(index, { [index.usageKey]: requiredValue(filters, index.usageKey) });
};

/** Returns for what a search counts: its credential, and the value of the usage key that its filter requires. */
export const countedBySearch = (
  caller: CountedCaller,
  index: CountedIndex,
  filter: Filter | null | undefined,
  figures: CountedFigures['figures'],
): readonly CountedFigures[] =>
  [...subjectsOf(countedCredential(caller)), ...subjectsOfFilter(index, caller, filter)].map((subject) => ({
    subject,
    figures,
  }));

/** Returns the figures of written rows by their values. Those beyond the most frequent values are counted together. */
const countRows = (
  index: CountedIndex,
  caller: CountedCaller,
  { rows, tokens }: Extract<RequestedChange, { readonly op: 'write_rows' }>,
): readonly CountedFigures[] => {
  const ofBounds = subjectsOfFilter(index, caller, null);
  const byValue = Map.groupBy(
    rows.flatMap(({ metadata }) => (ofBounds.length > 0 ? ofBounds : subjectsOfMetadata(index, metadata))),
    ({ value }) => value,
  );
  const frequent = [...byValue]
    .map(([value, { length: count }]) => ({ value, count }))
    .toSorted((one, other) => other.count - one.count);
  const others = frequent.slice(maxValuesOfWrite).reduce((sum, { count }) => sum + count, 0);
  const counts = [...frequent.slice(0, maxValuesOfWrite), ...(others > 0 ? [{ value: null, count: others }] : [])];
  let before = 0;
  // Tokens are known for all rows together. Rounded sums have no remainder.
  const tokensUntil = (count: number): number => Math.round((tokens * count) / rows.length);
  return counts.map(({ value, count }) => {
    const embedded = tokensUntil(before + count) - tokensUntil(before);
    before += count;
    return { subject: { indexId: index.id, value }, figures: { vectors_written: count, embedding_tokens: embedded } };
  });
};

/** Returns for what a change counts, with its figures: its credential, and the values of the usage key that it names. */
export const countedByChange = (
  caller: CountedCaller,
  index: CountedIndex,
  change: RequestedChange,
  { written, deleted }: Receipt,
): readonly CountedFigures[] => {
  const changed = { vectors_written: written, vectors_deleted: deleted };
  const figures = change.op === 'write_rows' ? { ...changed, embedding_tokens: change.tokens } : changed;
  const byCredential = subjectsOf(countedCredential(caller)).map((subject) => ({ subject, figures }));
  if (index.usageKey === null) return byCredential;
  if (change.op === 'write_rows') return [...byCredential, ...countRows(index, caller, change)];
  const filter = 'filter' in change && typeof change.filter === 'object' ? change.filter : null;
  return [...byCredential, ...subjectsOfFilter(index, caller, filter).map((subject) => ({ subject, figures }))];
};
