/**
 * Loads a decoder of HTML entities, including numeric ones. Unknown entities, and those without semicolon, are
 * unchanged.
 */
export const openEntities = async (): Promise<(text: string) => string> => {
  const { Parser } = await import('htmlparser2');
  const decode = (entity: string): string => {
    let words = '';
    new Parser({ ontext: (text) => (words += text) }).end(entity);
    // The parser would decode the start of an unknown name that begins like a known one, such as `&notes;`.
    return words.length > 1 && words.endsWith(';') ? entity : words.replaceAll('\u00A0', ' ');
  };
  return (text) => text.replace(/&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/gi, decode);
};
