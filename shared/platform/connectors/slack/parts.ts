import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { textAt } from '../read-text.ts';

/** What a message consists of besides its text, as Slack's API gives it. */
export interface SlackParts {
  readonly text?: string;
  readonly blocks?: readonly unknown[];
  readonly attachments?: readonly unknown[];
}

/** What Slack puts where a program gave no words for people without the attachment. */
const noWords = '[no preview available]';

const objectsAt = (object: JsonObject, name: string): readonly JsonObject[] => {
  const list: unknown = object[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** A text in a block: as it is, or as an object that says how it is marked up. */
const blockText = (block: JsonObject): string => {
  const text = block['text'];
  return isObject(text) ? textAt(text, 'text') : textAt(block, 'text');
};

/** Texts of a block; a rich text of a person is the text of its message as well. */
const inBlock = (block: JsonObject): readonly string[] =>
  textAt(block, 'type') === 'rich_text'
    ? []
    : [
        blockText(block),
        ...[...objectsAt(block, 'fields'), ...objectsAt(block, 'elements')].map((part) => textAt(part, 'text')),
      ];

const inAttachment = (attachment: JsonObject): readonly string[] => {
  const fields = objectsAt(attachment, 'fields').map((field) =>
    [textAt(field, 'title'), textAt(field, 'value')].filter((part) => part !== '').join(': '),
  );
  const said = ['pretext', 'title', 'text'].map((name) => textAt(attachment, name));
  const parts = [...said, ...fields, ...objectsAt(attachment, 'blocks').flatMap(inBlock)];
  const fallback = textAt(attachment, 'fallback');
  return parts.some((part) => part !== '') || fallback === noWords ? parts : [fallback];
};

/** All that is to read of a message: its text, then what programs put into blocks and attachments, each once. */
export const textOf = ({ text = '', blocks = [], attachments = [] }: SlackParts): string => {
  const parts = [...blocks.filter(isObject).flatMap(inBlock), ...attachments.filter(isObject).flatMap(inAttachment)];
  let whole = text;
  for (const part of parts) if (!whole.includes(part)) whole = whole === '' ? part : `${whole}\n${part}`;
  return whole;
};
