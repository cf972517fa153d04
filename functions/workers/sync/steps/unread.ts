import { type Claim, type Unread, unreadIdLength } from '../../../../shared/connectors/index.ts';
import { contentVersion } from '../../../../shared/platform/connectors/content-version.ts';
import type { SyncContext } from '../uses.ts';

/** Maximum number of unread items that are stored. */
const maxUnread = 1_000;

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
export const unreadId = (id: string): string => contentVersion(id).slice(0, unreadIdLength);

/**
 * Returns the digests of items that are still unread after a step. Items that the step contained are unread only if they
 * failed again.
 */
export const stillUnread = (
  { record }: Claim,
  { named, unread }: Applied,
  reached: readonly string[],
): readonly string[] => {
  const places = new Set(reached.map(unreadId));
  const kept = record.unread.filter((id) => !named.has(id) && !places.has(id));
  return [...new Set([...kept, ...unread.map(({ id }) => id)])].slice(-maxUnread);
};

/** Returns the message about unread items; null if there are none. */
export const unreadMessage = async (
  { deps }: SyncContext,
  { address }: Claim,
  unread: readonly string[],
): Promise<string | null> => {
  const last = unread.at(-1);
  if (last === undefined) return null;
  const message = await deps.connectors.reports.messageOf(address, last);
  const many = unread.length === maxUnread ? `${maxUnread} items or more` : `${unread.length} items`;
  if (unread.length === 1) return message ?? 'An item could not be read';
  return `${many} could not be read${message === null ? '' : `; the last: ${message}`}`;
};
