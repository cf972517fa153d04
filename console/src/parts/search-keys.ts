/** Frames in which a page that was opened must show its search field. */
const maxFrames = 120;

const searchField = (): HTMLInputElement | null => document.querySelector('input[data-search]');

/** Puts the keyboard into the search field of the page, once it is there. */
export const focusSearchField = (frames = maxFrames): void => {
  const field = searchField();
  if (field !== null) field.focus();
  else if (frames > 0) requestAnimationFrame(() => focusSearchField(frames - 1));
};

/** Whether a key belongs to the field in which it is pressed. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable=true]') !== null;

const resultsIn = (section: Element | null): readonly HTMLElement[] => [
  ...(section?.querySelectorAll<HTMLElement>('article[tabindex]') ?? []),
];

/** Moves the keyboard through results by the arrow keys: within a list, and between lists. Returns whether it has moved. */
export const moveByArrow = (key: string, from: Element, page: Element): boolean => {
  const lists = [...page.querySelectorAll('section')].filter((section) => resultsIn(section).length > 0);
  const list = from.closest('section');
  const at = resultsIn(list).findIndex((result) => result === from);
  const to = (section: Element | null | undefined, position: number): boolean => {
    const results = resultsIn(section ?? null);
    const result = results[Math.max(0, Math.min(results.length - 1, position))];
    result?.focus();
    return result !== undefined;
  };
  if (at < 0) return key === 'ArrowDown' && to(lists[0], 0);
  if (key === 'ArrowDown') return to(list, at + 1);
  if (key === 'ArrowUp') {
    if (at > 0) return to(list, at - 1);
    focusSearchField(0);
    return true;
  }
  const beside = lists[lists.findIndex((section) => section === list) + (key === 'ArrowRight' ? 1 : -1)];
  return (key === 'ArrowRight' || key === 'ArrowLeft') && to(beside, at);
};
