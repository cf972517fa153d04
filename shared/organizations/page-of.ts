/**
 * One page of a list that is at hand as a whole and sorted by `keyOf`, ascending or descending.
 * @param page as `toPage` gives it; `after` is the key of the last item of the page before.
 */
export const pageOf = <Thing>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
  order: 'ascending' | 'descending' = 'ascending',
): { readonly items: readonly Thing[]; readonly next: string | null } => {
  const rest =
    after === null
      ? things
      : things.filter((thing) => (order === 'ascending' ? keyOf(thing) > after : keyOf(thing) < after));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined || rest.length <= limit ? null : keyOf(last) };
};
