import type { AttributeOf } from './tag-names.ts';

/** Parts of a page that decide which of its elements can be seen. */
export interface Visibility {
  /** Ids of panels that a button on the page opens. */
  readonly panels: ReadonlySet<string>;
  /** Selectors `.class`, `#id` and `tag.class` that the page's style sheets hide for good. */
  readonly hidden: ReadonlySet<string>;
}

/** Visibility of a page without style sheets and panels. */
export const plainVisibility: Visibility = { panels: new Set(), hidden: new Set() };

const none = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all)/;

const offScreen = [
  /(?:^|;)\s*(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}/,
  /(?:^|;)\s*font-size\s*:\s*[01](?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:!|;|$)/,
  /(?:^|;)\s*clip\s*:\s*rect\(\s*[01]px[\s,]+[01]px[\s,]+[01]px[\s,]+[01]px\s*\)|(?:^|;)\s*clip\s*:\s*rect\(\s*0(?:[\s,]+0){3}\s*\)/,
  /(?:^|;)\s*clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)/,
  /(?:^|;)\s*transform\s*:\s*scale\(\s*0\s*\)/,
] as const;

const noSize = /(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*0(?:px)?\s*(?:!|;|$)/;
const clipped = /(?:^|;)\s*overflow\s*:\s*hidden/;
const transparent = /(?:^|;)\s*opacity\s*:\s*0?(?:\.0+|0)?%?\s*(?:!|;|$)/;
// Content that appears as the page is scrolled is transparent at first.
const animated = /transform|transition|animation|will-change/;
const white = String.raw`(?:#fff(?:fff)?|white|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))\b`;
const whiteText = new RegExp(String.raw`(?:^|;)\s*color\s*:\s*${white}`);
const whiteGround = new RegExp(String.raw`(?:^|;)\s*background(?:-color)?\s*:\s*${white}`);

const maxStyleChars = 2_000;

const isNone = (style: string): boolean => none.test(style);

const isUnseen = (style: string): boolean =>
  offScreen.some((pattern) => pattern.test(style)) ||
  (noSize.test(style) && clipped.test(style)) ||
  (transparent.test(style) && !animated.test(style)) ||
  (whiteText.test(style) && whiteGround.test(style));

/** Classes of texts that are only for screen readers. */
const spoken = /\b(?:sr-?only|visually-?hidden|screen-?reader|a-offscreen|assistive)/i;

/** Elements that contain a page or its content. A script shows them once they are loaded. */
const whole: ReadonlySet<string> = new Set(['HTML', 'BODY', 'MAIN', 'ARTICLE']);

const asideRoles: ReadonlySet<string> = new Set(['alertdialog', 'dialog', 'listbox', 'menu', 'menubar', 'navigation']);

/** Whether an element is a panel that a reader can open, which is content. */
export const isPanel = (name: string, attributeOf: AttributeOf, { panels }: Visibility): boolean => {
  const role = attributeOf('role') ?? '';
  if (name === 'NAV' || asideRoles.has(role)) return false;
  return role === 'tabpanel' || attributeOf('hidden') === 'until-found' || panels.has(attributeOf('id') ?? '');
};

const isStyledAway = (name: string, attributeOf: AttributeOf, { hidden }: Visibility): boolean => {
  if (hidden.size === 0) return false;
  const classes = (attributeOf('class') ?? '').slice(0, maxStyleChars).split(/\s+/);
  return [...classes.map((one) => `.${one}`), `#${attributeOf('id') ?? ''}`].some(
    (selector) => hidden.has(selector) || hidden.has(name.toLowerCase() + selector),
  );
};

/** Whether an element is a formula that is hidden because its picture is shown. @param name In upper case. */
export const isFormula = (name: string, attributeOf: AttributeOf): boolean =>
  attributeOf('aria-hidden') !== 'true' &&
  (name === 'MATH' || /katex|mathjax|mjx|mathml/i.test((attributeOf('class') ?? '').slice(0, maxStyleChars)));

/**
 * Whether a reader of the page cannot see an element: by its attributes, its style, or a simple rule of the page's style
 * sheets. @param name In upper case.
 */
export const isHidden = (name: string, attributeOf: AttributeOf, visibility: Visibility): boolean => {
  if (whole.has(name) || isPanel(name, attributeOf, visibility) || isFormula(name, attributeOf)) return false;
  const names = `${attributeOf('class') ?? ''} ${attributeOf('id') ?? ''}`.slice(0, maxStyleChars);
  if (typeof attributeOf('hidden') === 'string' || attributeOf('aria-hidden') === 'true') return true;
  if (name === 'DIALOG' && typeof attributeOf('open') !== 'string') return true;
  const style = (attributeOf('style') ?? '').slice(0, maxStyleChars).toLowerCase();
  if (style !== '' && isNone(style)) return true;
  if (spoken.test(names)) return false;
  return (style !== '' && isUnseen(style)) || isStyledAway(name, attributeOf, visibility);
};

const maxSheetChars = 200_000;
const shows =
  /(?:^|;)\s*(?:display\s*:\s*(?!none)|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.[1-9])|(?:max-)?height\s*:\s*(?!0)|left\s*:\s*(?!-)|position\s*:\s*static|clip\s*:\s*auto)/;
