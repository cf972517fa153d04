import { matcherOf } from '../match-filter.ts';
import { mergePatch } from '../merge-patch.ts';
import type { Change, ChangeResult, EngineWriter, IndexRef, Row, TableState } from '../port.ts';
import { encodeRow } from './encode-row.ts';
import { Unsupported } from './unsupported.ts';
import {
  type Journal,
  noJournal,
  openVectorIndex,
  scanRows,
  type VectorIndex,
  type VectorLocation,
} from './vector-index.ts';

/** Results of changes that are remembered, so that a repeated change returns its result again. */
const rememberedResults = 100;

/** What a change does to the rows. */
interface Plan {
  readonly put: readonly Row[];
  readonly remove: readonly string[];
  readonly result: ChangeResult;
  readonly addedRows: number;
  readonly addedTextBytes: number;
}

const textBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

const unchanged = (result: Partial<ChangeResult>): Plan => ({
  put: [],
  remove: [],
  result: { written: 0, deleted: 0, ...result },
  addedRows: 0,
  addedTextBytes: 0,
});

const planUpsert = async (
  index: VectorIndex,
  { rows: all, expected }: Extract<Change, { kind: 'upsert' }>,
  room: number,
): Promise<Plan> => {
  const rows = [...new Map(all.map((row) => [row.id, row])).values()];
  const existing = await index.get([...rows.map(({ id }) => id), ...(expected?.keys() ?? [])], false);
  const conflicts = [...(expected ?? [])].flatMap(([id, version]) => {
    const found = existing.get(id)?.version ?? null;
    return found === version ? [] : [{ id, version: found }];
  });
  if (conflicts.length > 0) return unchanged({ conflicts });
  const replaced = rows.flatMap(({ id }) => existing.get(id) ?? []);
  const addedRows = rows.length - replaced.length;
  if (addedRows > 0 && addedRows > room) return unchanged({ noRoom: addedRows });
  const sum = (some: readonly { readonly text: string | null }[]) =>
    some.reduce((bytes, { text }) => bytes + textBytes(text), 0);
  return {
    put: rows,
    remove: [],
    result: { written: rows.length, deleted: 0 },
    addedRows,
    addedTextBytes: sum(rows) - sum(replaced),
  };
};

const planPatch = async (
  index: VectorIndex,
  { patches, maxBytes, expected }: Extract<Change, { kind: 'patch' }>,
): Promise<Plan> => {
  const existing = await index.get([...patches.map(({ id }) => id), ...(expected?.keys() ?? [])], true);
  const conflicts = [...(expected ?? [])].flatMap(([id, version]) => {
    const found = existing.get(id)?.version ?? null;
    return found === version ? [] : [{ id, version: found }];
  });
  if (conflicts.length > 0) return unchanged({ conflicts });
  const patched = new Map<string, Row>();
  const missing = new Set<string>();
  for (const { id, metadata } of patches) {
    const row = patched.get(id) ?? existing.get(id);
    if (row === undefined || row.vector === null) missing.add(id);
    else patched.set(id, { ...row, vector: row.vector, metadata: mergePatch(row.metadata, metadata) });
  }
  const put = [...patched.values()];
  const tooLarge = put
    .filter(({ metadata }) => Buffer.byteLength(JSON.stringify(metadata)) > maxBytes)
    .map(({ id }) => id);
  if (tooLarge.length > 0) return unchanged({ tooLarge });
  const gone = missing.size === 0 ? {} : { missing: [...missing] };
  return { ...unchanged({ written: put.length, ...gone }), put };
};

const planRemoval = (rows: readonly { readonly id: string; readonly text: string | null }[]): Plan => ({
  put: [],
  remove: rows.map(({ id }) => id),
  result: { written: 0, deleted: rows.length },
  addedRows: -rows.length,
  addedTextBytes: -rows.reduce((bytes, { text }) => bytes + textBytes(text), 0),
});

const planScan = async (
  index: VectorIndex,
  matches: (row: Awaited<ReturnType<VectorIndex['list']>>['rows'][number]) => boolean,
): Promise<Plan> => {
  const found: { id: string; text: string | null }[] = [];
  await scanRows(index, (rows) => {
    for (const row of rows) if (matches(row)) found.push({ id: row.id, text: row.text });
  });
  return planRemoval(found);
};

