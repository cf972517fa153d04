import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { stopChild } from '../../scripts/support/stop-child.ts';
import { installChroma } from '../data/install.ts';
import { filterParts } from '../data/truth.ts';
import { batchesOf, type Peer, secondsSince } from './peer.ts';

const database = '/api/v2/tenants/default_tenant/databases/default_database';
const startMs = 60_000;
const efSteps = [100, 200, 400, 800];

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

type Call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<unknown>;

const connect = (port: number): { readonly call: Call; readonly pool: Pool } => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, headersTimeout: 600_000, bodyTimeout: 600_000 });
  const headers = { 'content-type': 'application/json' };
  const call: Call = async (method, path, body) => {
    const answer = await pool.request({
      method,
      path,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`Chroma ${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  };
  return { call, pool };
};

/** A running server and a client of it. */
interface Server extends ReturnType<typeof connect> {
  readonly stop: () => Promise<void>;
}

const answers = async (call: Call): Promise<void> => {
  const deadline = performance.now() + startMs;
  for (;;) {
    try {
      await call('GET', '/api/v2/heartbeat');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(200);
    }
  }
};

const startServer = async (command: string, directory: string): Promise<Server> => {
  const port = await freePort();
  const args = ['run', '--path', directory, '--port', String(port), '--host', '127.0.0.1'];
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ANONYMIZED_TELEMETRY: 'False' } });
  const { call, pool } = connect(port);
  await answers(call);
  const stop = async (): Promise<void> => {
    await pool.destroy();
    await stopChild(child);
  };
  return { call, pool, stop };
};

/** Chroma's own server, reached over HTTP as its clients do. */
export const chroma = (cacheDirectory: string): Peer => ({
  name: 'chroma',
  title: 'Chroma server',
  reached: 'HTTP',
  load: async ({ base }, directory) => {
    const command = await installChroma(cacheDirectory);
    const start = (): Promise<Server> => startServer(command, join(directory, 'chroma'));
    let server = await start();
    const call: Call = (...request) => server.call(...request);
    const made = (await call('POST', `${database}/collections`, {
      name: 'bench',
      configuration: { hnsw: { space: 'cosine' } },
    })) as { readonly id: string };
    const collection = `${database}/collections/${made.id}`;
    const startedMs = performance.now();
    for (const [from, to] of batchesOf(base.count)) {
      const rows = Array.from({ length: to - from }, (_, at) => from + at);
      await call('POST', `${collection}/upsert`, {
        ids: rows.map((row) => `row-${row}`),
        embeddings: rows.map((row) => [...base.at(row)]),
        metadatas: rows.map((row) => ({ part: row % filterParts })),
      });
    }
    const loadSeconds = secondsSince(startedMs);
    let step = 0;
    const search = async (query: Float32Array, topK: number, part?: number): Promise<readonly number[]> => {
      const where = part === undefined ? {} : { where: { part } };
      const body = { query_embeddings: [[...query]], n_results: topK, include: ['distances'], ...where };
      const answer = (await call('POST', `${collection}/query`, body)) as {
        readonly ids: readonly (readonly string[])[];
      };
      return (answer.ids[0] ?? []).map((id) => Number(id.slice(4)));
    };
    // The first search after a write updates the index.
    await search(base.at(0), 1);
    return {
      loadSeconds,
      readySeconds: secondsSince(startedMs),
      search,
      searchPart: search,
      lookCloser: async () => {
        step += 1;
        if (step >= efSteps.length) return false;
        await call('PUT', collection, { new_configuration: { hnsw: { ef_search: efSteps[step] } } });
        // An index in memory keeps the setting that it was loaded with.
        await server.stop();
        server = await start();
        await search(base.at(0), 1);
        return true;
      },
      close: () => server.stop(),
    };
  },
});
