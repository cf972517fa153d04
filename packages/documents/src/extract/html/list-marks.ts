import { itemStart } from './page-draft.ts';
import type { AttributeOf } from './tag-names.ts';

const numberOf = (value: string | null | undefined): number | null =>
  /^\s*-?\d{1,9}\s*$/.test(value ?? '') ? Number(value) : null;

/** Number of the next item, if known, and the increment after it. */
interface List {
  next: number | null;
  readonly step: number;
}

/** Returns the marker of each list item, from the list tags in order. */
export const openLists = () => {
  const lists: List[] = [];
  return {
    open: (name: string, attributeOf: AttributeOf): string => {
      if (name === 'UL') lists.push({ next: null, step: 0 });
      if (name === 'OL') {
        const isReversed = typeof attributeOf('reversed') === 'string';
        lists.push({ next: numberOf(attributeOf('start')) ?? (isReversed ? null : 1), step: isReversed ? -1 : 1 });
      }
      if (name !== 'LI') return '';
      const list = lists.at(-1);
      const number = list === undefined || list.step === 0 ? null : (numberOf(attributeOf('value')) ?? list.next);
      if (list === undefined || number === null) return `-${itemStart}`;
      list.next = number + list.step;
      return `${number}.${itemStart}`;
    },
    close: (name: string): void => {
      if (name === 'UL' || name === 'OL') lists.pop();
    },
  };
};