const planChange = async (index: VectorIndex, ref: IndexRef, change: Change, room: number): Promise<Plan> => {
  switch (change.kind) {
    case 'upsert':
      return planUpsert(index, change, room);
    case 'patch':
      return planPatch(index, change);
    case 'delete':
      return planRemoval([...(await index.get(change.ids, false)).values()]);
    case 'deleteWhere': {
      const matches = matcherOf(change.filter, ref);
      return planScan(index, ({ metadata }) => matches(metadata));
    }
    case 'deleteJob':
      return planScan(index, ({ jobId }) => jobId === change.jobId);
    case 'replaceJob':
    case 'promote':
      throw new Unsupported('branches', `The engine s3_vectors has no change ${change.kind}`);
  }
};

const stateOf = ({ version, rows, sparseBytes }: Journal, { dimensions }: IndexRef): TableState => ({
  version,
  rows,
  denseBytes: rows * dimensions * 4,
  sparseBytes,
  unindexedRows: 0,
  tombstones: 0,
  fragments: 0,
});

const apply = async (index: VectorIndex, ref: IndexRef, { put, remove }: Plan, key: string): Promise<void> => {
  await index.put(put.map((row) => encodeRow(row, key, ref)));
  await index.remove(remove);
};

/**
 * Applies one change. The journal gets its result before the rows change: a change that died half-way is applied again,
 * and returns the counts of its first attempt.
 */
const applyChange = async (
  index: VectorIndex,
  ref: IndexRef,
  journal: Journal,
  step: { readonly change: Change; readonly key: string; readonly maxRows: number },
): Promise<readonly [journal: Journal, result: ChangeResult]> => {
  const { change, key, maxRows } = step;
  const known = journal.results.find(([other]) => other === key)?.[1];
  // A later change may have replaced its rows, so only the last one can have died half-way.
  if (known !== undefined && journal.results.at(-1)?.[0] !== key) return [journal, known];
  const room = known === undefined ? maxRows - journal.rows : Infinity;
  if (known !== undefined && (known.conflicts ?? known.noRoom ?? known.tooLarge) !== undefined) return [journal, known];
  // The versions were checked by the first attempt, which may have written some rows.
  const repeated = known === undefined || !('expected' in change) ? change : { ...change, expected: new Map() };
  const plan = await planChange(index, ref, repeated, room);
  for (const row of plan.put) encodeRow(row, key, ref);
  if (known !== undefined) {
    await apply(index, ref, plan, key);
    return [journal, known];
  }
  const isChanged = plan.put.length + plan.remove.length > 0;
  const next: Journal = {
    ...journal,
    version: journal.version + (isChanged ? 1 : 0),
    rows: journal.rows + plan.addedRows,
    sparseBytes: journal.sparseBytes + plan.addedTextBytes,
    results: [...journal.results, [key, plan.result] as const].slice(-rememberedResults),
  };
  await index.writeJournal(next);
  await apply(index, ref, plan, key);
  return [next, plan.result];
};

const noBranches = async (): Promise<never> => {
  throw new Unsupported('branches', 'The engine s3_vectors has no branches');
};

/** Writer of the engine on Amazon S3 Vectors. */
export const openWriter = (location: VectorLocation): EngineWriter => {
  const open = (ref: IndexRef): VectorIndex => openVectorIndex(location, ref.layers[0].table);
  const readState = async (ref: IndexRef): Promise<TableState> =>
    stateOf((await open(ref).readJournal()) ?? noJournal, ref);
  return {
    create: async (ref) => {
      await open(ref).create(ref);
      return readState(ref);
    },
    commit: async (ref, changes, keys = [], maxRows = Infinity) => {
      const index = open(ref);
      let journal = (await index.readJournal()) ?? noJournal;
      const results: ChangeResult[] = [];
      for (const [at, change] of changes.entries()) {
        const step = { change, key: keys[at] ?? `${journal.version}/${at}`, maxRows };
        const [next, result] = await applyChange(index, ref, journal, step);
        journal = next;
        results.push(result);
      }
      return { state: stateOf(journal, ref), results };
    },
    // The service maintains its own index.
    maintain: async (ref) => ({ state: await readState(ref), vectorIndex: 'needless' }),
    buildVectorIndex: async (ref) => (await readState(ref)).rows,
    drop: (table) => openVectorIndex(location, table).drop(),
    branch: noBranches,
    materialize: noBranches,
  };
};
