import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { textAt } from '../read-text.ts';
import { richText } from './rich-text.ts';

/** Parts of a message that contain text, as in Slack's API. */
export interface SlackParts {
  readonly text?: string;
  readonly subtype?: string;
  /** Set for messages of programs. */
  readonly bot_id?: string;
  readonly blocks?: readonly unknown[];
  readonly attachments?: readonly unknown[];
}

/** Slack's placeholder for an attachment without fallback text. */
const noWords = '[no preview available]';

const objectsAt = (object: JsonObject, name: string): readonly JsonObject[] => {
  const list: unknown = object[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Interactive parts of a block. */
const pressed: ReadonlySet<string> = new Set(['actions', 'context_actions', 'accessory', 'element']);

/** Keys of a block that contain readable text. */
const worded: ReadonlySet<string> = new Set(['text', 'title', 'subtitle', 'caption', 'description']);

const cellsOf = (row: unknown): string => (Array.isArray(row) ? row.flatMap(textsIn).join(' | ') : '');

/** Returns the texts of a block and its nested parts, of known and unknown kinds. */
const textsIn = (block: unknown): readonly string[] => {
  if (Array.isArray(block)) return block.flatMap(textsIn);
  if (!isObject(block) || pressed.has(textAt(block, 'type'))) return [];
  if (textAt(block, 'type') === 'rich_text') return [richText(block)];
  return Object.entries(block).flatMap(([name, value]) => {
    if (typeof value === 'string') return worded.has(name) ? [value] : [];
    if (name === 'rows' && Array.isArray(value)) return [value.map(cellsOf).join('\n')];
    return pressed.has(name) ? [] : textsIn(value);
  });
};

const inAttachment = (attachment: JsonObject): readonly string[] => {
  const fields = objectsAt(attachment, 'fields').map((field) =>
    [textAt(field, 'title'), textAt(field, 'value')].filter((part) => part !== '').join(': '),
  );
  const said = ['pretext', 'title', 'text'].map((name) => textAt(attachment, name));
  const parts = [...said, ...fields, ...textsIn(attachment['blocks'] ?? [])];
  const fallback = textAt(attachment, 'fallback');
  return parts.some((part) => part !== '') || fallback === noWords ? parts : [fallback];
};

/** Reduces a text to its words, since Slack marks up the same text differently in blocks. */
const wordsOf = (text: string): string => ` ${(text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

/** Returns blocks that add to the text of a message. A person's rich text block repeats it. */
const additionalBlocks = ({ text = '', subtype, bot_id: bot, blocks = [] }: SlackParts): readonly unknown[] => {
  const isOfPerson = text !== '' && bot === undefined && subtype !== 'bot_message';
  return isOfPerson ? blocks.filter((block) => !isObject(block) || textAt(block, 'type') !== 'rich_text') : blocks;
};

/** Returns the whole text of a message: its text, then that of blocks and attachments, without duplicates. */
export const textOf = (message: SlackParts): string => {
  const { text = '', attachments = [] } = message;
  let [whole, seenWords] = [text, wordsOf(text)];
  for (const part of [...textsIn(additionalBlocks(message)), ...attachments.filter(isObject).flatMap(inAttachment)]) {
    const words = wordsOf(part);
    if (whole.includes(part) || (words.trim() !== '' && seenWords.includes(words))) continue;
    whole = whole === '' ? part : `${whole}\n${part}`;
    seenWords += words;
  }
  return whole;
};
