import type { JsonObject } from '../../../kernel/json.ts';
import { type Choice, type Choices, type ChoicesInput, unknownParent } from '../port.ts';
import { textAt } from '../read-text.ts';
import { isInvalid, notionClient, notionFault } from './client.ts';
import { plainTextOf, titleOf } from './markdown.ts';

const resultsPerPage = 100;

const choiceOf = (result: JsonObject): Choice => {
  const id = textAt(result, 'id');
  const isPage = result['object'] === 'page';
  const title = isPage ? titleOf(result) : plainTextOf(result['title']);
  return {
    name: title === '' ? 'Untitled' : title,
    scope: { field: isPage ? 'notion_pages' : 'notion_data_sources', id },
    parent: null,
    isAccessible: true,
  };
};

/** Lists the pages and data sources that are shared with the integration, the last edited ones first. */
export const notionChoices = async (
  baseUrl: string,
  { credentials, now, parent, cursor, search }: ChoicesInput,
): Promise<Choices> => {
  if (parent !== null) throw unknownParent();
  try {
    const { results, next_cursor: next } = await notionClient(textAt(credentials, 'token'), baseUrl).search({
      ...(search === '' ? {} : { query: search }),
      sort: { timestamp: 'last_edited_time', direction: 'descending' },
      page_size: resultsPerPage,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    // The SDK's types are a union of some forty shapes; few fields are read.
    return { choices: (results as unknown as readonly JsonObject[]).map(choiceOf), next };
  } catch (error) {
    throw isInvalid(error) ? unknownParent() : notionFault(error, now);
  }
};
