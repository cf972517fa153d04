// Writes, reads and deletes rows through the engine of Amazon S3 Vectors, whose requests go to the emulator at
// AWS_ENDPOINT_URL_S3VECTORS. It knows no filters and no text search, so searches are not sent.
import { deepStrictEqual } from 'node:assert/strict';
import { type IndexRef, type Row, openVectorsReader, openVectorsWriter } from '#engine';
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
  const [client, writer, reader] = [
    s3VectorsClient(location.region),
    openVectorsWriter(location),
    openVectorsReader(location),
  ];
  try {
    await client.call('CreateVectorBucket' as never, { vectorBucketName: location.vectorBucketName } as never);
    await writer.create(ref);
    await writer.create(ref);
    const rows = Array.from({ length: rowCount }, (_, at) => makeRow(at));
    await writer.commit(ref, [{ kind: 'upsert', rows }], ['upsert']);
    await writer.commit(ref, [{ kind: 'upsert', rows: rows.slice(0, 10) }], ['again']);
    deepStrictEqual(await reader.count(ref), rowCount);
    const [row] = await reader.fetch(ref, ['row 7', 'absent'], true);
    deepStrictEqual([row?.text, row?.metadata, row?.vector], [rows[7]?.text, rows[7]?.metadata, rows[7]?.vector]);
    await writer.commit(ref, [{ kind: 'delete', ids: ['row 1', 'row 2', 'absent'] }], ['delete']);
    deepStrictEqual(await reader.count(ref), rowCount - 2);
    // moto lists all rows in place of a page.
    const { rows: listed } = await reader.list(ref, { after: null, limit: 1_000, includeVector: true });
    deepStrictEqual(listed.slice(0, 10).filter(({ vector }) => vector?.length === ref.dimensions).length, 10);
    await writer.drop(ref.layers[0].table);
    await writer.drop(ref.layers[0].table);
  } finally {
    client.destroy();
  }
});
