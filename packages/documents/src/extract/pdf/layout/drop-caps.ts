import { changedCharacter } from '../page-characters.ts';
import type { Fragment } from './fragments.ts';

// In font sizes of the text beside it.
const minSize = 1.8;
const maxSize = 9;
const maxGap = 1.5;

const isInitial = ({ characters }: Fragment): boolean => {
  if (characters.length > 2) return false;
  const text = characters
    .map((character) => character.text)
    .join('')
    .trim();
  return /^["“„«‘']?\p{Lu}$/u.test(text);
};

/** Text at whose start a drop cap stands: the highest line beside it. */
const besideOf = (capital: Fragment, fragments: readonly Fragment[]): Fragment | undefined =>
  fragments
    .filter(
      (one) =>
        one !== capital &&
        capital.size >= minSize * one.size &&
        capital.size <= maxSize * one.size &&
        one.left - capital.right < maxGap * one.size &&
        one.left > capital.left &&
        one.baseline <= capital.baseline + 0.3 * one.size &&
        one.top >= capital.top - 0.6 * one.size,
    )
    .toSorted((one, other) => one.baseline - other.baseline || one.left - other.left)[0];

// A page has few drop caps. More large capitals are a drawing or a game.
const maxCapitals = 20;

/** Joins the large first letters of paragraphs, which reach over several lines, with the rest of their words. */
export const mergeDropCaps = (fragments: readonly Fragment[]): readonly Fragment[] => {
  const capitals = fragments.filter(isInitial);
  if (capitals.length === 0 || capitals.length > maxCapitals) return fragments;
  const merged = new Map<Fragment, Fragment>();
  const gone = new Set<Fragment>();
  for (const capital of capitals) {
    const text = besideOf(capital, fragments);
    const below =
      text === undefined
        ? []
        : fragments.filter(
            (one) =>
              one.left > capital.left &&
              one.left - capital.right < maxGap * one.size &&
              one.baseline > text.baseline &&
              one.baseline <= capital.baseline + 0.3 * one.size &&
              one !== capital,
          );
    if (text === undefined || below.length === 0 || merged.has(text)) continue;
    const [first] = text.characters;
    if (first === undefined) continue;
    const { style, originY } = first;
    const initials = capital.characters.map((character) => changedCharacter(character, { style, originY }));
    const space = capital.endsWithSpace ? [changedCharacter(first, { text: ' ', width: 0 })] : [];
    gone.add(capital);
    merged.set(text, { ...text, characters: [...initials, ...space, ...text.characters] });
  }
  return fragments.flatMap((one) => (gone.has(one) ? [] : [merged.get(one) ?? one]));
};
