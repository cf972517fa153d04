import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { textAt } from '../read-text.ts';
import { richText } from './rich-text.ts';

/** What a message consists of besides its text, as Slack's API gives it. */
export interface SlackParts {
  readonly text?: string;
  readonly subtype?: string;
  /** Of what a program wrote. */
  readonly bot_id?: string;
  readonly blocks?: readonly unknown[];
  readonly attachments?: readonly unknown[];
}

/** What Slack puts where a program gave no words for people without the attachment. */
const noWords = '[no preview available]';

const objectsAt = (object: JsonObject, name: string): readonly JsonObject[] => {
  const list: unknown = object[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** What a block holds for people to press or to fill in. */
const pressed: ReadonlySet<string> = new Set(['actions', 'context_actions', 'accessory', 'element']);

/** Names of what is to read where it is a text by itself. */
const worded: ReadonlySet<string> = new Set(['text', 'title', 'subtitle', 'caption', 'description']);

const cellsOf = (row: unknown): string => (Array.isArray(row) ? row.flatMap(textsIn).join(' | ') : '');

/** Texts of a block and of all that is in it, of whatever kind: Slack makes new ones. */
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

/** A text by its words alone: Slack says of a block's styles in a text what it says beside it in a block. */
const wordsOf = (text: string): string => ` ${(text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

/** Blocks that say more than the text of the message: a rich text that a person wrote is that text. */
const tellingBlocks = ({ text = '', subtype, bot_id: bot, blocks = [] }: SlackParts): readonly unknown[] => {
  const isOfPerson = text !== '' && bot === undefined && subtype !== 'bot_message';
  return isOfPerson ? blocks.filter((block) => !isObject(block) || textAt(block, 'type') !== 'rich_text') : blocks;
};

/** All that is to read of a message: its text, then what programs put into blocks and attachments, each once. */
export const textOf = (message: SlackParts): string => {
  const { text = '', attachments = [] } = message;
  let [whole, said] = [text, wordsOf(text)];
  for (const part of [...textsIn(tellingBlocks(message)), ...attachments.filter(isObject).flatMap(inAttachment)]) {
    const words = wordsOf(part);
    if (whole.includes(part) || (words.trim() !== '' && said.includes(words))) continue;
    whole = whole === '' ? part : `${whole}\n${part}`;
    said += words;
  }
  return whole;
};
