/** Placeholder of a page number in a header or footer. Unicode reserves this code point for use inside a program. */
export const pageNumber = '\uFDD8';

const pages = new RegExp(
  String.raw`(?:(?:page|pages|seite|sida|side|sivu|página|pagina|pág\.?|pag\.?|p\.|s\.|bladzijde|blz\.?|strona|страница)\s*)?` +
    String.raw`${pageNumber}(?:\s*(?:of|von|av|af|de|di|sur|van|z|из|/|-|–)\s*(?:${pageNumber}|\d+))?`,
  'giu',
);

/** Text of a header or footer without its page numbers, and without the words about them: `Page 3 of 12`. */
export const withoutPageNumbers = (text: string): string => {
  if (!text.includes(pageNumber)) return text.trim();
  const words = /[^\s|–—·•,;/-](?:.*[^\s|–—·•,;/-])?/su.exec(text.replace(pages, ''));
  return words !== null && /[\p{L}\p{N}]/u.test(words[0]) ? words[0] : '';
};
