/** Note for the user about text that is not shown. */
export const noteHiddenText = 'Text that is formatted as hidden was left out.';

const maxNumbers = 20;

/** Note for the user about slides that are not shown, by their numbers. */
export const noteHiddenSlides = (hidden: readonly number[]): readonly string[] => {
  if (hidden.length === 0) return [];
  const numbers = hidden.slice(0, maxNumbers).join(', ') + (hidden.length > maxNumbers ? ', …' : '');
  return [
    hidden.length === 1
      ? `Hidden slide ${numbers} was not read.`
      : `${hidden.length} hidden slides were not read: ${numbers}.`,
  ];
};
