import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { isOutOfReach } from './client.ts';
import type { Reading } from './entry.ts';
import { textAt } from '../read-text.ts';

/** Maximum values of a property that a page includes. Source: Notion, "Retrieve a page". */
const maxWithPage = 25;

/** Returns values of a property that a page may truncate. Relations are excluded, since they are page ids. */
const listOf = (property: JsonObject): readonly Json[] => {
  const type = textAt(property, 'type');
  const value = property[type];
  const list = type === 'rollup' && isObject(value) ? value['array'] : value;
  return ['title', 'rich_text', 'people', 'rollup'].includes(type) && Array.isArray(list)
    ? (list as readonly Json[])
    : [];
};

/** Whether a value may be truncated: it has the maximum number of parts. */
const mayBeCut = (property: JsonObject): boolean => listOf(property).length >= maxWithPage;

const allValues = async ({ client }: Reading, pageId: string, property: JsonObject): Promise<JsonObject> => {
  const items: JsonObject[] = [];
  let cursor: string | null = null;
  do {
    const asked = { page_id: pageId, property_id: textAt(property, 'id'), page_size: 100 };
    const answer = await client.pages.properties.retrieve({
      ...asked,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    if (answer.object !== 'list') return property;
    items.push(...(answer.results as unknown as readonly JsonObject[]));
    cursor = answer.next_cursor;
  } while (cursor !== null);
  const type = textAt(property, 'type');
  if (type === 'rollup') return { ...property, rollup: { type: 'array', array: items } };
  return { ...property, [type]: items.flatMap((item) => item[type] ?? []) };
};

/** Adds all values of a page's properties. If Notion does not return them, those of the page are used. */
export const withAllValues = async (reading: Reading, page: JsonObject): Promise<JsonObject> => {
  const properties = page['properties'];
  if (!isObject(properties)) return page;
  const whole: Record<string, Json> = { ...properties };
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property) || !mayBeCut(property)) continue;
    whole[name] = await allValues(reading, textAt(page, 'id'), property).catch((error: unknown) => {
      if (!isOutOfReach(error)) throw error;
      return property;
    });
  }
  return { ...page, properties: whole };
};
