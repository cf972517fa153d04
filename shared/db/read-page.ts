import type { Item, Page, QueryOptions } from './contracts.ts';

/** What one request of a query gives, and how many items it looked at, those that were filtered out included. */
export interface Reading extends Page {
  readonly looked: number;
}

/** Looked at by each request where some are filtered out, so that many in a row take few requests. */
const leastLooked = 100;

/**
 * A page of at most `limit` items, with the key to go on after where there are more. One more is asked for than is shown,
 * since whoever asks for no more than there are is told of a next page all the same; and what is filtered out is made up
 * for. A page that DynamoDB cuts for its size, at 1 MiB, ends there, so that answers stay within bounds.
 */
export const readPage = async (
  read: (options: QueryOptions) => Promise<Reading>,
  options: QueryOptions,
  limit: number,
): Promise<Page> => {
  const items: Item[] = [];
  let after = options.after ?? null;
  for (;;) {
    const missing = limit + 1 - items.length;
    const asked = options.where === undefined ? missing : Math.max(missing, leastLooked);
    const reading = await read({ ...options, limit: asked, after });
    items.push(...reading.items);
    if (items.length > limit) return { items: items.slice(0, limit), next: items[limit - 1]?.sk ?? null };
    const isCut = reading.looked < asked && items.length > 0;
    if (reading.next === null || isCut) return { items, next: reading.next };
    after = reading.next;
  }
};
