/** Levels of lists and objects within each other; metadata and filters stay far below. */
const deepest = 100;

/** Longer texts are not searched for the place of their mistake: every step parses the text anew. */
const longestSearched = 1_000_000;

// Strings may be megabytes of base64: runs of plain characters are one step.
const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

/** A place in a text that JSON.parse takes but that does not mean the same to every reader. */
export interface JsonFlaw {
  /** Of the character in the text, from zero. */
  readonly position: number;
  readonly what: string;
}

/**
 * What is wrong with a text that is valid JSON: keys that an object repeats (parsers differ in which one counts), strings
 * that are no Unicode text, and nesting beyond 100 levels, of which only the first is told. Source: RFC 8259, 4, 8.2, 9.
 */
export const jsonFlaws = (text: string): readonly JsonFlaw[] => {
  const flaws: JsonFlaw[] = [];
  const open: (Set<string> | null)[] = [];
  for (const { 0: found, 1: colon, index: position } of text.matchAll(token)) {
    if (found === '{' || found === '[') {
      open.push(found === '{' ? new Set() : null);
      if (open.length > deepest) return [...flaws, { position, what: `nested deeper than ${deepest} levels` }];
    } else if (found === '}' || found === ']') {
      open.pop();
    } else {
      const literal = colon === undefined ? found : found.slice(0, -colon.length);
      const escaped = literal.includes('\\');
      if (colon === undefined && !escaped) continue;
      const value = escaped ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      if (!value.isWellFormed()) flaws.push({ position, what: 'lone surrogate in a string' });
      const keys = open.at(-1);
      if (colon === undefined || keys == null) continue;
      if (keys.has(value)) flaws.push({ position, what: 'repeated key' });
      keys.add(value);
    }
  }
  return flaws;
};

/** Whether a text is JSON, however deep it is nested. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Where JSON.parse gave up, its length where the text just ended; null where the message does not tell. */
const toldPosition = (text: string): number | null => {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const told = /at position (\d+)/.exec(message)?.[1];
    if (told !== undefined) return Number(told);
    return message.startsWith('Unexpected end') ? text.length : null;
  }
};

/**
 * Position of the first character because of which a text is no JSON; its length where it ends too early. JSON.parse does
 * not always tell: the longest beginning that only lacks an end is searched for by halves.
 */
export const jsonMistakeAt = (text: string): number => {
  const told = toldPosition(text);
  if (told !== null || text.length > longestSearched) return told ?? 0;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (toldPosition(text.slice(0, middle)) === middle) good = middle;
    else bad = middle;
  }
  return good;
};
