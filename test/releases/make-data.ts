// `node test/releases/make-data.ts X.Y.Z`: stores data of the release that is prepared, and its answers. Every later version opens it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { formatText } from '../../scripts/support/format-text.ts';
import { eventually } from '../support/eventually.ts';
import { finished, upload } from '../service/support/files.ts';
import { type ApiAnswer, call, type Caller } from '../service/support/organization.ts';
import { startProcess } from '../service/support/process.ts';
import { askAll, dimensionsOf, encoded, sparseVector } from './questions.ts';

const send = async (key: Caller, method: string, path: string, body?: unknown): Promise<ApiAnswer['body']> => {
  const answer = await call(key, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const rowsFrom = (start: number, count: number, dimensions: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `row-${start + at}`,
    vector: encoded(sparseVector(dimensions, start + at)),
    text: `The text of row number ${start + at} in part ${(start + at) % 10}.`,
    metadata: { number: start + at, part: (start + at) % 10, tags: ['a', 'b'].slice((start + at) % 2) },
  }));

/** Writes the indexes. The large one has a table, and segments over it. */
const fill = async (key: Caller): Promise<void> => {
  const create = async (name: 'small' | 'large'): Promise<string> =>
    (await send(key, 'POST', '/v1/indexes', { name, dimensions: dimensionsOf[name] })).id;
  const [small, large] = [await create('small'), await create('large')];
  await send(key, 'POST', `/v1/indexes/${small}/vectors`, rowsFrom(0, 30, dimensionsOf.small));
  await send(key, 'POST', `/v1/indexes/${small}/vectors/delete`, { ids: ['row-3', 'row-4'] });
  const text = new TextEncoder().encode('A chapter about harbours.\n\nShips arrive at number 11 every day.\n');
  await finished(key, small, await upload(key, small, 'harbour.txt', 'text/plain', text));
  const branch = await send(key, 'POST', `/v1/indexes/${small}/branches`, { name: 'branch of small' });
  await eventually(
    () => send(key, 'GET', `/v1/indexes/${branch.id}/stats`),
    ({ status }) => status === 'ready',
  );
  await send(key, 'POST', `/v1/indexes/${branch.id}/vectors`, rowsFrom(11, 2, dimensionsOf.small));
  await send(key, 'POST', `/v1/indexes/${branch.id}/vectors/delete`, { ids: ['row-20'] });
  const path = `/v1/indexes/${large}`;
  for (let start = 0; start < 3_000; start += 200)
    await send(key, 'POST', `${path}/vectors`, rowsFrom(start, 200, dimensionsOf.large));
  // Rows are not in the table only once there is one.
  await eventually(
    async () => {
      await send(key, 'POST', `${path}/vectors`, rowsFrom(2_900, 200, dimensionsOf.large));
      return send(key, 'GET', `${path}/stats`);
    },
    (stats) => stats.unindexed_vectors > 0,
  );
  await send(key, 'POST', `${path}/vectors/delete`, { ids: ['row-17'] });
};

const filesOf = (directory: string): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [relative(directory, file), readFileSync(file)]),
  );

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Give the version of the release, such as 0.2.0.');
const directory = mkdtempSync(join(tmpdir(), 'strata-release-'));
const service = await startProcess(directory, console.log);
try {
  await fill(service.key);
  const answers = await askAll(service.key);
  await service.stop();
  const stored = join(import.meta.dirname, version);
  writeFileSync(`${stored}.json`, formatText(`${version}.json`, JSON.stringify(answers)));
  writeFileSync(`${stored}.zip`, zipSync(filesOf(directory), { level: 9 }));
} finally {
  await service.kill();
  rmSync(directory, { recursive: true, force: true });
}
