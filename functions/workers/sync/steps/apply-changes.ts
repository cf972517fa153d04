import { type Claim, syncMessageOf, type Unread } from '../../../../shared/connectors/index.ts';
import { putDocument, removeDocument, type Source } from '../../../../shared/documents/index.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { isRefusedInput } from '../../../../shared/kernel/sdk-error.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { type SourceChange, SourceFault, type SourceItem } from '../../../../shared/platform/connectors/port.ts';
import { toDocument, nameOf } from './to-document.ts';
import type { SyncContext } from '../uses.ts';
import { hasTime } from './sync-context.ts';
import { type Applied, unreadId } from './unread.ts';

/** Items that are fetched in parallel. */
const atOnce = 4;
const maxMessageLength = 700;
/** Consecutive runs that wait for content and fetch nothing. After that the content is left to a later sync. */
export const maxWaits = 10;

type Problem = { readonly message: string; readonly isTransient: boolean; readonly retry?: SourceFault } | null;

/** State of one page of changes. */
interface Applying {
  readonly syncing: SyncContext;
  readonly claim: Claim;
  readonly source: Source;
  readonly generation: number;
  /** Whether the source is a listing. */
  readonly isListing: boolean;
  fetched: boolean;
  /** Whether the page contained an id that this read had not seen. */
  isNew: boolean;
}

/** Whether a source says when to retry. */
const hasRetryTime = (error: unknown): error is SourceFault =>
  error instanceof SourceFault && error.kind === 'busy' && error.retryAfterSeconds !== null;

/** Returns the problem of one item. Throws errors that concern more than that item. */
const problemOf = ({ claim, syncing }: Applying, error: unknown): NonNullable<Problem> => {
  if (isRefusedInput(error)) {
    syncing.run.log.error('sync.item.rejected', { ...syncMessageOf(claim.address), error });
    return { message: 'it could not be stored', isTransient: false };
  }
  if (!(error instanceof SourceFault)) throw error;
  if (error.kind === 'unreadable') return { message: error.message, isTransient: false };
  if (error.kind !== 'busy' || (hasRetryTime(error) && claim.record.waits < maxWaits)) throw error;
  return { message: error.message, isTransient: true, ...(hasRetryTime(error) ? { retry: error } : {}) };
};

/** Whether this sync has updated a document already, so that a retried step need not fetch it again. */
const isSeen = async ({ deps }: SyncContext, source: Source, { externalId }: SourceItem, generation: number) => {
  const known = await deps.documents.get(source, externalId);
  return known?.isStored === true && known.generation === generation;
};

const upsert = async (applying: Applying, item: SourceItem): Promise<Problem> => {
  const { syncing, claim, source, generation } = applying;
  const { deps, run } = syncing;
  const { externalId } = item;
  const withName = (problem: NonNullable<Problem>) => ({ ...problem, message: `${nameOf(item)}: ${problem.message}` });
  let fetched = false;
  const content = async () => {
    const bytes = await item.content();
    fetched = bytes !== null;
    return bytes;
  };
  try {
    if (item.version === null && (await isSeen(syncing, source, item, generation))) return null;
    const document = await toDocument({ ...item, content }, claim, generation);
    if (document === null) {
      await removeDocument(deps, source, externalId, run.clock);
      return null;
    }
    const listed = { ...document, isUnique: applying.isListing };
    const { isNew, failure } = await putDocument(deps, source, listed, run.clock);
    // Content that is fetched and not stored is fetched again by each run.
    applying.fetched ||= fetched;
    applying.isNew ||= isNew;
    return failure === null ? null : withName({ message: failure, isTransient: false });
  } catch (error) {
    return withName(problemOf(applying, error));
  }
};

const applyOne = async (applying: Applying, change: SourceChange): Promise<Problem> => {
  const { syncing, claim, source, generation } = applying;
  const { deps, run } = syncing;
  switch (change.kind) {
    case 'upsert':
      return upsert(applying, change.item);
    case 'remove':
      await removeDocument(deps, source, change.externalId, run.clock);
      return null;
    case 'kept':
      await deps.documents.markSeen(source, change.externalId, generation);
      return null;
    case 'failed':
      applying.isNew ||= !claim.record.unread.includes(placeOf(change));
      return change;
  }
};

const idOf = (change: SourceChange): string | null =>
  change.kind === 'upsert' ? change.item.externalId : change.externalId;

/** Returns the id of a change among those that could not be read. */
const placeOf = (change: SourceChange): string =>
  unreadId(idOf(change) ?? (change.kind === 'failed' ? (change.place ?? change.message) : ''));

/**
 * Keeps the last change of each id. A list may contain an id twice, and no document may be processed twice in parallel.
 */
const distinct = (changes: readonly SourceChange[]): readonly SourceChange[] => {
  const last = new Map<string, SourceChange>();
  const nameless: SourceChange[] = [];
  for (const change of changes) {
    const id = idOf(change);
    if (id === null) nameless.push(change);
    else last.set(id, change);
  }
  return [...nameless, ...last.values()];
};

type Outcome = { readonly change: SourceChange; readonly problem: Problem };

/** Marks items that could not be read as seen, so that their old documents are not removed. */
const keepUnread = async ({ syncing, source, generation }: Applying, outcomes: readonly Outcome[]): Promise<void> => {
  const unread = outcomes.filter(({ problem }) => problem !== null);
  await inParallel(unread, atOnce, async ({ change }) => {
    const id = idOf(change);
    if (id !== null) await syncing.deps.documents.markSeen(source, id, generation);
  });
};

const toUnread = ({ change, problem }: Outcome): readonly Unread[] => {
  if (problem === null) return [];
  const { message, isTransient } = problem;
  const documentId = idOf(change);
  return [
    {
      id: placeOf(change),
      documentId: documentId === null ? null : headOf(documentId, maxMessageLength),
      name: change.kind === 'upsert' ? nameOf(change.item) : null,
      message: headOf(message, maxMessageLength),
      isTransient,
    },
  ];
};

/**
 * Applies the changes of a step. Null if time runs out first.
 * A retry finds finished changes unchanged, so nothing is stored twice. Throws errors that concern more than one item.
 */
export const applyChanges = async (
  syncing: SyncContext,
  claim: Claim,
  source: Source,
  generation: number,
  { changes, isListing }: { readonly changes: readonly SourceChange[]; readonly isListing: boolean },
): Promise<Applied | null> => {
  const applying: Applying = { syncing, claim, source, generation, isListing, fetched: false, isNew: false };
  const all = distinct(changes);
  let late = false;
  try {
    const outcomes = await inParallel(all, atOnce, async (change) => {
      late ||= !hasTime(syncing);
      return { change, problem: late ? null : await applyOne(applying, change) };
    });
    if (late) return null;
    // If something was fetched, the rest is worth waiting for, regardless of earlier waits.
    const busy = applying.fetched ? outcomes.find(({ problem }) => problem?.retry !== undefined) : undefined;
    if (busy?.problem?.retry !== undefined) throw busy.problem.retry;
    await keepUnread(applying, outcomes);
    return {
      unread: outcomes.flatMap(toUnread),
      isTransient: outcomes.some(({ problem }) => problem?.isTransient === true),
      named: new Set(all.map(placeOf)),
      fetched: applying.fetched,
      isNew: applying.isNew,
    };
  } catch (error) {
    const waits = applying.fetched ? 0 : claim.record.waits + 1;
    if (hasRetryTime(error)) await syncing.deps.connectors.save(claim, { waits });
    throw error;
  }
};
