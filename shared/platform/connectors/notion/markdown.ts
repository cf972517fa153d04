import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { textAt } from '../read-text.ts';

/** A block with its nested blocks. */
export interface BlockTree {
  readonly block: JsonObject;
  readonly children: readonly BlockTree[];
}

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];

/** Returns rich text with links. */
const richText = (value: Json | undefined): string =>
  objectsIn(value)
    .map((part) => {
      const [text, href] = [textAt(part, 'plain_text'), textAt(part, 'href')];
      return href === '' || href === text ? text : `[${text}](${href})`;
    })
    .join('');

const listMark = (type: string, content: JsonObject): string | null => {
  if (type === 'bulleted_list_item' || type === 'toggle') return '- ';
  if (type === 'numbered_list_item') return '1. ';
  if (type === 'to_do') return content['checked'] === true ? '- [x] ' : '- [ ] ';
  return null;
};

/** Returns the URL of a file or link. URLs of Notion's own files expire within the hour and are left out. */
const linkOf = (content: JsonObject): string => {
  const external = content['external'];
  return textAt(content, 'url') || (isObject(external) ? textAt(external, 'url') : '');
};

const oneBlock = (type: string, content: JsonObject): string => {
  const text = richText(content['rich_text']);
  const heading = /^heading_([1-4])$/.exec(type)?.[1];
  if (heading !== undefined) return `${'#'.repeat(Number(heading) + 1)} ${text}`;
  switch (type) {
    case 'quote':
    case 'callout':
      return text.replaceAll(/^/gm, '> ');
    case 'code':
      return `\`\`\`${textAt(content, 'language').replaceAll(/\W/g, '')}\n${text}\n\`\`\``;
    case 'equation':
      return `$$${textAt(content, 'expression')}$$`;
    case 'divider':
      return '---';
    case 'table_row': {
      const cells = Array.isArray(content['cells']) ? (content['cells'] as readonly Json[]) : [];
      return `| ${cells.map((cell) => richText(cell).replaceAll('|', '\\|')).join(' | ')} |`;
    }
    default: {
      const caption = richText(content['caption']);
      // Meeting notes have a title.
      return [richText(content['title']), text, caption, linkOf(content)].filter((part) => part !== '').join(' ');
    }
  }
};

const tableOf = ([head, ...others]: readonly string[]): string => {
  if (head === undefined) return '';
  const columns = head.split(/(?<!\\)\|/).length - 2;
  return [head, `|${' --- |'.repeat(columns)}`, ...others].join('\n');
};

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const isItem = ({ block }: BlockTree): boolean => {
  const content = block[textAt(block, 'type')];
  return listMark(textAt(block, 'type'), isObject(content) ? content : {}) !== null;
};

const markdownOf = ({ block, children }: BlockTree): string => {
  const type = textAt(block, 'type');
  const value = block[type];
  const content = isObject(value) ? value : {};
  if (type === 'child_page' || type === 'child_database') return '';
  if (type === 'table') return tableOf(children.map(markdownOf));
  const nested = toMarkdown(children);
  const mark = listMark(type, content);
  if (mark === null) return [oneBlock(type, content), nested].filter((part) => part !== '').join('\n\n');
  const head = `${mark}${oneBlock(type, content)}`;
  return nested === '' ? head : `${head}\n${indented(nested)}`;
};

/** Converts the blocks of a page to Markdown. */
export const toMarkdown = (trees: readonly BlockTree[]): string => {
  let text = '';
  let afterItem = false;
  for (const tree of trees) {
    const part = markdownOf(tree);
    if (part === '') continue;
    const item = isItem(tree);
    text += text === '' ? part : `${afterItem && item ? '\n' : '\n\n'}${part}`;
    afterItem = item;
  }
  return text;
};

const nameOf = (value: Json | undefined): string => (isObject(value) ? textAt(value, 'name') : '');

const joined = (parts: readonly string[], by: string): string => parts.filter((part) => part !== '').join(by);

/** Converts property values that are objects or lists. */
const compound = (type: string, value: Json): string => {
  if (type === 'title' || type === 'rich_text') return richText(value);
  if (Array.isArray(value))
    return joined(
      (value as readonly Json[]).map((one) => compound(type, one)),
      ', ',
    );
  if (!isObject(value)) return '';
  if (type === 'date') return joined([textAt(value, 'start'), textAt(value, 'end')], ' – ');
  if (type === 'unique_id') return joined([textAt(value, 'prefix'), propertyText({ ...value, type: 'number' })], '-');
  // Computed values have another type, and each part of a list has its own.
  return type === 'formula' || type === 'rollup' || type === 'array' ? propertyText(value) : nameOf(value);
};

/** Returns the value of a property as text; empty if it has none or its type has no text. */
const propertyText = (property: JsonObject): string => {
  const type = textAt(property, 'type');
  const value = property[type];
  if (type === 'checkbox' || type === 'boolean') return value === true ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return value === undefined ? '' : compound(type, value);
};

const propertiesOf = (page: JsonObject): readonly (readonly [string, JsonObject])[] => {
  const properties = page['properties'];
  return isObject(properties)
    ? Object.entries(properties).flatMap(([name, value]) => (isObject(value) ? [[name, value] as const] : []))
    : [];
};

/** Returns the words of rich text. */
export const plainTextOf = (value: Json | undefined): string =>
  objectsIn(value)
    .map((part) => textAt(part, 'plain_text'))
    .join('');

/** Returns the title of a page, whose property may have any name. */
export const titleOf = (page: JsonObject): string => {
  const [, title] = propertiesOf(page).find(([, { type }]) => type === 'title') ?? [];
  return title === undefined ? '' : plainTextOf(title['title']);
};

/** Returns the properties of a page as lines, sorted by name. */
export const propertyLines = (page: JsonObject): string =>
  propertiesOf(page)
    .filter(([, { type }]) => type !== 'title')
    .map(([name, property]) => [name, propertyText(property)] as const)
    .filter(([, text]) => text !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
