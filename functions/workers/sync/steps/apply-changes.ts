import type { Claim } from '../../../../shared/connectors/index.ts';
import { putDocument, removeDocument, type Source, type SourceDocument } from '../../../../shared/documents/index.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { contentVersion } from '../../../../shared/platform/connectors/content-version.ts';
import { type SourceChange, SourceFault, type SourceItem } from '../../../../shared/platform/connectors/port.ts';
import { hasTime, type Syncing } from './syncing.ts';

/** Things that are fetched side by side. */
const atOnce = 4;
const longestText = 500;

/** What of a step could not be read. */
export interface Problems {
  readonly count: number;
  readonly last: string | null;
  /** Whether reading everything again may get it. */
  readonly passing: boolean;
}

type Problem = { readonly message: string; readonly passing: boolean } | null;

const metadataOf = (item: SourceItem, { record }: Claim) => ({
  ...item.metadata,
  provider: record.provider,
  connection_id: record.id,
  document_id: headOf(item.externalId, longestText),
  ...(item.title === null ? {} : { title: headOf(item.title, longestText) }),
  ...(item.url === null ? {} : { url: item.url }),
});

/** Whether a fault is about the one item and nothing else. */
const isOfItem = (fault: SourceFault): boolean =>
  fault.kind === 'unreadable' || (fault.kind === 'busy' && fault.retryAfterSeconds === null);

/** The document that an item is; null where its content had to be fetched for that and has gone. */
const documentOf = async (item: SourceItem, claim: Claim, generation: number): Promise<SourceDocument | null> => {
  const { externalId, version, filename, contentType, content, url } = item;
  const title = item.title === null ? null : headOf(item.title, longestText);
  const known = { externalId, filename, contentType, metadata: metadataOf(item, claim), title, url, generation };
  if (version !== null) return { ...known, version, body: content };
  const bytes = await content();
  return bytes === null ? null : { ...known, version: contentVersion(bytes), body: bytes };
};

/** Whether this sync has brought a document up to date already, so that a repeated step need not fetch it again. */
const isSeen = async ({ deps }: Syncing, source: Source, { externalId }: SourceItem, generation: number) => {
  const known = await deps.documents.get(source, externalId);
  return known?.made === true && known.generation === generation;
};

const upsert = async (
  syncing: Syncing,
  claim: Claim,
  source: Source,
  generation: number,
  item: SourceItem,
): Promise<Problem> => {
  const { deps, run } = syncing;
  const { externalId } = item;
  try {
    if (item.version === null && (await isSeen(syncing, source, item, generation))) return null;
    const document = await documentOf(item, claim, generation);
    if (document === null) await removeDocument(deps, source, externalId, run.clock);
    else await putDocument(deps, source, document, run.clock);
    return null;
  } catch (error) {
    if (!(error instanceof SourceFault) || !isOfItem(error)) throw error;
    // What the index has of it is older than the source, but better than nothing.
    await deps.documents.markSeen(source, externalId, generation);
    const name = headOf(item.title ?? externalId, longestText);
    return { message: `${name}: ${error.message}`, passing: error.kind === 'busy' };
  }
};

const applyOne = async (
  syncing: Syncing,
  claim: Claim,
  source: Source,
  generation: number,
  change: SourceChange,
): Promise<Problem> => {
  const { deps, run } = syncing;
  switch (change.kind) {
    case 'upsert':
      return upsert(syncing, claim, source, generation, change.item);
    case 'remove':
      await removeDocument(deps, source, change.externalId, run.clock);
      return null;
    case 'kept':
      await deps.documents.markSeen(source, change.externalId, generation);
      return null;
    case 'failed':
      if (change.externalId !== null) await deps.documents.markSeen(source, change.externalId, generation);
      return change;
  }
};

/** The last word on each thing: a list may name one twice, and two runs beside each other may not work on one document. */
const distinct = (changes: readonly SourceChange[]): readonly SourceChange[] => {
  const last = new Map<string, SourceChange>();
  const nameless: SourceChange[] = [];
  for (const change of changes) {
    const id = change.kind === 'upsert' ? change.item.externalId : change.externalId;
    if (id === null) nameless.push(change);
    else last.set(id, change);
  }
  return [...nameless, ...last.values()];
};

/**
 * Applies what a step found; null where time is short before all of it is done. A repeat finds what is done unchanged, so
 * nothing is made twice. Throws what concerns more than one item.
 */
export const applyChanges = async (
  syncing: Syncing,
  claim: Claim,
  source: Source,
  generation: number,
  changes: readonly SourceChange[],
): Promise<Problems | null> => {
  let late = false;
  const problems = await inParallel(distinct(changes), atOnce, async (change) => {
    late ||= !hasTime(syncing);
    return late ? null : applyOne(syncing, claim, source, generation, change);
  });
  if (late) return null;
  const told = problems.flatMap((problem) => (problem === null ? [] : [problem]));
  return {
    count: told.length,
    last: told.at(-1)?.message ?? null,
    passing: told.some(({ passing }) => passing),
  };
};
