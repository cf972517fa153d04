import { crawlerToken } from './port.ts';

/** Policy of a robots.txt for this crawler. */
export interface Robots {
  isAllowed(url: string): boolean;
  /** Seconds between two requests; null if not specified. */
  readonly crawlDelaySeconds: number | null;
  /** Absolute URLs as listed; not validated. */
  readonly sitemaps: readonly string[];
}

/** Maximum bytes of a robots.txt that are read: the minimum that RFC 9309 requires. */
export const maxRobotsBytes = 500 * 1024;

interface Rule {
  readonly allows: boolean;
  /** The longest matching rule applies. */
  readonly length: number;
  /** Literal parts between the wildcards. */
  readonly parts: readonly [string, ...string[]];
  /** Whether the path must end where the rule ends. */
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

/** Normalizes the escapes of a path or rule. Source: RFC 9309, section 2.2.2. */
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

/** Whether a rule matches a path. Each part takes its first match, so the time is linear in the path. */
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

/** Parses groups line by line. Adjacent user agents share the rules that follow. */
const groupsOf = (text: string): Groups => {
  const group = (): Group => ({ rules: [], delay: null });
  const groups: Groups = { ours: group(), others: group(), hasOurs: false, sitemaps: [] };
  let named = new Set<Group | null>();
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [content = ''] = line.split('#', 1);
    const colon = content.indexOf(':');
    const name = content.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
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

/** Rules of a robots.txt for this crawler, serializable between processes. */
export interface RobotsRules extends Omit<Robots, 'isAllowed'> {
  readonly origin: string;
  readonly rules: readonly Rule[];
}

/**
 * Parses a robots.txt for this crawler: its own group or `*`, rules, `Crawl-delay` and `Sitemap`. Source: RFC 9309.
 * @param robotsUrl URL of the file, which applies to its origin only.
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

/** Builds the policy from parsed rules: the longest match applies, with `*` and `$`. */
export const compileRobots = ({ origin, rules, crawlDelaySeconds, sitemaps }: RobotsRules): Robots => ({
  isAllowed: (url) => {
    const { origin: host, pathname, search } = new URL(url);
    return host !== origin || permits(rules, spelled(`${pathname}${search}`));
  },
  crawlDelaySeconds,
  sitemaps,
});
