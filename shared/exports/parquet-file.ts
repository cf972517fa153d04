import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { withDecimalPoints } from '../kernel/unsafe-integers.ts';
import type { FoundRow } from '#engine';
import { regionsOf, type RowFile, type VectorModel } from './row-file.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

const column = (name: string, type: 'STRING' | 'INT32', isRequired = false): Schema[number] => ({
  name,
  ...(type === 'STRING' ? { type: 'BYTE_ARRAY', converted_type: 'UTF8' } : { type }),
  repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL',
});

/** The vector is a list of 32-bit floats in three levels, as the format defines lists. */
const vectorSchema: Schema = [
  { name: 'vector', repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
  column('embedding_model', 'STRING', true),
];

const schemaOf = (model: VectorModel): Schema => [
  { name: 'root', num_children: model === null ? 9 : 11 },
  column('id', 'STRING', true),
  ...(model === null ? [] : vectorSchema),
  column('text', 'STRING'),
  // JSON as text: a reader that parsed it might change numbers and names.
  column('metadata', 'STRING', true),
  column('job_id', 'STRING'),
  column('filename', 'STRING'),
  column('page_start', 'INT32'),
  column('page_end', 'INT32'),
  // JSON as text.
  column('regions', 'STRING'),
  column('expires_at', 'STRING'),
];

/** Opens a Parquet file with a row group for each call of `add`. */
export const parquetFile = (model: VectorModel): RowFile => {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaOf(model) });
  return {
    add: (rows) => {
      const of = (name: string, pick: (row: FoundRow) => unknown) => ({ name, data: rows.map(pick) });
      const vectors = () => [
        // Random numbers, which neither compression nor a dictionary makes smaller.
        {
          ...of('vector', ({ vector }) => [...(vector ?? [])]),
          codec: 'UNCOMPRESSED' as const,
          encoding: 'PLAIN' as const,
          statistics: false,
        },
        of('embedding_model', () => model),
      ];
      // The writer is in memory, so it returns no promise.
      void file.write({
        columnData: [
          of('id', ({ id }) => id),
          ...(model === null ? [] : vectors()),
          of('text', ({ text }) => text),
          of('metadata', ({ metadata }) => withDecimalPoints(JSON.stringify(metadata))),
          of('job_id', ({ jobId }) => jobId),
          of('filename', ({ filename }) => filename),
          of('page_start', ({ pageStart }) => pageStart),
          of('page_end', ({ pageEnd }) => pageEnd),
          of('regions', (row) => {
            const { regions } = regionsOf(row);
            return regions === undefined ? null : JSON.stringify(regions);
          }),
          of('expires_at', ({ expiresAt }) => (expiresAt === undefined ? null : new Date(expiresAt).toISOString())),
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
