// Run by test-emulators.ts: writes rows before an upgrade (write), and finds them after it (read).
import { createClient, type StrataClient } from '#client';
import { openSession } from '../smoke/open-session.ts';
import { readSmokeOptions } from '../smoke/options.ts';
import { runCommand } from '../support/run-command.ts';

const name = 'kept through the upgrade';
const text = 'The ferry to the island leaves at noon.';

const write = async (client: StrataClient): Promise<void> => {
  const { id } = await client.post('/v1/indexes', { body: { name, dimensions: 384 } });
  const rows = Array.from({ length: 20 }, (_, at) => ({ id: `row-${at}`, text: `${text} Trip ${at}.` }));
  await client.post('/v1/indexes/{index_id}/vectors', { params: { path: { index_id: id } }, body: rows });
};

const read = async (client: StrataClient): Promise<void> => {
  const indexes = await client.get('/v1/indexes');
  const index = indexes.find((one) => one.name === name);
  if (index === undefined) throw new Error('The index that was made before the upgrade is not listed.');
  const params = { path: { index_id: index.id } };
  const { vectors } = await client.post('/v1/indexes/{index_id}/vectors/fetch', { params, body: { ids: ['row-0'] } });
  const vector = vectors[0]?.vector;
  if (vector === undefined) throw new Error('A row that was written before the upgrade has no vector.');
  // By vector, because this version may no longer have the text model of the index.
  const searches = { dense: { vector }, sparse: { text }, hybrid: { text, vector } };
  for (const mode of ['dense', 'sparse', 'hybrid'] as const) {
    const { results } = await client.post(`/v1/indexes/{index_id}/search/${mode}`, {
      params,
      body: { ...searches[mode], top_k: 20 },
    });
    if (results.length !== 20) throw new Error(`A ${mode} search finds ${results.length} of the 20 rows.`);
  }
};

/** Reads the rows, or shows that an index in the format of another version is refused by name. */
const readOrRefused = async (client: StrataClient): Promise<void> => {
  try {
    await read(client);
  } catch (error) {
    if (!(error instanceof Error && / has data of format \d+, and this version reads format /.test(error.message)))
      throw error;
    console.log(error.message);
  }
};

await runCommand(async () => {
  const [action, ...args] = process.argv.slice(2);
  const options = readSmokeOptions(args);
  if (options === null) return;
  const { token, organizationId } = await openSession(options);
  const client = createClient({ baseUrl: options.url, token, organizationId });
  await (action === 'write' ? write(client) : readOrRefused(client));
});
