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

/** Things that are fetched side by side. */
const atOnce = 4;
const maxMessageLength = 700;
/** Runs in a row that content makes wait and that fetch nothing: from then on it is left to a later sync. */
export const maxWaits = 10;

type Problem = { readonly message: string; readonly passing: boolean; readonly asks?: SourceFault } | null;

/** One page of changes on its way into the index. */
interface Applying {
  readonly syncing: SyncContext;
  readonly claim: Claim;
  readonly source: Source;
  readonly generation: number;
  /** Whether the source is a listing. */
  readonly isListing: boolean;
  fetched: boolean;
  /** Whether something was named that this reading had not named before. */
  isNew: boolean;
}

/** Whether a source says when its content can be had. */
const makesWait = (error: unknown): error is SourceFault =>
  error instanceof SourceFault && error.kind === 'busy' && error.retryAfterSeconds !== null;

/** What keeps one item out and nothing else; throws what concerns more. */
const problemOf = ({ claim, syncing }: Applying, error: unknown): NonNullable<Problem> => {
  if (isRefusedInput(error)) {
    syncing.run.log.error('item refused', { ...syncMessageOf(claim.address), error });
    return { message: 'it cannot be kept as it is', passing: false };
  }
  if (!(error instanceof SourceFault)) throw error;
  if (error.kind === 'unreadable') return { message: error.message, passing: false };
  if (error.kind !== 'busy' || (makesWait(error) && claim.record.waits < maxWaits)) throw error;
  return { message: error.message, passing: true, ...(makesWait(error) ? { asks: error } : {}) };
};

/** Whether this sync has brought a document up to date already, so that a repeated step need not fetch it again. */
const isSeen = async ({ deps }: SyncContext, source: Source, { externalId }: SourceItem, generation: number) => {
  const known = await deps.documents.get(source, externalId);
  return known?.isStored === true && known.generation === generation;
};

const upsert = async (applying: Applying, item: SourceItem): Promise<Problem> => {
  const { syncing, claim, source, generation } = applying;
  const { deps, run } = syncing;
  const { externalId } = item;
  const told = (problem: NonNullable<Problem>) => ({ ...problem, message: `${nameOf(item)}: ${problem.message}` });
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
    // What is fetched and not kept is fetched again by each run.
    applying.fetched ||= fetched;
    applying.isNew ||= isNew;
    return failure === null ? null : told({ message: failure, passing: false });
  } catch (error) {
    return told(problemOf(applying, error));
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
      applying.isNew ||= !claim.record.unread.some(({ id }) => id === placeOf(change));
      return change;
  }
};

const idOf = (change: SourceChange): string | null =>
  change.kind === 'upsert' ? change.item.externalId : change.externalId;

/** By what a change is known among those that could not be read. */
const placeOf = (change: SourceChange): string =>
  unreadId(idOf(change) ?? (change.kind === 'failed' ? (change.place ?? change.message) : ''));

/** The last word on each thing: a list may name one twice, and two runs beside each other may not work on one document. */
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

/** Keeps what could not be read when the unseen is removed: it is older than the source, but better than nothing. */
const keepUnread = async ({ syncing, source, generation }: Applying, outcomes: readonly Outcome[]): Promise<void> => {
  const unread = outcomes.filter(({ problem }) => problem !== null);
  await inParallel(unread, atOnce, async ({ change }) => {
    const id = idOf(change);
    if (id !== null) await syncing.deps.documents.markSeen(source, id, generation);
  });
};

const toUnread = ({ change, problem }: Outcome): readonly Unread[] =>
  problem === null ? [] : [{ id: placeOf(change), message: headOf(problem.message, maxMessageLength) }];

/**
 * Applies what a step found; null where time is short before all of it is done. A repeat finds what is done unchanged, so
 * nothing is made twice. Throws what concerns more than one item.
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
    // Where something was to be had, the rest is worth waiting for, however often that was in vain before.
    const asks = applying.fetched ? outcomes.find(({ problem }) => problem?.asks !== undefined) : undefined;
    if (asks?.problem?.asks !== undefined) throw asks.problem.asks;
    await keepUnread(applying, outcomes);
    return {
      unread: outcomes.flatMap(toUnread),
      passing: outcomes.some(({ problem }) => problem?.passing === true),
      named: new Set(all.map(placeOf)),
      fetched: applying.fetched,
      isNew: applying.isNew,
    };
  } catch (error) {
    const waits = applying.fetched ? 0 : claim.record.waits + 1;
    if (makesWait(error)) await syncing.deps.connectors.save(claim, { waits });
    throw error;
  }
};
