import { setTimeout as pause } from 'node:timers/promises';
import { openContractService } from '../contract/support/service.ts';
import { ask, headersOf, newUnlimitedTenant, type Tenant } from '../contract/support/fixture.ts';
import { percentile } from '../../bench/measure/searches.ts';
import { commandLine } from '../../scripts/support/read-command-line.ts';

/**
 * One organization sends eight of the largest bodies at a time to the running service. Another one searches and writes at a
 * low rate. None of its requests may fail. Compares its latency with and without the attack, after its processes have
 * started.
 */
const { values } = commandLine({ options: { searches: { type: 'string', default: '500' } } });
const searches = Number(values.searches);

const attackers = 8;
const calmPauseMs = 20;
const bytes = 5 * 1024 * 1024 - 1_024;

const repeated = (part: string, size: number): string =>
  `${`${part},`.repeat(Math.floor(size / (part.length + 1)) - 1)}${part}`;

const emptyParts = `{"$and":[${repeated('{}', 2_400_000)}]}`;

const entries = (value: string, size: number): string =>
  Array.from({ length: Math.floor(size / 12) }, (_, at) => `"${at.toString(36)}":${value}`).join();

const smallBytes = 512 * 1024 - 1_024;
/** Path of a vector store in place of its index. */
const store = 'store';

/** Requests of the attacker: path below the index or store, and body. */
const attacks: readonly (readonly [path: string, body: string])[] = [
  [`${store}/files`, `{"file_id":"file_x","attributes":{${entries('{}', smallBytes)}}}`],
  [`${store}/files`, `{"file_id":"file_x","attributes":{${entries('{}', bytes)}}}`],
  [`${store}/search/`, `{"query":"a","filters":{"type":"and","filters":[${repeated('{}', smallBytes)}]}}`],
  [`${store}/file_batches`, `{"files":[${repeated('{}', smallBytes)}]}`],
  ['/vectors', `[{"id":"a","vector":[1,0,0],"metadata":{${entries('0', bytes)}}}]`],
  ['/vectors/delete', `{"filter":${emptyParts}}`],
  ['/search/dense', `{"vector":[1,0,0],"filter":${emptyParts}}`],
  ['/vectors', `[${repeated('{}', bytes)}]`],
  ['/vectors', `[${repeated('0', bytes)}]`],
  ['/vectors', `[{"id":"a","vector":[1,0,0],"metadata":{"a":[${repeated('[]', bytes - 100)}]}}]`],
  ['/vectors/update', `[${repeated('{"id":"a"}', bytes)}]`],
  ['/vectors/fetch', `{"ids":[${repeated('""', bytes - 100)}]}`],
  ['/search/sparse', `{"text":"a","include":[${repeated('"text"', bytes - 100)}]}`],
];

const service = await openContractService();
const { overHttp: send } = service;

interface Calm {
  readonly searches: number[];
  readonly writes: number[];
  failures: number;
}

/** Returns the address of an attack. */
const urlOf = (indexId: string, path: string): string =>
  path.startsWith(store)
    ? `/v1/openai/vector_stores/${indexId}${path.slice(store.length)}`
    : `/v1/indexes/${indexId}${path}`;

/** Clients of the calm organization. */
const clients = 4;
const searchesPerWrite = 5;

/** Sends searches, and an upsert after every few of them. */
const workCalmly = async (tenant: Tenant, indexId: string, count: number): Promise<Calm> => {
  const calm: Calm = { searches: [], writes: [], failures: 0 };
  const measure = async (path: string, body: unknown, times: number[]): Promise<void> => {
    const startedMs = performance.now();
    const url = `/v1/indexes/${indexId}${path}`;
    const answer = await send({
      method: 'POST',
      url,
      headers: headersOf(tenant.owner.bearer),
      body: JSON.stringify(body),
    });
    times.push(performance.now() - startedMs);
    if (answer.status !== 200) calm.failures += 1;
  };
  const waiting = Array.from({ length: count }, (_, at) => at).values();
  const work = async (): Promise<void> => {
    for (const at of waiting) {
      await measure('/search/dense', { vector: [1, at % 7, 1], top_k: 5 }, calm.searches);
      await pause(calmPauseMs);
      if (at % searchesPerWrite === 0)
        await measure('/vectors', [{ id: `row-${at % 100}`, vector: [1, at, 1] }], calm.writes);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return calm;
};

const attack = async (tenant: Tenant, indexId: string, isOver: () => boolean): Promise<ReadonlyMap<number, number>> => {
  const statuses = new Map<number, number>();
  const work = async (first: number): Promise<void> => {
    for (let at = first; !isOver(); at += 1) {
      const [path, body] = attacks[at % attacks.length] ?? ['', ''];
      const url = urlOf(indexId, path);
      const { status } = await send({ method: 'POST', url, headers: headersOf(tenant.owner.bearer), body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: attackers }, (_, at) => work(at)));
  return statuses;
};

try {
  const [attacker, victim] = [await newUnlimitedTenant(service, send), await newUnlimitedTenant(service, send)];
  const [target, own] = [attacker.indexId, victim.indexId];
  // Starts a process of each function.
  for (const [path, body] of attacks) {
    const url = urlOf(target, path);
    await send({ method: 'POST', url, headers: headersOf(attacker.owner.bearer), body });
  }
  await ask(send, victim.owner.bearer, 'POST', `/v1/indexes/${own}/search/dense`, { vector: [1, 0, 1] });
  const peace = await workCalmly(victim, own, searches / 5);
  let isOver = false;
  const attacking = attack(attacker, target, () => isOver);
  // Processes start during the attack, as in Lambda.
  const onset = await workCalmly(victim, own, searches / 5);
  const war = await workCalmly(victim, own, searches);
  isOver = true;
  const statuses = await attacking;
  let isGood = peace.failures + onset.failures + war.failures === 0;
  console.log('            p50 peace  p50 attack  p99 peace  p99 attack    allowed');
  for (const [name, before, under] of [
    ['searches', peace.searches, war.searches],
    ['upserts', peace.writes, war.writes],
  ] as const) {
    const allowed = 2 * percentile(before, 0.99) + 200;
    const row = [
      percentile(before, 0.5),
      percentile(under, 0.5),
      percentile(before, 0.99),
      percentile(under, 0.99),
      allowed,
    ];
    isGood &&= percentile(under, 0.99) < allowed;
    console.log(`${name.padEnd(10)}${row.map((ms) => `${ms.toFixed(1)} ms`.padStart(11)).join('')}`);
  }
  console.log(
    `failed requests of the calm organization: ${peace.failures} in peace, ${onset.failures + war.failures} under attack`,
  );
  console.log(`answers to the attacker: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await service.close();
}
