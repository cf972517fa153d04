import { passageMatcher } from '../../../../shared/evaluations/index.ts';
import type { GoldenQuestion } from '../../../../shared/golden-sets/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { executeSearch } from '../../../../shared/search/index.ts';
import type { Evaluating } from '../uses.ts';

/** Relevant item of a question. */
export interface Item {
  readonly question: number;
  readonly at: number;
}

type Relevant = GoldenQuestion['relevant'][number];

/** Rows that are fetched together, and passages that are looked up at once. */
const [idsTogether, lookedUpAtOnce] = [500, 4];

/** Words of a passage that are searched for, and rows that are compared with it. */
const [searchedWords, comparedRows] = [12, 20];

/** Pages of files with a name, and files of a page. Further ones are not looked at. */
const [filePages, filesOfPage] = [10, 100];

/** Indexes above a branch that may have read a file. */
const maxAncestors = 16;

const findIds = async ({ deps }: Evaluating, content: IndexRecord, ids: readonly string[]) => {
  const found = new Set<string>();
  for (const batch of batchesOf([...new Set(ids)], idsTogether)) {
    const { rows } = await deps.reader.execute(content, {
      op: 'fetch',
      ids: [...batch],
      filter: null,
      include_vector: false,
    });
    for (const { id } of rows) found.add(id);
  }
  return found;
};

const hasRows = async ({ deps }: Evaluating, content: IndexRecord, jobId: string): Promise<boolean> => {
  const operation = { op: 'chunks', job_id: jobId, around: null, after: null, limit: 1, filter: null } as const;
  return (await deps.reader.execute(content, operation)).total > 0;
};

/** Returns the jobs of an index whose file has a name. */
const jobsNamed = async (
  { deps }: Evaluating,
  { organizationId, id }: IndexRecord,
  filename: string,
): Promise<readonly string[]> => {
  const named: string[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < filePages && (pages === 0 || after !== null); pages += 1) {
    const page: Awaited<ReturnType<typeof deps.files.list>> = await deps.files.list(organizationId, id, {
      limit: filesOfPage,
      after,
      filter: { text: filename },
    });
    named.push(...page.jobs.filter((job) => job.filename === filename).map((job) => job.id));
    after = page.next;
  }
  return named;
};

/** Whether a content has rows of a file with this name, which it or an index above it has read. */
const hasFile = async (context: Evaluating, content: IndexRecord, filename: string): Promise<boolean> => {
  const { organizationId } = content;
  let owner: IndexRecord | null = content;
  for (let above = 0; owner !== null && above < maxAncestors; above += 1) {
    for (const jobId of await jobsNamed(context, owner, filename))
      if (await hasRows(context, content, jobId)) return true;
    const parent: string | null = owner.parentIndexId;
    owner = parent === null ? null : await context.deps.indexes.get(organizationId, parent);
  }
  return false;
};

const hasDocument = async (context: Evaluating, content: IndexRecord, document: string): Promise<boolean> =>
  (document.startsWith('job_') && (await hasRows(context, content, document))) || hasFile(context, content, document);

/** Whether a row has most words of a passage. It is searched by its longest words, which are rare. */
const hasPassage = async ({ deps }: Evaluating, content: IndexRecord, passage: string): Promise<boolean> => {
  const words = [...new Set(passage.match(/[\p{L}\p{N}]+/gu))].toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return false;
  const isMatch = passageMatcher(passage);
  const plain = { ...content, searchDefaults: null };
  const { hits } = await executeSearch(deps.reader, plain, {
    mode: 'sparse',
    text: words.slice(0, searchedWords).join(' '),
    top_k: comparedRows,
    include: ['text'],
    exact: false,
  });
  return hits.some(({ row }) => isMatch(row.text ?? ''));
};

/** Returns those of some relevant items that no row of a content matches. */
export const findUnmatched = async (
  context: Evaluating,
  content: IndexRecord,
  questions: readonly GoldenQuestion[],
  items: readonly Item[],
): Promise<readonly Item[]> => {
  const itemOf = ({ question, at }: Item): Relevant | undefined => questions[question]?.relevant[at];
  const ids = await findIds(
    context,
    content,
    items.flatMap((item) => itemOf(item)?.id ?? []),
  );
  const known = new Map<string, Promise<boolean>>();
  const once = (name: string, look: () => Promise<boolean>): Promise<boolean> => {
    const looked = known.get(name) ?? look();
    known.set(name, looked);
    return looked;
  };
  const found = await inParallel(items, lookedUpAtOnce, async (item) => {
    const { id, document, text = '' } = itemOf(item) ?? {};
    if (id !== undefined) return ids.has(id);
    if (document !== undefined) return once(`document ${document}`, () => hasDocument(context, content, document));
    return once(`text ${text}`, () => hasPassage(context, content, text));
  });
  return items.filter((_, at) => found[at] !== true);
};
