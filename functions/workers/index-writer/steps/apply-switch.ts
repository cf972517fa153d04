import type { Content, IndexRecord, LogMessage, MessageOf } from '../../../../shared/indexes/index.ts';
import { switched } from '../../../../shared/ledger/index.ts';
import {
  changedRows,
  type Copying,
  hasTakenOver,
  openCutParts,
  type RebuildAddress,
  type RebuildRecord,
  writeChanged,
} from '../../../../shared/rebuilds/index.ts';
import { acknowledge, done, refuse } from './receipts.ts';
import { requestMaintenance } from './request-maintenance.ts';
import { ledgerOf, type Writing } from '../uses.ts';

/** Changed rows that the log takes over itself, for each attempt. Writes wait meanwhile, and under many writes they must. */
const rowsPerAttempt = 200;
const mostRows = 2_000;

/** Returns the address of the rebuild that a message names. */
export const rebuildAddressOf = (
  { organization_id: organizationId, index_id: indexId }: Omit<LogMessage, 'change'>,
  { rebuild_id: rebuildId }: { readonly rebuild_id: string },
): RebuildAddress => ({ organizationId, indexId, rebuildId });

/** Brings the other content to the version of the index. Null: too many rows have changed. */
const bringUp = async (
  { deps }: Writing,
  index: IndexRecord,
  begun: RebuildRecord,
  content: Content,
): Promise<{ readonly rebuild: RebuildRecord; readonly next: Content } | null> => {
  const copying: Copying = {
    engines: deps.engines,
    readers: deps.contents.readers,
    partOf: openCutParts(deps.content, index),
    embed: (model, texts) => deps.contents.embedders(model).embed(texts, index.dimensions),
  };
  const limit = Math.min(mostRows, rowsPerAttempt * begun.switches);
  const target = { ...index.layers[0], after: null };
  let { figures } = begun;
  let next = content;
  let rows = 0;
  for await (const page of changedRows(copying, index, { ...begun, target })) {
    rows += page.rows.length + page.cut.length + page.removed.length;
    if (rows > limit) return null;
    const written = await writeChanged(copying, index, { ...begun, figures }, next, page);
    figures = written.figures;
    next = written.other;
  }
  return { rebuild: { ...begun, figures }, next };
};

/**
 * Makes the other content of a rebuild that of the index: the changes that it lacks are written to it, and one write
 * switches. If they are too many, the worker of rebuilds goes on and asks again.
 */
export const applySwitch = async (
  writing: Writing,
  index: IndexRecord,
  message: MessageOf<'switch'>,
): Promise<void> => {
  const { deps } = writing;
  const { rebuilds } = deps.contents;
  const address = rebuildAddressOf(message, message.change);
  const rebuild = await rebuilds.find(address);
  const isAwaited = rebuild?.status === 'switching' || rebuild?.status === 'switching_back';
  if (!isAwaited || rebuild.other === null) {
    await acknowledge(writing, message, done);
    return;
  }
  const brought = await bringUp(writing, index, rebuild, rebuild.other);
  if (brought === null) {
    await rebuilds.resume(address);
    await refuse(writing, message, 'Too many rows have changed');
    return;
  }
  const { lost } = brought.rebuild.figures;
  if (hasTakenOver(rebuild) && lost > 0) {
    const error = `${lost} rows that were written since cannot be stored by the former engine`;
    await rebuilds.refuseRollback(address, error);
    await refuse(writing, message, error);
    return;
  }
  const after = await switched(ledgerOf(writing), index, rebuilds, brought);
  await rebuilds.recordEvent(address);
  await acknowledge(writing, message, done);
  if (after !== null) await requestMaintenance(writing, index, { ...after.state, version: after.layers[0].version });
};
