import type { DuePartition, Key, Table } from './contracts.ts';

/** How much of what is due is looked for. */
export interface DueWindow {
  /** What has come due by then. */
  readonly until: Date;
  readonly limit: number;
  /** Whether there is time to look further; what lies behind is left to the next look. */
  readonly hasTime: () => boolean;
}

/** The organization of an item: keys name it after the kind of their partition. */
const organizationOf = ({ pk }: Key): string => pk.split('#')[1] ?? '';

/**
 * Keys of items that are due, of every organization in turn, and of each those that wait longest: however much of one
 * organization waits, and for how long, something of each other that has something due is among them.
 */
export const dueInTurn = async (
  table: Table,
  partition: DuePartition,
  { until, limit, hasTime }: DueWindow,
): Promise<readonly Key[]> => {
  const seen = new Map<string, number>();
  const due: { readonly key: Key; readonly turn: number }[] = [];
  for await (const key of table.allDue(partition, until.toISOString())) {
    const organization = organizationOf(key);
    const turn = seen.get(organization) ?? 0;
    seen.set(organization, turn + 1);
    if (turn < limit) due.push({ key, turn });
    if (!hasTime()) break;
  }
  return due
    .toSorted((left, right) => left.turn - right.turn)
    .slice(0, limit)
    .map(({ key }) => key);
};
