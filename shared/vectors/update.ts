import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import { ValidationFailure } from '../kernel/errors.ts';
import { awaitReceipt, type IndexRecord, indexesRead, logSend } from '../indexes/index.ts';
import { repeatedIds } from './repeated-ids.ts';
import type { UpdateBody, UpdateResponse } from './schemas.ts';

/** What an update may touch. */
export const updateUses = { indexes: indexesRead, log: logSend };

/**
 * Merges metadata into rows and waits until searches see it. Ids without a row are left out and told. Where a row has
 * another version than it should, or its metadata would become too large, nothing is changed. Throws 404, 409, 422, 503.
 */
export const updateVectors = async (
  { deps, ahead }: { readonly deps: Deps<typeof updateUses>; readonly ahead: Promise<IndexRecord> },
  items: z.output<typeof UpdateBody>,
): Promise<z.output<typeof UpdateResponse>> => {
  const index = await ahead;
  const problems = repeatedIds(items);
  if (problems.length > 0) throw new ValidationFailure(problems);
  const receiptId = await deps.log.append(index, { op: 'patch', patches: items });
  const { written, missing = [] } = await awaitReceipt(deps.indexes, index, receiptId);
  return { updated: written, missing: [...missing], version: receiptId };
};
