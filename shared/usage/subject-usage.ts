import { absent } from '../db/condition.ts';
import { membersOf, numberOf } from '../db/read-item.ts';
import type { Item, Key, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import type { Principal } from '../http/principal.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { subjectUsagePrefix } from '../kernel/names.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import { monthOf } from './items.ts';
import { noUsage, type UsageWithSearches } from './usage-counters.ts';

/** Usage of a credential, or by a value of the usage key of an index, in a month, without storage. */
export interface SubjectFigures extends UsageWithSearches {
  readonly searches_dense: number;
  readonly searches_sparse: number;
  readonly searches_hybrid: number;
  readonly file_jobs: number;
}

/** Figures of a subject that used nothing. */
const noFigures: SubjectFigures = {
  ...noUsage,
  rerank_units: 0,
  searches_dense: 0,
  searches_sparse: 0,
  searches_hybrid: 0,
  file_jobs: 0,
};

const figureKeys = Object.keys(noFigures) as (keyof SubjectFigures)[];

/** Value of the usage key of an index. */
export type UsageValue = string | number | boolean;

/** Value of the usage key of an index; null for the values that are counted together. */
export interface ValueSubject {
  readonly indexId: string;
  readonly value: UsageValue | null;
}

/** Credential by its id, or a value of the usage key of an index. */
export type Subject = { readonly credentialId: string } | ValueSubject;

/**
 * Whether what a caller uses is counted by its credential: one that is restricted, such as the key of a customer. For others
 * it would only repeat the usage of the organization, at a write for each request.
 */
const isCountedByCredential = ({ kind, indexIds, bounds, limits }: CountedCaller): boolean =>
  kind !== 'session' && (indexIds !== null || bounds !== null || limits !== null);

type CountedCaller = Pick<Principal, 'kind' | 'subjectId' | 'indexIds' | 'bounds' | 'limits'>;

/** Returns the id of the credential for which a new file job counts; null for none. */
export const countedCredential = (caller: CountedCaller): string | null =>
  isCountedByCredential(caller) ? caller.subjectId : null;

/** Returns the subjects of a request or file job, by the credential for which it counts. */
export const subjectsOf = (credentialId: string | null): readonly Subject[] =>
  credentialId === null ? [] : [{ credentialId }];

/** Prefixes of the sort keys of subjects. */
const credentialPrefix = 'CREDENTIAL#';
const valuePrefix = 'VALUE#';

/** Maximum values of an index and month that are counted by themselves. */
const maxValues = 10_000;

/** Maximum bytes of such a value as JSON. */
const maxValueBytes = 512;

/** Name of the values that are counted together. No JSON is equal to it. */
const otherValues = 'other';

const partitionOf = (organizationId: string, month: string): string =>
  `${subjectUsagePrefix}${organizationId}#${month}`;

const valueNameOf = ({ indexId, value }: ValueSubject): string => {
  const json = value === null ? otherValues : JSON.stringify(value);
  return `${indexId}#${Buffer.byteLength(json) > maxValueBytes ? otherValues : json}`;
};

const sortKeyOf = (subject: Subject): string =>
  'credentialId' in subject ? `${credentialPrefix}${subject.credentialId}` : `${valuePrefix}${valueNameOf(subject)}`;

/** Returns the subject of a name in a list of values. */
const toValueSubject = (name: string): ValueSubject => {
  const at = name.indexOf('#');
  const [indexId, json] = [name.slice(0, at), name.slice(at + 1)];
  // Cast: `valueNameOf` has written it.
  return { indexId, value: json === otherValues ? null : (JSON.parse(json) as UsageValue) };
};

const toFigures = (item: Item | null): SubjectFigures => ({
  ...noFigures,
  ...Object.fromEntries(figureKeys.map((key) => [key, numberOf(item, key)])),
});

/** Figures of one credential of a list. */
interface SubjectEntry {
  /** Id of the credential. */
  readonly name: string;
  readonly figures: SubjectFigures;
}

interface Page {
  readonly limit: number;
  readonly after: string | null;
}

interface Listed<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

export interface SubjectUsageReader {
  /** Returns the figures of a subject in a month, `YYYY-MM`. */
  used(organizationId: string, month: string, subject: Subject): Promise<SubjectFigures>;
  /** Returns one page of the credentials that used something in a month, by id. */
  list(organizationId: string, month: string, page: Page): Promise<Listed<SubjectEntry>>;
  /**
   * Returns one page of the values by which something was used in a month, by index and value.
   * @param indexIds Indexes to list, in the order of their ids; null: all of the organization.
   */
  listValues(
    organizationId: string,
    month: string,
    indexIds: readonly string[] | null,
    page: Page,
  ): Promise<Listed<ValueSubject & { readonly figures: SubjectFigures }>>;
}

/** Figures to add to a subject. */
export interface CountedFigures {
  readonly subject: Subject;
  readonly figures: Readonly<Partial<SubjectFigures>>;
}

export interface SubjectUsageWriter {
  /**
   * Adds figures to subjects for the current month. A busy process adds them once a second, and may lose those of its last
   * second if it ends: the usage of indexes, from which the organization is billed, does not depend on them.
   */
  add(organizationId: string, counted: readonly CountedFigures[]): Promise<void>;
  /** Adds figures at once, and none for a repeat with the same id, such as that of a job. */
  addOnce(
    organizationId: string,
    subjects: readonly Subject[],
    figures: Readonly<Partial<SubjectFigures>>,
    id: string,
  ): Promise<void>;
}

/** Returns one page of the subjects whose sort keys begin with a prefix and a name. */
const listFrom = async (
  table: Table,
  pk: string,
  prefix: string,
  { limit, after }: Page,
  begin = '',
): Promise<Listed<SubjectEntry>> => {
  const { items, next } = await table.query(pk, {
    prefix: `${prefix}${begin}`,
    limit,
    after: after === null ? null : `${prefix}${after}`,
  });
  const nameOf = (sk: string): string => sk.slice(prefix.length);
  const entries = items.map((item) => ({ name: nameOf(item.sk), figures: toFigures(item) }));
  return { entries, next: next === null ? null : nameOf(next) };
};

const readsOf = (table: Table): SubjectUsageReader => ({
  used: async (organizationId, month, subject) =>
    toFigures(await table.get({ pk: partitionOf(organizationId, month), sk: sortKeyOf(subject) })),
  list: (organizationId, month, page) => listFrom(table, partitionOf(organizationId, month), credentialPrefix, page),
  listValues: async (organizationId, month, indexIds, { limit, after }) => {
    const found: SubjectEntry[] = [];
    let next: string | null = null;
    const begins = indexIds === null ? [''] : indexIds.map((id) => `${id}#`).toSorted();
    for (const begin of begins) {
      const isWithin = after?.startsWith(begin) === true;
      if (after !== null && !isWithin && begin < after) continue;
      if (found.length === limit) {
        next = found.at(-1)?.name ?? null;
        break;
      }
      const page: Page = { limit: limit - found.length, after: isWithin ? after : null };
      const listed = await listFrom(table, partitionOf(organizationId, month), valuePrefix, page, begin);
      found.push(...listed.entries);
      ({ next } = listed);
      if (next !== null) break;
    }
    return { entries: found.map(({ name, figures }) => ({ ...toValueSubject(name), figures })), next };
  },
});

/** Number of newest ids that a subject remembers: more than run at a time. */
const maxCounted = 50;

/** Additions of a process before it waits for a second. Calm use is stored at once. */
const maxTakes = 16;

const additionsAtOnce = 16;

export const subjectUsageRead = capability<SubjectUsageReader>(['subject_usage.read'], (runtime) =>
  readsOf(openTable(runtime, 'usage')),
);

type Amounts = Readonly<Record<string, number>>;

/** Figures that a process has not added yet, by the keys of their items. */
class WaitingFigures {
  private waiting = new Map<string, { readonly key: Key; readonly amounts: Map<string, number> }>();
  private takes = maxTakes;
  private takenMs = 0;

  put(key: Key, amounts: Amounts): void {
    const name = `${key.pk} ${key.sk}`;
    const known = this.waiting.get(name) ?? { key, amounts: new Map<string, number>() };
    for (const [figure, amount] of Object.entries(amounts))
      known.amounts.set(figure, (known.amounts.get(figure) ?? 0) + amount);
    this.waiting.set(name, known);
  }

  /** Returns all figures, and forgets them: a few times in a row, and then once a second. */
  take(nowMs: number): readonly { readonly key: Key; readonly amounts: Amounts }[] {
    this.takes = Math.min(maxTakes, this.takes + (nowMs - this.takenMs) / 1000);
    this.takenMs = nowMs;
    if (this.takes < 1) return [];
    this.takes -= 1;
    const taken = [...this.waiting.values()];
    this.waiting = new Map();
    return taken.map(({ key, amounts }) => ({ key, amounts: Object.fromEntries(amounts) }));
  }
}

/** Items that a process remembers to be claimed. */
const maxClaimed = 10_000;

/**
 * Returns a function that returns the key of the item which figures of a subject are added to. A value that is new to its
 * index and month is stored together with the number of values; beyond the maximum, the key is that of the other values.
 */
const openClaims = (table: Table): ((key: Key) => Promise<Key>) => {
  const claimed = new Map<string, Key>();
  return async (key) => {
    if (!key.sk.startsWith(valuePrefix)) return key;
    const name = `${key.pk} ${key.sk}`;
    const known = claimed.get(name);
    if (known !== undefined) return known;
    const ofIndex = key.sk.slice(valuePrefix.length, key.sk.indexOf('#', valuePrefix.length));
    const hasRoom = { values: { either: [[{ exists: false }], [{ lt: maxValues }]] } } as const;
    const failed = await table.transact([
      { update: key, change: { add: { file_jobs: 0 }, condition: absent } },
      { update: { pk: key.pk, sk: `VALUES#${ofIndex}` }, change: { add: { values: 1 }, condition: hasRoom } },
    ]);
    const isFull = failed.length > 0 && !failed.includes(0);
    const own = isFull ? { pk: key.pk, sk: `${valuePrefix}${ofIndex}#${otherValues}` } : key;
    if (claimed.size >= maxClaimed) claimed.clear();
    claimed.set(name, own);
    return own;
  };
};

const addOnceTo = async (table: Table, key: Key, add: Amounts, id: string): Promise<void> => {
  const item = await table.update(key, { add, include: { counted: [id] }, condition: { counted: { lacks: id } } });
  const ids = item === null ? [] : [...membersOf(item, 'counted')].toSorted();
  if (ids.length >= 2 * maxCounted) await table.update(key, { exclude: { counted: ids.slice(0, -maxCounted) } });
};

const openSubjectUsage = (runtime: Runtime): SubjectUsageWriter => {
  const table = openTable(runtime, 'usage');
  const waiting = new WaitingFigures();
  const claim = openClaims(table);
  const keyOf = (organizationId: string, subject: Subject): Key => ({
    pk: partitionOf(organizationId, monthOf(runtime.clock.now().toISOString())),
    sk: sortKeyOf(subject),
  });
  return {
    add: async (organizationId, counted) => {
      for (const { subject, figures } of counted) {
        const used = Object.entries(figures).filter(([, amount]) => amount !== 0);
        if (used.length > 0) waiting.put(keyOf(organizationId, subject), Object.fromEntries(used));
      }
      const taken = waiting.take(runtime.clock.now().getTime());
      await inParallel(taken, additionsAtOnce, async ({ key, amounts }) => {
        try {
          await table.update(await claim(key), { add: amounts });
        } catch (error) {
          if (!isTransientSdkError(error)) throw error;
          waiting.put(key, amounts);
          runtime.log.warn('usage.subject.count.failed', { organization_id: organizationId, error });
        }
      });
    },
    addOnce: async (organizationId, subjects, figures, id) => {
      await Promise.all(
        subjects.map(async (subject) => addOnceTo(table, await claim(keyOf(organizationId, subject)), figures, id)),
      );
    },
  };
};

export const subjectUsageWrite = capability<SubjectUsageWriter>(['subject_usage.write'], openSubjectUsage);
