import { setTimeout as pause } from 'node:timers/promises';
import { openContractService } from '../contract/support/service.ts';
import { ask, headersOf, newUnlimitedTenant, type Tenant } from '../contract/support/fixture.ts';
import { percentile } from '../../bench/measure/searches.ts';
import { commandLine } from '../../scripts/support/read-command-line.ts';

/**
 * One organization floods the running service with filters of empty parts and the largest bodies. Another one searches and
 * writes at a low rate. Compares its latency with and without the attack, after its processes have started.
 */
const { values } = commandLine({ options: { seconds: { type: 'string', default: '20' } } });
const phaseMs = Number(values.seconds) * 1_000;

const attackers = 12;
const calmPauseMs = 100;
const bytes = 5 * 1024 * 1024 - 1_024;

const repeated = (part: string, size: number): string =>
  `${`${part},`.repeat(Math.floor(size / (part.length + 1)) - 1)}${part}`;

const emptyParts = `{"$and":[${repeated('{}', 2_400_000)}]}`;

/** Requests of the attacker: path below the index, and body. */
const attacks: readonly (readonly [path: string, body: string])[] = [
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

/** Alternates searches and upserts until the phase ends. */
const workCalmly = async (tenant: Tenant, indexId: string): Promise<Calm> => {
  const calm: Calm = { searches: [], writes: [], failures: 0 };
  const deadline = Date.now() + phaseMs;
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
  for (let at = 0; Date.now() < deadline; at += 1) {
    await measure('/search/dense', { vector: [1, at % 7, 1], top_k: 5 }, calm.searches);
    await pause(calmPauseMs);
    await measure('/vectors', [{ id: `row-${at % 100}`, vector: [1, at, 1] }], calm.writes);
    await pause(calmPauseMs);
  }
  return calm;
};

const attack = async (tenant: Tenant, indexId: string, isOver: () => boolean): Promise<ReadonlyMap<number, number>> => {
  const statuses = new Map<number, number>();
  const work = async (first: number): Promise<void> => {
    for (let at = first; !isOver(); at += 1) {
      const [path, body] = attacks[at % attacks.length] ?? ['', ''];
      const url = `/v1/indexes/${indexId}${path}`;
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
    const url = `/v1/indexes/${target}${path}`;
    await send({ method: 'POST', url, headers: headersOf(attacker.owner.bearer), body });
  }
  await ask(send, victim.owner.bearer, 'POST', `/v1/indexes/${own}/search/dense`, { vector: [1, 0, 1] });
  const peace = await workCalmly(victim, own);
  let isOver = false;
  const attacking = attack(attacker, target, () => isOver);
  // Processes start during the attack, as in Lambda.
  const onset = await workCalmly(victim, own);
  const war = await workCalmly(victim, own);
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
