import { crawlerToken } from './port.ts';

/**
 * Returns the directives of a meta tag. A value stays with its directive: `max-image-preview: none` is about images
 * only.
 */
export const metaDirectives = (content: string): readonly string[] =>
  content
    .toLowerCase()
    .replace(/:\s+/g, ':')
    .split(/[\s,]+/);

/** Directives with a value. They are no crawler names, and their `none` forbids no page. */
const valued = /^(?:unavailable_after|max-[\w-]+)\s*:/;

/**
 * Returns the directives of an `X-Robots-Tag` for all crawlers or this one. Source: Google, "Robots meta tag
 * specifications".
 */
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

/** Returns the directives of several headers, one for each line. A crawler name applies to its own line only. */
export const headerDirectives = (headers: string | null): readonly string[] =>
  (headers ?? '').toLowerCase().split('\n').flatMap(lineDirectives);

/** Whether a header forbids indexing of a response, of any content. */
export const forbidsIndex = (robotsTag: string | null): boolean =>
  headerDirectives(robotsTag).some((directive) => directive === 'noindex' || directive === 'none');
