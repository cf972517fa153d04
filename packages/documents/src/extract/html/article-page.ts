import type { DomDocument } from './prepare-tree.ts';

const articleTypes = /(?:article|blogposting|report)$/i;
const statedTypes = /"@type"\s*:\s*(?:"([^"]{1,60})"|\[([^\]]{1,200})\])/g;

const maxDataChars = 200_000;

/** Whether a page states that it is an article: in its metadata, or in its linked data. */
export const statesArticle = (document: DomDocument): boolean => {
  for (const meta of document.querySelectorAll('meta[property="og:type"]'))
    if (/^article\b/i.test(meta.getAttribute('content') ?? '')) return true;
  for (const element of document.querySelectorAll('[itemtype]'))
    if (articleTypes.test(element.getAttribute('itemtype') ?? '')) return true;
  for (const script of document.querySelectorAll('script[type="application/ld+json"]'))
    for (const [, type = '', types = ''] of (script.textContent ?? '').slice(0, maxDataChars).matchAll(statedTypes))
      if (articleTypes.test(type) || types.split(',').some((one) => articleTypes.test(one.replace(/["\s]/g, ''))))
        return true;
  return false;
};
