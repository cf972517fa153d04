import { membersOf, numberOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability } from '../kernel/capability.ts';
import { monthKey } from './items.ts';

/** `ocr`: a picture whose text a model reads. `audio`: a started minute of a recording that a model writes down. */
export type CreditKind = 'ocr' | 'audio';

/** A task whose credits come out of the allowance of one month. */
export interface CreditTask {
  readonly organizationId: string;
  readonly id: string;
  /** `YYYY-MM`; the same at every attempt. */
  readonly month: string;
}

type CreditMonth = Pick<CreditTask, 'organizationId' | 'month'>;

type ReadUsed = () => Promise<Readonly<Record<CreditKind, number>>>;

export interface CreditBook {
  /**
   * Takes `credits` of the month's allowance for a task, once, before a model is called. What a task holds already is
   * not taken again. Never takes more than `limit` in all, whoever else takes at the same time.
   */
  reserve(task: CreditTask, kind: CreditKind, credits: number, limit: number): Promise<Reservation>;
  /** Gives back what a task holds beyond what it used, once. `readUsed` is asked where it holds something. */
  settle(task: CreditTask, readUsed: ReadUsed): Promise<void>;
  /** Ids of all tasks that hold credits of a month. */
  holders(month: CreditMonth): Promise<ReadonlySet<string>>;
}

export interface CreditReader {
  /** What of a month's allowance of `limit` nobody has taken. */
  left(month: CreditMonth, kind: CreditKind, limit: number): Promise<number>;
}

/** Says to a user that an allowance does not do; `who` begins the sentence. */
export const tooFewCredits = (
  who: string,
  kind: CreditKind,
  { needed, left, limit }: { readonly needed: number; readonly left: number; readonly limit: number },
): string =>
  `${who} needs ${needed} ${kind === 'ocr' ? 'OCR' : 'audio'} credits, and of the ${limit} of this month ${left} are left`;

/** `taken` now, `held` since an earlier attempt or settled by then, or `refused`, because only `left` credits are left. */
export type Reservation =
  | { readonly outcome: 'taken' | 'held' }
  | { readonly outcome: 'refused'; readonly left: number };

const kinds: readonly CreditKind[] = ['ocr', 'audio'];
const counterOf = (kind: CreditKind): string => `${kind}_reserved`;

const keyOf = ({ organizationId, month }: CreditMonth) => monthKey(organizationId, month, 'CREDITS');

const leftOf = (item: Item | null, kind: CreditKind, limit: number): number =>
  Math.max(0, limit - numberOf(item, counterOf(kind)));

/** The names under which a task holds credits of a kind, each with their number. */
const held = (item: Item | null, { id }: CreditTask, kind: CreditKind): readonly (readonly [string, number])[] => {
  const prefix = `${id} ${kind} `;
  return [...membersOf(item, 'held')]
    .filter((member) => member.startsWith(prefix))
    .map((member) => [member, Number(member.slice(prefix.length))] as const);
};

/** Settled tasks that are remembered, so that a run that is late does not take their credits again. */
const remembered = 200;

/** A lost race is decided by reading again: the first credits of a month, the last of an allowance. */
const mostRounds = 10;

const reserve = async (
  table: Table,
  task: CreditTask,
  kind: CreditKind,
  credits: number,
  limit: number,
): Promise<Reservation> => {
  const counter = counterOf(kind);
  const member = `${task.id} ${kind} ${credits}`;
  for (let round = 0; round < mostRounds; round += 1) {
    const item = await table.get(keyOf(task));
    if (held(item, task, kind).length > 0 || membersOf(item, 'settled').has(task.id)) return { outcome: 'held' };
    const left = leftOf(item, kind, limit);
    if (left < credits) return { outcome: 'refused', left };
    const hasRoom = item?.[counter] === undefined ? { exists: false } : { lte: limit - credits };
    const taken = await table.update(keyOf(task), {
      add: { [counter]: credits },
      include: { held: [member] },
      condition: { [counter]: hasRoom, held: { lacks: member }, settled: { lacks: task.id } },
    });
    if (taken !== null) return { outcome: 'taken' };
  }
  throw new Error('credits could not be reserved: too many tasks at a time');
};

const settle = async (table: Table, task: CreditTask, readUsed: ReadUsed): Promise<void> => {
  const item = await table.get(keyOf(task));
  const holdings = kinds.flatMap((kind) =>
    held(item, task, kind).map(([member, credits]) => ({ kind, member, credits })),
  );
  if (holdings.length === 0) return;
  const used = await readUsed();
  const add = Object.fromEntries(
    holdings
      .map(({ kind, credits }) => [counterOf(kind), used[kind] - credits] as const)
      .filter(([, back]) => back !== 0),
  );
  const settled = await table.update(keyOf(task), {
    add,
    exclude: { held: holdings.map(({ member }) => member) },
    include: { settled: [task.id] },
    condition: { held: holdings.map(({ member }) => ({ contains: member })) },
  });
  const done = [...membersOf(settled, 'settled')].toSorted();
  if (done.length >= 2 * remembered)
    await table.update(keyOf(task), { exclude: { settled: done.slice(0, -remembered) } });
};

/** The allowance of OCR and audio credits of an organization. */
export const creditBook = capability<CreditBook>(['usage.read', 'usage.write'], (runtime) => {
  const table = openTable(runtime, 'usage');
  return {
    reserve: (task, kind, credits, limit) => reserve(table, task, kind, credits, limit),
    settle: (task, readUsed) => settle(table, task, readUsed),
    holders: async (month) =>
      new Set([...membersOf(await table.get(keyOf(month)), 'held')].map((member) => member.split(' ')[0] ?? '')),
  };
});

/** The same to look at, for whoever takes none. */
export const creditsRead = capability<CreditReader>(['usage.read'], (runtime) => {
  const table = openTable(runtime, 'usage');
  return { left: async (month, kind, limit) => leftOf(await table.get(keyOf(month)), kind, limit) };
});
