import type { FixedSizeList, Float32, Schema } from 'apache-arrow';
import { paddedDimensions } from '../padded-dimensions.ts';
import type { IndexRef } from '../port.ts';

/** Column of texts as they were written, if they differ from their searchable form. */
export const writtenColumn = 'written';

/** Column of the stop words of a text. */
export const commonColumn = 'common';

/** The columns of a row that contain its text. */
export const textColumns = ['text', writtenColumn] as const;

/** Columns that make up a row for a reader, without the vector. */
export const rowColumns = ['id', ...textColumns, 'meta', 'job_id', 'filename', 'page_start', 'page_end'] as const;

/** Returns the type of the vector column. */
export const vectorType = async (dimensions: number): Promise<FixedSizeList<Float32>> => {
  const { Field, FixedSizeList, Float32 } = await import('apache-arrow');
  return new FixedSizeList(paddedDimensions(dimensions), new Field('item', new Float32(), true));
};

/**
 * Columns of an index table.
 * `text` is the searchable form of a text, with the headings of its row. If the text was written otherwise, `written`
 * contains the original. `text_bytes` is the size of the original.
 * `common` contains its stop words, which queries of stop words alone search.
 * A deleted row stays as a tombstone (`deleted`, with neither text nor vector) until the next maintenance, because a
 * merge that also removes rows would read the whole table.
 * `masks` marks that a visible row of an ancestor layer has the same id, and `masked_bytes` is the size of that row's
 * text, so that totals over layers are sums. Both have no meaning in the last layer.
 * `inherited` marks copies of ancestors' rows, which are no changes of the branch.
 */
export const tableSchema = async ({ dimensions }: Pick<IndexRef, 'dimensions'>): Promise<Schema> => {
  const { Bool, Field, Float64, Int32, List, Schema, Utf8 } = await import('apache-arrow');
  const strings = new List(new Field('item', new Utf8(), true));
  const numbers = new List(new Field('item', new Float64(), true));
  // A second guard behind the single writer: concurrent merges of two processes then conflict instead of leaving an id
  // twice. It is set with the schema, because a separate call could be interrupted after the creation and must not be
  // repeated.
  const primaryKey = new Map([['lance-schema:unenforced-primary-key:position', '1']]);
  return new Schema([
    new Field('id', new Utf8(), false, primaryKey),
    new Field('text', new Utf8(), true),
    new Field('vector', await vectorType(dimensions), true),
    new Field('meta', new Utf8(), true),
    new Field('kv', strings, false),
    new Field('kv_groups', strings, false),
    new Field('num_keys', strings, false),
    new Field('num_values', numbers, false),
    // Nullable: a tombstone has none.
    new Field('row_version', new Utf8(), true),
    new Field('job_id', new Utf8(), true),
    new Field('filename', new Utf8(), true),
    new Field('page_start', new Int32(), true),
    new Field('page_end', new Int32(), true),
    new Field('text_bytes', new Int32(), false),
    new Field('deleted', new Bool(), false),
    new Field('masks', new Bool(), false),
    new Field('masked_bytes', new Int32(), false),
    new Field('inherited', new Bool(), false),
    new Field(writtenColumn, new Utf8(), true),
    new Field(commonColumn, new Utf8(), true),
  ]);
};
