import { looksLikePage, type PageAddress } from './page-address.ts';
import type { SkipReason } from './skip-reason.ts';

/** An address, as far as traps are told by it. */
type Place = Pick<PageAddress, 'url' | 'key'>;

const maxSegments = 24;
const maxRepeats = 3;

/**
 * Addresses of one path that differ in their queries, and of one path whose numbers alone differ, as in calendars. They
 * count only where one of the kind led to another, which is what an endless kind does: a list of posts by number stands
 * on a page of another kind. A large crawl takes more of them, but never a whole crawl of them.
 */
const minQueries = 40;
const minNumbered = 100;
const shareOfPages = 1 / 4;

const segmentsOf = (url: string): readonly string[] => new URL(url).pathname.split('/').filter((part) => part !== '');

const maxRepeatsIn = (segments: readonly string[]): number =>
  Math.max(0, ...[...Map.groupBy(segments, (segment) => segment).values()].map(({ length }) => length));

/** Whether a path winds through itself, `/a/b/a/b/a/b`, and more so than the page that leads to it. */
export const isRepeatingPath = ({ url }: Place, from: Place | null = null): boolean => {
  const segments = segmentsOf(url);
  const before = from === null ? [] : segmentsOf(from.url);
  return (
    segments.length > Math.max(maxSegments, before.length) ||
    maxRepeatsIn(segments) > Math.max(maxRepeats, maxRepeatsIn(before))
  );
};

/** The digits of escapes are no numbers of an address. */
const withoutEscapes = (text: string): string => text.replace(/%[0-9a-f]{2}/gi, '');

/** A parameter alone that holds no number, such as the title of a page of a wiki: no row goes on by it. */
const isName = (search: string): boolean => !search.includes('&') && !/\d/.test(withoutEscapes(search));

/** What many addresses of one kind share, and how many of them a crawl takes at least; null where there is no such kind. */
export const urlPatternOf = ({ url, key }: Place): { readonly name: string; readonly fewest: number } | null => {
  const { search, pathname } = new URL(url);
  if (search !== '') return isName(search) ? null : { name: `${key.slice(0, key.indexOf('?'))}?`, fewest: minQueries };
  const numbers = withoutEscapes(pathname).match(/\d+/g)?.length ?? 0;
  if (numbers < 2) return null;
  return {
    name: key.replace(/%[0-9a-f]{2}|\d+/gi, (part) => (part.startsWith('%') ? part : '#')),
    fewest: minNumbered,
  };
};

/** How many of each kind have led to one another. */
interface PatternCounter {
  /** Whether an address is of the kind of the page that leads to it. */
  isSamePattern(place: Place, from: Place): boolean;
  note(place: Place): void;
  /** Whether a crawl has as many of its kind as it takes. */
  isExhausted(place: Place): boolean;
  /** Kinds of which there may be more than a crawl takes. */
  exhausted(): number;
}

export const patternCounter = (pageLimit: number): PatternCounter => {
  const counts = new Map<string, { readonly most: number; count: number }>();
  return {
    isSamePattern: (place, from) => {
      const kind = urlPatternOf(place);
      return kind !== null && kind.name === urlPatternOf(from)?.name;
    },
    note: (place) => {
      const kind = urlPatternOf(place);
      if (kind === null) return;
      const most = Math.max(kind.fewest, Math.floor(pageLimit * shareOfPages));
      const known = counts.get(kind.name) ?? { most, count: 0 };
      known.count += 1;
      counts.set(kind.name, known);
    },
    isExhausted: (place) => {
      const known = counts.get(urlPatternOf(place)?.name ?? '');
      return known !== undefined && known.count >= known.most;
    },
    exhausted: () => [...counts.values()].filter(({ count, most }) => count >= most).length,
  };
};

/** Why a link need not be followed, by its address alone; null where it may be. */
export const trapReason = (place: Place, from: Place): SkipReason | null => {
  if (isRepeatingPath(place, from)) return 'too_many_alike';
  return looksLikePage(place) ? null : 'unsupported_type';
};
