import { crawlerToken } from './port.ts';

/** A value stays with its directive: `max-image-preview: none` is about pictures alone. */
export const metaDirectives = (content: string): readonly string[] =>
  content
    .toLowerCase()
    .replace(/:\s+/g, ':')
    .split(/[\s,]+/);

/** Directives with a value are no names of crawlers, and the `none` of one forbids no page. */
const valued = /^(?:unavailable_after|max-[\w-]+)\s*:/;

/** Directives of an `X-Robots-Tag` for every crawler or this one. Source: Google, "Robots meta tag specifications". */
const lineDirectives = (line: string): readonly string[] => {
  let forUs = true;
  return line.split(',').flatMap((part) => {
    const directive = part.trim();
    if (valued.test(directive)) return [];
    const [named = '', agent] = /^([\w-]+):(?!\s*\d)/.exec(directive) ?? [];
    if (agent !== undefined) forUs = agent === crawlerToken;
    return forUs ? [directive.slice(named.length).trim()] : [];
  });
};

/** The same of several headers, each a line: none speaks for the crawler that another one names. */
export const headerDirectives = (headers: string | null): readonly string[] =>
  (headers ?? '').toLowerCase().split('\n').flatMap(lineDirectives);

/** Whether a header forbids an answer to be kept, whatever it holds. */
export const forbidsIndex = (robotsTag: string | null): boolean =>
  headerDirectives(robotsTag).some((directive) => directive === 'noindex' || directive === 'none');
