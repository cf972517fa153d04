import type { Claim, Progress, Unread } from '../../../../shared/connectors/index.ts';
import { contentVersion } from '../../../../shared/platform/connectors/content-version.ts';

/** As many are kept by name; of more only the number. */
const mostNamed = 5;

/** What a step came to. */
export interface Applied {
  /** What of it could not be read. */
  readonly unread: readonly Unread[];
  /** Whether reading everything again may get it. */
  readonly passing: boolean;
  /** Everything that it named. */
  readonly named: ReadonlySet<string>;
  /** Whether it fetched the content of anything. */
  readonly fetched: boolean;
}

/** By what an item is known among those that could not be read, however long its id is. */
export const unreadId = contentVersion;

/** What of a connection is still unread after a step: what the step named is so only if it failed again. */
export const stillUnread = (
  { record }: Claim,
  { named, unread }: Applied,
): Required<Pick<Progress, 'problems' | 'unread'>> => {
  const told = new Set(unread.map(({ message }) => message));
  const kept = record.unread.filter(({ id, message }) => (id === null ? !told.has(message) : !named.has(id)));
  return {
    problems: record.problems - (record.unread.length - kept.length) + unread.length,
    unread: [...kept, ...unread].slice(-mostNamed),
  };
};

/** What could not be read, in words for the owner; null where all was. */
export const unreadOf = ({ record: { problems, unread } }: Claim): string | null => {
  if (problems === 0) return null;
  const last = unread.at(-1)?.message;
  if (last === undefined) return `${problems} things could not be read`;
  return problems === 1 ? last : `${problems} things could not be read; the last: ${last}`;
};
