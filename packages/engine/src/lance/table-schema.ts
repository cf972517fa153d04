import type { Table } from '@lancedb/lancedb';
import type { FixedSizeList, Float32, Schema } from 'apache-arrow';
import { memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { paddedDimensions } from '../padded-dimensions.ts';
import type { IndexRef } from '../port.ts';

/** Column of texts as they were written, if they differ from their searchable form. */
export const writtenColumn = 'written';

/** Column of the stop words of a text. */
export const commonColumn = 'common';

/** The columns of a row that contain its text. */
export const textColumns = ['text', writtenColumn] as const;

/** Column of the places of texts in their files, which tables of release 0.2.0 lack. */
export const passageColumn = 'passage';

/** Columns that make up a row for a reader, without the vector. */
const columns = ['id', ...textColumns, 'meta', 'job_id', 'filename', 'page_start', 'page_end', passageColumn] as const;

/** Returns those columns of a table that make up a row for a reader, without the vector. */
export const rowColumnsOf = memoizePerOwner(async (table: Table): Promise<readonly string[]> => {
  const present = new Set((await table.schema()).fields.map(({ name }) => name));
  return columns.filter((name) => present.has(name));
});

/** Returns the type of the vector column. */
export const vectorType = async (dimensions: number): Promise<FixedSizeList<Float32>> => {
  const { Field, FixedSizeList, Float32 } = await import('apache-arrow');
  return new FixedSizeList(paddedDimensions(dimensions), new Field('item', new Float32(), true));
};

/**
 * Columns of an index table.
 * `text` is the searchable form of a text, with the headings of its row. If the text was written otherwise, `written`
 * contains the original. `common` contains its stop words, which queries of stop words alone search.
 * `kv`, `kv_groups`, `num_keys` and `num_values` are the tokens of the metadata, by which filters match.
 */
export const tableSchema = async ({ dimensions }: Pick<IndexRef, 'dimensions'>): Promise<Schema> => {
  const { Field, Float64, Int32, List, Schema, Utf8 } = await import('apache-arrow');
  const strings = new List(new Field('item', new Utf8(), true));
  const numbers = new List(new Field('item', new Float64(), true));
  return new Schema([
    new Field('id', new Utf8(), false),
    new Field('vector', await vectorType(dimensions), false),
    new Field('text', new Utf8(), true),
    new Field(writtenColumn, new Utf8(), true),
    new Field(commonColumn, new Utf8(), true),
    new Field('meta', new Utf8(), false),
    new Field('kv', strings, false),
    new Field('kv_groups', strings, false),
    new Field('num_keys', strings, false),
    new Field('num_values', numbers, false),
    new Field('row_version', new Utf8(), false),
    new Field('job_id', new Utf8(), true),
    new Field('filename', new Utf8(), true),
    new Field('page_start', new Int32(), true),
    new Field('page_end', new Int32(), true),
    // The last, since older tables get it when rows are added.
    new Field(passageColumn, new Utf8(), true),
  ]);
};
