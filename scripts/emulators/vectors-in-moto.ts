// Writes and deletes rows through the engine of Amazon S3 Vectors, whose requests go to the emulator at
// AWS_ENDPOINT_URL_S3VECTORS. It knows no queries, which every read of the engine begins with, so rows are listed.
import { deepStrictEqual } from 'node:assert/strict';
import { type Change, type IndexRef, type Row, openVectorsWriter } from '#engine';
import { s3VectorsClient } from '../../shared/platform/aws/s3-vectors-client.ts';
import { runCommand } from '../support/run-command.ts';

const location = { region: 'us-east-1', vectorBucketName: 'emulated-vectors', organizationId: 'org_emulated' };
const rowCount = 1_200;

const ref: IndexRef = {
  dimensions: 3,
  metric: 'cosine',
  nonFilterableKeys: ['raw'],
  layers: [{ table: 'idx_emulated', version: 1 }],
};

const makeRow = (at: number): Row => ({
  id: `row ${at}`,
  vector: Float32Array.of(1, at, 0.5),
  text: `text of row ${at}`,
  metadata: { at, tags: ['x', 'y'], raw: { deep: null } },
  jobId: null,
  filename: null,
  pageStart: null,
  pageEnd: null,
});

await runCommand(async () => {
  const [client, writer] = [s3VectorsClient(location.region), openVectorsWriter(location)];
  try {
    await client.call('CreateVectorBucket' as never, { vectorBucketName: location.vectorBucketName } as never);
    await writer.create(ref);
    await writer.create(ref);
    const rows = Array.from({ length: rowCount }, (_, at) => makeRow(at));
    const changes: readonly (readonly [Change, number])[] = [
      [{ kind: 'upsert', rows }, rowCount],
      [{ kind: 'upsert', rows: rows.slice(0, 10) }, rowCount],
      [{ kind: 'delete', ids: ['row 1', 'row 2', 'absent'] }, rowCount - 2],
    ];
    for (const [at, [change, left]] of changes.entries())
      deepStrictEqual((await writer.commit(ref, [change], [`change ${at}`])).state.rows, left);
    const { vectorBucketName } = location;
    const { indexes } = await client.call('ListIndexes' as never, { vectorBucketName } as never);
    const names = (indexes as readonly { readonly indexName: string }[]).map(({ indexName }) => indexName);
    const indexName = names.find((name) => !name.endsWith('.journal')) ?? '';
    // moto lists all rows in place of a page.
    const { vectors } = await client.call('ListVectors', { vectorBucketName, indexName, returnData: true });
    deepStrictEqual(vectors.filter(({ data }) => data?.float32.length === ref.dimensions).length, rowCount - 2);
    await writer.drop(ref.layers[0].table);
    await writer.drop(ref.layers[0].table);
  } finally {
    client.destroy();
  }
});
