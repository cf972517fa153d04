import type { Item, Page, QueryOptions } from './contracts.ts';

/** Response to one query request, with the number of scanned items, including those that the filter dropped. */
export interface QueryResult extends Page {
  readonly scanned: number;
}

/** Minimum items that a request with a filter scans, so that few requests skip many items. */
const minScanned = 100;

/**
 * Returns a page of at most `limit` items, and the key to continue after if there are more. It requests one more item than
 * it returns, because DynamoDB returns a `LastEvaluatedKey` even if no items follow. It continues until the page is full or
 * DynamoDB ends a response at 1 MiB, which limits the size of a page.
 */
export const readPage = async (
  read: (options: QueryOptions) => Promise<QueryResult>,
  options: QueryOptions,
  limit: number,
): Promise<Page> => {
  const items: Item[] = [];
  let after = options.after ?? null;
  for (;;) {
    const missing = limit + 1 - items.length;
    const requested = options.where === undefined ? missing : Math.max(missing, minScanned);
    const result = await read({ ...options, limit: requested, after });
    items.push(...result.items);
    if (items.length > limit) return { items: items.slice(0, limit), next: items[limit - 1]?.sk ?? null };
    const isCut = result.scanned < requested && items.length > 0;
    if (result.next === null || isCut) return { items, next: result.next };
    after = result.next;
  }
};
