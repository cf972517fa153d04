import type { bindOperations } from './operations.ts';
import type { VectorUpsert, VectorUpsertItem } from './schema.ts';

const maxRows = 100;
const maxBatchCharacters = 2 * 1024 * 1024;
/** Text that the built-in model embeds well within the time of a request. */
const maxTextCharacters = 200_000;

/** Splits rows into batches for one request each, by their number and size. */
const batchesOf = function* (rows: Iterable<VectorUpsertItem>): Generator<VectorUpsert, void> {
  let [batch, characters, textCharacters]: [VectorUpsert, number, number] = [[], 0, 0];
  for (const row of rows) {
    const [size, textSize] = [JSON.stringify(row).length, row.text?.length ?? 0];
    const isFull = characters + size > maxBatchCharacters || textCharacters + textSize > maxTextCharacters;
    if (batch.length === maxRows || (isFull && batch.length > 0)) {
      yield batch;
      [batch, characters, textCharacters] = [[], 0, 0];
    }
    batch.push(row);
    characters += size;
    textCharacters += textSize;
  }
  if (batch.length > 0) yield batch;
};

/** Methods for rows that may consist of several requests. */
export const bindVectors = ({ post }: ReturnType<typeof bindOperations>) => ({
  /**
   * Writes any number of rows, in batches one after another. A row with the same id is replaced. Throws a StrataError; the
   * rows of earlier batches are then written.
   */
  upsertVectors: async (indexId: string, rows: Iterable<VectorUpsertItem>): Promise<void> => {
    const params = { path: { index_id: indexId } };
    for (const body of batchesOf(rows)) await post('/v1/indexes/{index_id}/vectors', { params, body });
  },
});
