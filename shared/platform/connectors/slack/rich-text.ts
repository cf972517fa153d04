import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { textAt } from '../read-text.ts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const linkOf = (element: JsonObject): string => {
  const [url, text] = [escaped(textAt(element, 'url')), escaped(textAt(element, 'text'))];
  return text === '' ? `<${url}>` : `<${url}|${text}>`;
};

/** Inline elements in the markup of a message's text. Source: Slack, "Rich text block". */
const inLine: ReadonlyMap<string, (element: JsonObject) => string> = new Map([
  ['link', linkOf],
  ['user', (element) => `<@${textAt(element, 'user_id')}>`],
  ['channel', (element) => `<#${textAt(element, 'channel_id')}>`],
  ['usergroup', (element) => `<!subteam^${textAt(element, 'usergroup_id')}>`],
  ['broadcast', (element) => `<!${textAt(element, 'range')}>`],
  ['emoji', (element) => `:${textAt(element, 'name')}:`],
  ['date', (element) => escaped(textAt(element, 'fallback'))],
  ['color', (element) => textAt(element, 'value')],
]);

const markOf = (list: JsonObject, at: number): string => {
  const number = Number(list['offset'] ?? 0) + at + 1;
  return textAt(list, 'style') === 'ordered' ? `${number}. ` : '• ';
};

/** Converts a rich text block to the markup of a message's text, without styles. */
export const richText = (block: JsonObject): string => {
  const type = textAt(block, 'type');
  const list: unknown = block['elements'];
  if (!Array.isArray(list)) return inLine.get(type)?.(block) ?? escaped(textAt(block, 'text'));
  const parts = list.filter(isObject).map(richText);
  if (type === 'rich_text_list') return parts.map((part, at) => `${markOf(block, at)}${part}`).join('\n');
  return parts.join(type === 'rich_text' ? '\n' : '');
};
