import type { Claim, Unread } from '../../../../shared/connectors/index.ts';
import { contentVersion } from '../../../../shared/platform/connectors/content-version.ts';

/** Maximum number of unread items that are stored. */
const maxUnread = 200;
/** Number of the latest items whose messages are stored. */
const maxMessages = 5;
/** Length of an id digest, enough to distinguish some hundred items. */
const idLetters = 12;

/** Result of a step. */
export interface Applied {
  /** Items that could not be read. */
  readonly unread: readonly Unread[];
  /** Whether a full read may succeed for them. */
  readonly isTransient: boolean;
  /** Ids of all items of the step. */
  readonly named: ReadonlySet<string>;
  /** Whether it fetched any content. */
  readonly fetched: boolean;
  /** Whether it contained an id that this read had not seen. */
  readonly isNew: boolean;
}

/** Returns the digest of an item or place, of fixed length. */
export const unreadId = (id: string): string => contentVersion(id).slice(0, idLetters);

/**
 * Returns items that are still unread after a step. Items that the step contained are unread only if they failed again.
 */
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

/** Returns the message about unread items; null if there are none. */
export const unreadOf = (unread: readonly Unread[]): string | null => {
  const last = unread.at(-1);
  if (last === undefined) return null;
  const many = unread.length === maxUnread ? `${maxUnread} items or more` : `${unread.length} items`;
  if (unread.length === 1) return last.message ?? 'An item could not be read';
  return `${many} could not be read${last.message === null ? '' : `; the last: ${last.message}`}`;
};
