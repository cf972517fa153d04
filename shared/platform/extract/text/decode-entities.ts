/** Makes ready to decode the entities of HTML, numbers among them; what is none stays, as does one without its semicolon. */
export const openEntities = async (): Promise<(text: string) => string> => {
  const { Parser } = await import('htmlparser2');
  const decode = (entity: string): string => {
    let words = '';
    new Parser({ ontext: (text) => (words += text) }).end(entity);
    // Of a name that begins as another does, such as `&notes;`, the parser would decode that beginning.
    return words.length > 1 && words.endsWith(';') ? entity : words.replaceAll('\u00A0', ' ');
  };
  return (text) => text.replace(/&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/gi, decode);
};
