import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportedRow, RowFile } from './row-file.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

const column = (name: string, type: 'STRING' | 'INT32', isRequired = false): Schema[number] => ({
  name,
  ...(type === 'STRING' ? { type: 'BYTE_ARRAY', converted_type: 'UTF8' } : { type }),
  repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL',
});

/** The vector is a list of 32-bit floats in three levels, as the format defines lists. */
const schema: Schema = [
  { name: 'root', num_children: 8 },
  column('id', 'STRING', true),
  { name: 'vector', repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
  column('text', 'STRING'),
  // JSON as text: a reader that parsed it might change numbers and names.
  column('metadata', 'STRING', true),
  column('job_id', 'STRING'),
  column('filename', 'STRING'),
  column('page_start', 'INT32'),
  column('page_end', 'INT32'),
];

/** Opens a Parquet file with a row group for each call of `add`. */
export const parquetFile = (): RowFile => {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema });
  return {
    add: (rows) => {
      const of = (name: string, pick: (row: ExportedRow) => unknown) => ({ name, data: rows.map(pick) });
      // The writer is in memory, so it returns no promise.
      void file.write({
        columnData: [
          of('id', ({ id }) => id),
          // Random numbers, which neither compression nor a dictionary makes smaller.
          {
            ...of('vector', ({ vector }) => [...vector]),
            codec: 'UNCOMPRESSED',
            encoding: 'PLAIN',
            statistics: false,
          },
          of('text', ({ text }) => text),
          of('metadata', ({ metadata }) => JSON.stringify(metadata)),
          of('job_id', ({ jobId }) => jobId),
          of('filename', ({ filename }) => filename),
          of('page_start', ({ pageStart }) => pageStart),
          of('page_end', ({ pageEnd }) => pageEnd),
        ],
        rowGroupSize: rows.length,
      });
    },
    bytes: () => writer.offset,
    finish: () => {
      void file.finish();
      return new Uint8Array(writer.getBuffer());
    },
  };
};
