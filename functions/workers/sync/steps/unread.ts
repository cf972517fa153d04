import type { Claim, Unread } from '../../../../shared/connectors/index.ts';
import { contentVersion } from '../../../../shared/platform/connectors/content-version.ts';

/** Things that are told apart; of more it is only told that there are. */
const maxUnread = 200;
/** The last ones, of which the words are kept. */
const maxMessages = 5;
/** Enough to tell some hundred things apart. */
const idLetters = 12;

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
  /** Whether it named anything that the reading had not named before. */
  readonly isNew: boolean;
}

/** By what an item or a place is known among those that could not be read, however long its own id is. */
export const unreadId = (id: string): string => contentVersion(id).slice(0, idLetters);

/** What of a connection is still unread after a step: what the step named or reached is so only if it failed again. */
export const stillUnread = (
  { record }: Claim,
  { named, unread }: Applied,
  reached: readonly string[],
): readonly Unread[] => {
  const places = new Set(reached.map(unreadId));
  const kept = record.unread.filter(({ id }) => !named.has(id) && !places.has(id));
  const all = [...new Map([...kept, ...unread].map((one) => [one.id, one])).values()].slice(-maxUnread);
  return all.map(({ id, message }, at) => ({ id, message: at < all.length - maxMessages ? null : message }));
};

/** What could not be read of a connection, in words for the owner; null where all was. */
export const unreadOf = (unread: readonly Unread[]): string | null => {
  const last = unread.at(-1);
  if (last === undefined) return null;
  const many = unread.length === maxUnread ? `${maxUnread} things or more` : `${unread.length} things`;
  if (unread.length === 1) return last.message ?? 'A thing could not be read';
  return `${many} could not be read${last.message === null ? '' : `; the last: ${last.message}`}`;
};
