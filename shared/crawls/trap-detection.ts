import { looksLikePage, type PageAddress } from './page-address.ts';
import type { SkipReason } from './skip-reason.ts';

/** Part of an address that trap detection uses. */
type Place = Pick<PageAddress, 'url' | 'key'>;

const maxSegments = 24;
const maxRepeats = 3;

/**
 * Minimum limits of addresses with one URL pattern: of one path with different queries, and of one path with different
 * numbers,
 * as in calendars.
 * An address counts only if a page with the same pattern links to it. A list of numbered posts has another pattern.
 * Large crawls get a higher limit, but at most a quarter of their pages.
 */
const minQueries = 40;
const minNumbered = 100;
const shareOfPages = 1 / 4;

const segmentsOf = (url: string): readonly string[] => new URL(url).pathname.split('/').filter((part) => part !== '');

const maxRepeatsIn = (segments: readonly string[]): number =>
  Math.max(0, ...[...Map.groupBy(segments, (segment) => segment).values()].map(({ length }) => length));

/** Whether a path repeats segments, as in `/a/b/a/b/a/b`, more often than the page that links to it. */
export const isRepeatingPath = ({ url }: Place, from: Place | null = null): boolean => {
  const segments = segmentsOf(url);
  const before = from === null ? [] : segmentsOf(from.url);
  return (
    segments.length > Math.max(maxSegments, before.length) ||
    maxRepeatsIn(segments) > Math.max(maxRepeats, maxRepeatsIn(before))
  );
};

/** Removes escapes, whose digits are no numbers of the address. */
const withoutEscapes = (text: string): string => text.replace(/%[0-9a-f]{2}/gi, '');

/** Whether a query is a single parameter without a number, such as a wiki title. No endless series has such queries. */
const isName = (search: string): boolean => !search.includes('&') && !/\d/.test(withoutEscapes(search));

/** Returns the URL pattern of an address and its minimum limit; null if it has none. */
export const urlPatternOf = ({ url, key }: Place): { readonly name: string; readonly min: number } | null => {
  const { search, pathname } = new URL(url);
  if (search !== '') return isName(search) ? null : { name: `${key.slice(0, key.indexOf('?'))}?`, min: minQueries };
  const numbers = withoutEscapes(pathname).match(/\d+/g)?.length ?? 0;
  if (numbers < 2) return null;
  return {
    name: key.replace(/%[0-9a-f]{2}|\d+/gi, (part) => (part.startsWith('%') ? part : '#')),
    min: minNumbered,
  };
};

/** Counts addresses by URL pattern. */
interface PatternCounter {
  /** Whether an address has the same pattern as the page that links to it. */
  isSamePattern(place: Place, from: Place): boolean;
  note(place: Place): void;
  /** Whether the limit of its pattern is reached. */
  isExhausted(place: Place): boolean;
  /** Number of patterns whose limit is reached. */
  exhausted(): number;
}

export const patternCounter = (pageLimit: number): PatternCounter => {
  const counts = new Map<string, { readonly max: number; count: number }>();
  return {
    isSamePattern: (place, from) => {
      const pattern = urlPatternOf(place);
      return pattern !== null && pattern.name === urlPatternOf(from)?.name;
    },
    note: (place) => {
      const pattern = urlPatternOf(place);
      if (pattern === null) return;
      const max = Math.max(pattern.min, Math.floor(pageLimit * shareOfPages));
      const known = counts.get(pattern.name) ?? { max, count: 0 };
      known.count += 1;
      counts.set(pattern.name, known);
    },
    isExhausted: (place) => {
      const known = counts.get(urlPatternOf(place)?.name ?? '');
      return known !== undefined && known.count >= known.max;
    },
    exhausted: () => [...counts.values()].filter(({ count, max }) => count >= max).length,
  };
};

/** Returns why a link is not followed, judged by its address; null if it may be followed. */
export const trapReason = (place: Place, from: Place): SkipReason | null => {
  if (isRepeatingPath(place, from)) return 'too_many_alike';
  return looksLikePage(place) ? null : 'unsupported_type';
};
