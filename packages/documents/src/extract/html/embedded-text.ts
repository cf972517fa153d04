import { oneLine } from '../../../../../shared/kernel/text.ts';
import { type EmbeddedText, openMath } from './math-text.ts';

const captions: ReadonlySet<string> = new Set(['TITLE', 'DESC']);

/** Reads the title and the description of a drawing (SVG). One of a single word names an icon. */
const openDrawing = (): EmbeddedText => {
  const names: string[] = [];
  const found: string[] = [];
  return {
    open: (name) => {
      names.push(name);
      if (names.length === 1 && captions.has(name)) found.push('');
    },
    text: (text) => {
      if (names.length === 1 && captions.has(names[0] ?? '')) found.push((found.pop() ?? '') + text);
    },
    close: () => {
      names.pop();
    },
    render: () => {
      const read = found.map(oneLine).filter((caption) => caption.includes(' '));
      return read.length === 0 ? '' : ` ${read.join(' ')} `;
    },
  };
};

const kinds: ReadonlyMap<string, () => EmbeddedText> = new Map([
  ['MATH', openMath],
  ['SVG', openDrawing],
]);

/** Reads formulas and drawings of a page. */
export const openEmbedded = () => {
  let current: EmbeddedText | null = null;
  let depth = 0;
  return {
    /** Returns whether a tag belongs to an embedded element. */
    open: (name: string): boolean => {
      if (current === null) {
        current = kinds.get(name)?.() ?? null;
        return current !== null;
      }
      depth += 1;
      current.open(name);
      return true;
    },
    /** Returns whether a text belongs to an embedded element. */
    text: (words: string): boolean => {
      current?.text(words);
      return current !== null;
    },
    /** Returns the text of an embedded element that ends, empty within one, and null outside of one. */
    close: (): string | null => {
      if (current === null) return null;
      if (depth > 0) {
        depth -= 1;
        current.close();
        return '';
      }
      const text = current.render();
      current = null;
      return text;
    },
  };
};