const simple = /^[a-z\d]*[.#][\w-]+$/;

/** Yields the rules of a style sheet. Those within `@media` and the like apply only sometimes and are left out. */
const rulesOf = function* (sheet: string): Generator<readonly [string, string]> {
  let depth = 0;
  let start = 0;
  let selector = '';
  for (const { 0: sign, index } of sheet.matchAll(/[{};]/g)) {
    if (sign === '{') {
      if (depth === 0) selector = sheet.slice(start, index).trim();
      depth += 1;
      if (depth === 1) start = index + 1;
    } else if (sign === '}') {
      depth = Math.max(0, depth - 1);
      if (depth === 0) {
        if (!selector.startsWith('@')) yield [selector, sheet.slice(start, index)];
        start = index + 1;
      }
    } else if (depth === 0) start = index + 1;
  }
};

/**
 * Returns the simple selectors that a page's style sheets hide. A class or id that another rule shows, such as that of an
 * open tab, is not hidden for good.
 */
const hiddenSelectors = (sheet: string): ReadonlySet<string> => {
  const hidden = new Set<string>();
  const shown = new Set<string>();
  const plain = sheet.slice(0, maxSheetChars).replace(/\/\*(?:[^*]|\*(?!\/)){0,5000}\*\//g, '');
  for (const [selectors, declarations] of rulesOf(plain)) {
    const style = declarations.slice(0, maxStyleChars).toLowerCase();
    const hides = isNone(style) || isUnseen(style);
    if (!hides && !shows.test(style)) continue;
    for (const selector of selectors.split(',').map((one) => one.trim())) {
      if (hides && simple.test(selector)) hidden.add(selector);
      if (hides) continue;
      if (simple.test(selector)) hidden.delete(selector);
      else for (const [name] of selector.matchAll(/[.#][\w-]+/g)) shown.add(name);
    }
  }
  return new Set([...hidden].filter((selector) => !shown.has(selector.replace(/^[a-z\d]*/, ''))));
};

const maxPanels = 5_000;

/** Collects the style sheets and the panels of a page from its tags and texts. */
export const surveyVisibility = () => {
  const panels = new Set<string>();
  let sheet = '';
  return {
    open: (name: string, attributeOf: AttributeOf): void => {
      const controls = attributeOf('aria-controls');
      const isSwitch = name === 'button' || attributeOf('role') === 'tab' || attributeOf('role') === 'button';
      if (controls == null || !isSwitch || panels.size > maxPanels) return;
      for (const id of controls.slice(0, maxStyleChars).split(/\s+/)) if (id !== '') panels.add(id);
    },
    style: (text: string): void => {
      if (sheet.length < maxSheetChars) sheet += text;
    },
    visibility: (): Visibility => ({ panels, hidden: sheet === '' ? new Set() : hiddenSelectors(sheet) }),
  };
};
