import { crawlerToken } from './port.ts';

/** What a site asks of crawlers. */
export interface Robots {
  isAllowed(url: string): boolean;
  /** Seconds between two requests; null where nothing is said. */
  readonly crawlDelaySeconds: number | null;
  /** Whole addresses as they are listed; not checked. */
  readonly sitemaps: readonly string[];
}

/** Most of a robots.txt that is read, in bytes, as RFC 9309 asks for at least. */
export const maxRobotsBytes = 500 * 1024;

interface Rule {
  readonly allows: boolean;
  /** Of two rules that match, the longer one holds. */
  readonly length: number;
  /** What stands between the wildcards. */
  readonly parts: readonly [string, ...string[]];
  /** Whether the path has to end where the rule does. */
  readonly isWhole: boolean;
}

interface Group {
  readonly rules: Rule[];
  delay: number | null;
}

interface Groups {
  readonly ours: Group;
  readonly others: Group;
  /** Whether there is a group for this crawler. */
  hasOurs: boolean;
  readonly sitemaps: string[];
}

const unreserved = /[A-Za-z0-9\-._~]/;

/** A path or rule in one spelling of its escapes. Source: RFC 9309, section 2.2.2. */
const spelled = (text: string): string =>
  (text.isWellFormed() ? encodeURI(text).replaceAll('%25', '%') : text).replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return unreserved.test(character) ? character : escape.toUpperCase();
  });

const ruleOf = (value: string, allows: boolean): Rule => {
  const pattern = spelled(value);
  const isWhole = pattern.endsWith('$');
  const [first = '', ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split(/\*+/);
  return { allows, length: pattern.length, parts: [first, ...others], isWhole };
};

/** Whether a rule matches a path: each part where it first fits, so that the time grows with the path and not with the ways. */
const isMatch = ({ parts: [first, ...others], isWhole }: Rule, path: string): boolean => {
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? others.pop() : undefined;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (last !== undefined) return path.length - last.length >= at && path.endsWith(last);
  return !isWhole || at === path.length;
};

const note = (group: Group | null, name: string, value: string): void => {
  if (group === null || value === '') return;
  if (name !== 'crawl-delay') group.rules.push(ruleOf(value, name === 'allow'));
  else if (Number.isFinite(Number(value)) && Number(value) >= 0) group.delay = Number(value);
};

/** Reads line by line; agents beside one another share the rules that follow them. */
const groupsOf = (text: string): Groups => {
  const group = (): Group => ({ rules: [], delay: null });
  const groups: Groups = { ours: group(), others: group(), hasOurs: false, sitemaps: [] };
  let named = new Set<Group | null>();
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [said = ''] = line.split('#', 1);
    const colon = said.indexOf(':');
    const name = said.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = said.slice(colon + 1).trim();
    if (name === 'sitemap' && value !== '') groups.sitemaps.push(value);
    if (name === 'user-agent') {
      if (!isNaming) named = new Set();
      isNaming = true;
      const agent = (value.split('/', 1)[0] ?? '').trim().toLowerCase();
      named.add(agent === crawlerToken ? groups.ours : agent === '*' ? groups.others : null);
      groups.hasOurs ||= agent === crawlerToken;
    } else if (name === 'allow' || name === 'disallow' || name === 'crawl-delay') {
      isNaming = false;
      for (const found of named) note(found, name, value);
    }
  }
  return groups;
};

const isStronger = (rule: Rule, than: Rule | null): boolean =>
  than === null || rule.length > than.length || (rule.length === than.length && rule.allows);

const permits = (rules: readonly Rule[], path: string): boolean => {
  let strongest: Rule | null = null;
  for (const rule of rules) if (isStronger(rule, strongest) && isMatch(rule, path)) strongest = rule;
  return strongest?.allows ?? true;
};

/** Rules of a robots.txt for this crawler, in a form that another process can send. */
export interface RobotsRules extends Omit<Robots, 'isAllowed'> {
  readonly origin: string;
  readonly rules: readonly Rule[];
}

/**
 * Parses a robots.txt for this crawler: its own group or `*`, rules, `Crawl-delay` and `Sitemap`. Source: RFC 9309.
 * @param robotsUrl Address of the file: it speaks for that origin alone.
 */
export const parseRobots = (robotsUrl: string, text: string): RobotsRules => {
  const { ours, others, hasOurs, sitemaps } = groupsOf(text.replace(/^\uFEFF/, ''));
  const { rules, delay } = hasOurs ? ours : others;
  return {
    origin: new URL(robotsUrl).origin,
    rules,
    crawlDelaySeconds: delay,
    sitemaps: sitemaps.flatMap((url) => (URL.canParse(url, robotsUrl) ? [new URL(url, robotsUrl).href] : [])),
  };
};

/** Applies parsed rules: the longest one that matches holds, with `*` and `$`. */
export const compileRobots = ({ origin, rules, crawlDelaySeconds, sitemaps }: RobotsRules): Robots => ({
  isAllowed: (url) => {
    const { origin: host, pathname, search } = new URL(url);
    return host !== origin || permits(rules, spelled(`${pathname}${search}`));
  },
  crawlDelaySeconds,
  sitemaps,
});
