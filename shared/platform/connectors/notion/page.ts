import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { contentVersion } from '../content-version.ts';
import { filesIn } from './attachments.ts';
import { isInvalid, isOutOfReach } from './client.ts';
import { type Entry, type Found, isGone, namedIn, plainId, type Reading, unread } from './entry.ts';
import { type BlockTree, propertyLines, titleOf, toMarkdown } from './markdown.ts';
import { withAllValues } from './properties.ts';
import { failed, type SourceChange, type StepInput } from '../port.ts';
import { fileNameOf, textAt } from '../read-text.ts';

const pageSize = 100;
/** Maximum nesting of blocks. */
const maxDepth = 12;
/** Maximum blocks of one page whose children are requested: each is a request, and Notion allows three a second. */
const maxNestedBlocks = 500;

const childrenOf = async ({ client, lists }: Reading, blockId: string): Promise<readonly JsonObject[]> => {
  const known = lists.get(blockId);
  if (known !== undefined) return known;
  const blocks: JsonObject[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.blocks.children.list({
      block_id: blockId,
      page_size: pageSize,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    // The SDK's types are a union of some forty shapes; few fields are read.
    blocks.push(...(page.results as unknown as readonly JsonObject[]));
    cursor = page.next_cursor;
  } while (cursor !== null);
  lists.set(blockId, blocks);
  return blocks;
};

const subpages: ReadonlySet<string> = new Set(['child_page', 'child_database']);

interface Budget {
  /** Remaining blocks whose children may be requested; below zero, some were skipped. */
  left: number;
  /** Whether a block is not listed by Notion, so that it may contain pages. */
  isShut: boolean;
}

const hasInside = (block: JsonObject, depth: number): boolean => {
  const type = textAt(block, 'type');
  return block['has_children'] === true && type !== 'unsupported' && !subpages.has(type) && depth < maxDepth;
};

/** Reads the nested blocks of a block; none if the API does not return them, as for copies of unshared blocks. */
const insideOf = async (
  reading: Reading,
  blockId: string,
  depth: number,
  budget: Budget,
): Promise<readonly BlockTree[]> => {
  budget.left -= 1;
  if (budget.left < 0) return [];
  try {
    return await readBlocks(reading, blockId, depth, budget);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    budget.isShut ||= isInvalid(error);
    return [];
  }
};

/** Returns the blocks of a meeting's summary and notes, by Notion's ids. The transcript is left out. */
const meetingParts = (block: JsonObject): readonly string[] => {
  const content = block[textAt(block, 'type')];
  const parts = isObject(content) ? content['children'] : undefined;
  if (!isObject(parts)) return [];
  return [textAt(parts, 'summary_block_id'), textAt(parts, 'notes_block_id')].filter((id) => id !== '');
};

const readBlocks = async (
  reading: Reading,
  blockId: string,
  depth: number,
  budget: Budget,
): Promise<readonly BlockTree[]> => {
  const trees: BlockTree[] = [];
  for (const block of await childrenOf(reading, blockId)) {
    const parts = meetingParts(block);
    const ids = parts.length === 0 && hasInside(block, depth) ? [textAt(block, 'id')] : parts;
    const children: BlockTree[] = [];
    for (const id of ids) children.push(...(await insideOf(reading, id, depth + 1, budget)));
    trees.push({ block, children });
  }
  return trees;
};

const flat = (trees: readonly BlockTree[]): readonly JsonObject[] =>
  trees.flatMap(({ block, children }) => [block, ...flat(children)]);

/** Returns pages and databases inside a page, except those that the scope names. */
const entriesIn = (trees: readonly BlockTree[], { root }: Entry, trail: string, input: StepInput): readonly Entry[] => {
  const named = namedIn(input);
  return flat(trees).flatMap((block) => {
    const id = textAt(block, 'id');
    const type = textAt(block, 'type');
    if (!subpages.has(type) || named.has(plainId(id))) return [];
    return [{ kind: type === 'child_page' ? 'page' : 'database', id, root, trail, ...unread } as const];
  });
};

const itemOf = (page: JsonObject, markdown: string, { id, root, trail }: Entry, input: StepInput) => {
  const title = titleOf(page);
  const label = input.scope.notion_labels[root];
  const text = [`# ${title === '' ? 'Untitled' : title}`, propertyLines(page), markdown]
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    kind: 'upsert' as const,
    item: {
      externalId: plainId(id),
      version: contentVersion(text),
      filename: fileNameOf(title, '.md'),
      contentType: 'text/markdown',
      content: () => Promise.resolve(new TextEncoder().encode(text)),
      title: title === '' ? null : title,
      url: textAt(page, 'url') || null,
      metadata: { ...(label === undefined ? {} : { label }), ...(trail === '' ? {} : { folder: trail }) },
    },
  };
};

const problemsOf = ({ id }: Entry, { left, isShut }: Budget): readonly SourceChange[] => {
  const long = `The page ${id} has ${-left} more nested blocks than can be read: they are left out`;
  const closed = `Notion hides parts of the page ${id} from integrations, possibly because of a Notion AI block: they are left out, and pages below them stay until they can be read`;
  return [...(left < 0 ? [failed(long)] : []), ...(isShut ? [failed(closed)] : [])];
};

/** Reads a page with its nested blocks, and the pages and databases inside. */
export const readPage = async (reading: Reading, entry: Entry): Promise<Found> => {
  const found = (await reading.client.pages.retrieve({ page_id: entry.id })) as unknown as JsonObject;
  if (isGone(found)) return { changes: [], entries: [] };
  const page = await withAllValues(reading, found);
  const budget = { left: maxNestedBlocks, isShut: false };
  const trees = await readBlocks(reading, entry.id, 0, budget);
  const title = titleOf(page);
  const trail = [entry.trail, title].filter((part) => part !== '').join(' / ');
  const document = itemOf(page, toMarkdown(trees), entry, reading.input);
  const files = reading.input.scope.attachments
    ? filesIn(reading, flat(trees), { id: entry.id, ...document.item })
    : [];
  return {
    changes: [document, ...files, ...problemsOf(entry, budget)],
    entries: entriesIn(trees, entry, trail, reading.input),
    isShut: budget.isShut,
  };
};
