import { oneLine } from '../../../../../shared/kernel/text.ts';
import type { Block } from '../cut-units.ts';

// Lines that introduce links to other pages, in the languages of many news.
const besides = [
  /related(?: (?:articles?|stories|news|links?|topics?|content|posts?|reading|coverage|videos?))?/,
  /(?:read|see|watch|check) (?:more|next|also|on this|related)/,
  /more (?:from|in|on|about|stories|news|for you|articles)\b.{0,60}/,
  /most (?:read|popular|viewed|shared|commented)\b.{0,40}/,
  /popular(?: (?:now|posts?|stories|articles?|news|this week))?/,
  /recommended(?: (?:for you|stories|articles?|reading|posts?))?/,
  /trending(?: (?:now|stories|articles?))?/,
  /(?:don['’]t miss|(?:editor['’]s|our) picks?)/,
  /you (?:may|might) (?:also )?(?:like|enjoy|be interested)\b.{0,40}/,
  /(?:latest|top|other|recent|featured|breaking) (?:stories|news|posts?|articles?|headlines|videos?)\b.{0,40}/,
  /(?:leave|post|write|add) a (?:comment|reply)|(?:\d+ )?comments?(?: \(\d+\))?|tell us what you think/,
  /tags?|topics?|about the authors?|newsletters?|recent articles popular this week/,
  /mehr zum thema|lesen sie (?:auch|mehr)|das könnte sie auch interessieren|auch interessant|weitere artikel/,
  /leia (?:também|mais)|veja também|mais (?:lidas|notícias)|lea (?:también|más)|te puede interesar|más (?:noticias|leídas)/,
  /(?:à )?lire aussi|à voir aussi|sur le même sujet|leggi anche|potrebbe interessarti|lees (?:ook|meer)/,
  /læs (?:også|mere)|les også|läs (?:också|mer)|читайте также|самые популярные\b.{0,40}|отзывы/,
]
  .map(({ source }) => source)
  .join('|');

/** Line that introduces what is beside an article, and a line that does so with the title of another page. */
const besideTitle = new RegExp(`^(?:${besides})\\s*[:…»>.]*$`, 'i');
/** Whether a line introduces what is beside an article. */
export const isBesideTitle = (text: string): boolean => besideTitle.test(oneLine(text));

const besideLine = new RegExp(`^(?:${besides})\\s*:\\s.{1,160}$`, 'i');

/** Line of controls, pictures or advertisements. */
const control = new RegExp(
  '^(?:' +
    [
      /(?:image|photo|picture|slide|bild) \d+ (?:of|von|\/) ?\/? ?\d+/,
      /caption|close|image of|print(?: article)?|text size|skip to (?:main )?content|continue reading(?: below)?|advert(?:isement|ising)?/,
      /sponsored(?: content)?|anzeige|publicidad|publicité|this slideshow requires javascript|loading|breaking news/,
      /(?:share|follow|like|find) (?:this|us|on)\b.{0,40}|(?:sign up|subscribe)\b.{0,80}|image copyright .{0,60}/,
      /click here\b.{0,60}|https?:\/\/\S+/,
    ]
      .map(({ source }) => source)
      .join('|') +
    ')[.…]*$',
  'i',
);

const maxLinkChars = 160;
const minRepeatedChars = 20;

/** Whether a block is prose rather than the title of another page. */
const isProse = (text: string): boolean => text.length > maxLinkChars || /[\p{L}\p{N}][.!?…]["'”’»)]*$/u.test(text);

/**
 * Returns the blocks of an article without lines of controls, repeated captions, and titles of other pages below a line
 * that introduces them.
 */
export const trimArticle = (blocks: readonly Block[]): readonly Block[] => {
  const seen = new Set<string>();
  let isBeside = false;
  return blocks.filter(({ text, level, head }) => {
    const line = oneLine(text);
    if (head !== undefined) return true;
    if (isBesideTitle(line)) {
      isBeside = true;
      return false;
    }
    const isRepeated = line.length >= minRepeatedChars && seen.has(line);
    seen.add(line);
    if (isProse(line)) isBeside = false;
    return !isBeside && !isRepeated && !(level === null && (besideLine.test(line) || control.test(line)));
  });
};
