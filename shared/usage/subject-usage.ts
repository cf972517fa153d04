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

/** Usage of a credential in a month, without storage. */
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

/** Credential by its id. */
export interface Subject {
  readonly credentialId: string;
}

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

/** Prefix of the sort keys of credentials. */
const prefix = 'CREDENTIAL#';

const partitionOf = (organizationId: string, month: string): string =>
  `${subjectUsagePrefix}${organizationId}#${month}`;

const sortKeyOf = ({ credentialId }: Subject): string => `${prefix}${credentialId}`;

const toFigures = (item: Item | null): SubjectFigures => ({
  ...noFigures,
  ...Object.fromEntries(figureKeys.map((key) => [key, numberOf(item, key)])),
});

/** Figures of one subject of a list. */
export interface SubjectEntry {
  /** Id of the credential. */
  readonly name: string;
  readonly figures: SubjectFigures;
}

export interface SubjectUsageReader {
  /** Returns the figures of a subject in a month, `YYYY-MM`. */
  used(organizationId: string, month: string, subject: Subject): Promise<SubjectFigures>;
  /** Returns one page of the credentials that used something in a month, by id. */
  list(
    organizationId: string,
    month: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly entries: readonly SubjectEntry[]; readonly next: string | null }>;
}

export interface SubjectUsageWriter {
  /**
   * Adds figures to subjects for the current month. A busy process adds them once a second, and may lose those of its last
   * second if it ends: the usage of indexes, from which the organization is billed, does not depend on them.
   */
  add(organizationId: string, subjects: readonly Subject[], figures: Readonly<Partial<SubjectFigures>>): Promise<void>;
  /** Adds figures at once, and none for a repeat with the same id, such as that of a job. */
  addOnce(
    organizationId: string,
    subjects: readonly Subject[],
    figures: Readonly<Partial<SubjectFigures>>,
    id: string,
  ): Promise<void>;
}

const readsOf = (table: Table): SubjectUsageReader => ({
  used: async (organizationId, month, subject) =>
    toFigures(await table.get({ pk: partitionOf(organizationId, month), sk: sortKeyOf(subject) })),
  list: async (organizationId, month, { limit, after }) => {
    const { items, next } = await table.query(partitionOf(organizationId, month), {
      prefix,
      limit,
      after: after === null ? null : `${prefix}${after}`,
    });
    const nameOf = (sk: string): string => sk.slice(prefix.length);
    const entries = items.map((item) => ({ name: nameOf(item.sk), figures: toFigures(item) }));
    return { entries, next: next === null ? null : nameOf(next) };
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

const addOnceTo = async (table: Table, key: Key, add: Amounts, id: string): Promise<void> => {
  const item = await table.update(key, { add, include: { counted: [id] }, condition: { counted: { lacks: id } } });
  const ids = item === null ? [] : [...membersOf(item, 'counted')].toSorted();
  if (ids.length >= 2 * maxCounted) await table.update(key, { exclude: { counted: ids.slice(0, -maxCounted) } });
};

const openSubjectUsage = (runtime: Runtime): SubjectUsageWriter => {
  const table = openTable(runtime, 'usage');
  const waiting = new WaitingFigures();
  const keyOf = (organizationId: string, subject: Subject): Key => ({
    pk: partitionOf(organizationId, monthOf(runtime.clock.now().toISOString())),
    sk: sortKeyOf(subject),
  });
  return {
    add: async (organizationId, subjects, figures) => {
      const used = Object.entries(figures).filter(([, amount]) => amount !== 0);
      for (const subject of used.length === 0 ? [] : subjects)
        waiting.put(keyOf(organizationId, subject), Object.fromEntries(used));
      const taken = waiting.take(runtime.clock.now().getTime());
      await inParallel(taken, additionsAtOnce, async ({ key, amounts }) => {
        try {
          await table.update(key, { add: amounts });
        } catch (error) {
          if (!isTransientSdkError(error)) throw error;
          waiting.put(key, amounts);
          runtime.log.warn('usage.subject.count.failed', { organization_id: organizationId, error });
        }
      });
    },
    addOnce: async (organizationId, subjects, figures, id) => {
      await Promise.all(subjects.map((subject) => addOnceTo(table, keyOf(organizationId, subject), figures, id)));
    },
  };
};

export const subjectUsageWrite = capability<SubjectUsageWriter>(['subject_usage.write'], openSubjectUsage);
