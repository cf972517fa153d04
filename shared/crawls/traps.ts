import type { PageAddress } from './page-address.ts';

const mostSegments = 24;
const mostRepeats = 3;

/** Addresses of one path that differ in their queries, and of one path whose numbers alone differ, as in calendars. */
const mostQueries = 40;
const mostNumbered = 100;

const segmentsOf = (url: string): readonly string[] => new URL(url).pathname.split('/').filter((part) => part !== '');

/** Whether a path winds through itself: `/a/b/a/b/a/b`. */
export const isWinding = ({ url }: PageAddress): boolean => {
  const segments = segmentsOf(url);
  if (segments.length > mostSegments) return true;
  const counts = Map.groupBy(segments, (segment) => segment);
  return [...counts.values()].some(({ length }) => length > mostRepeats);
};

/** What many addresses of one kind share, and how many of them a crawl takes; null where there is no such kind. */
export const kindOf = ({ url, key }: PageAddress): { readonly name: string; readonly most: number } | null => {
  const { search, pathname } = new URL(url);
  if (search !== '') return { name: `${key.slice(0, key.indexOf('?'))}?`, most: mostQueries };
  const numbers = pathname.match(/\d+/g)?.length ?? 0;
  return numbers < 2 ? null : { name: key.replace(/\d+/g, '#'), most: mostNumbered };
};
