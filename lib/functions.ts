import { authenticationUses, authorizationUses } from '../shared/credentials/index.ts';
import { type Endpoint, needsPrincipal } from '../shared/http/endpoint.ts';
import type { Route } from '../shared/http/fallback.ts';
import { idempotencyUse } from '../shared/idempotency/index.ts';
import { neededBy, type CapabilityId, type Uses } from '../shared/kernel/capability.ts';
import { type QueueName, queues } from '../shared/kernel/names.ts';
import type { Asset, Sizing } from '../shared/kernel/sizing.ts';
import { toCamelCase } from '../shared/kernel/text.ts';
import type { Schedule, Service, Worker } from '../shared/pipeline/worker.ts';

/** All that runs, keyed by the path of its module under `functions/` without `.ts`. */
export interface Registry {
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly workers: Readonly<Record<string, Worker>>;
  readonly services: Readonly<Record<string, Service>>;
  readonly schedules: Readonly<Record<string, Schedule>>;
}

interface Deployable {
  /** Names the function, its bundle directory and its constructs. */
  readonly id: string;
  readonly summary: string;
  /** Directory of its module under `functions/`. */
  readonly entity: string;
  /** Text of the module that is bundled; its imports are relative to the project's root. Exports `handler`. */
  readonly source: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly storageMb?: number;
  readonly assets: readonly Asset[];
  readonly capabilities: readonly CapabilityId[];
}

type Defined =
  | { readonly kind: 'endpoint'; readonly definition: Endpoint }
  | { readonly kind: 'worker'; readonly definition: Worker }
  | { readonly kind: 'service'; readonly definition: Service }
  | { readonly kind: 'schedule'; readonly definition: Schedule }
  | { readonly kind: 'fallback' };

/** One Lambda function together with the definition that it comes from. */
export type FunctionEntry = Deployable & Defined;

/** The entries of one kind. */
export type EntryOf<Kind extends FunctionEntry['kind']> = Extract<FunctionEntry, { readonly kind: Kind }>;

// HTTP API gives up on a function after 30 seconds, so a longer timeout would only hide the cause.
const longestEndpointSeconds = 29;
const endpointSizing: Sizing = { timeoutSeconds: 15, memoryMb: 512 };

/** A module exports its definition under the id of that in camelCase. */
const sourceOf = (module: string, serve: string, id: string): string =>
  [
    `import { ${serve} } from './functions/serve.ts';`,
    `import { ${toCamelCase(id)} } from './functions/${module}.ts';`,
    `export const handler = ${serve}(${toCamelCase(id)});`,
    '',
  ].join('\n');

const union = (...lists: readonly (readonly CapabilityId[])[]): readonly CapabilityId[] =>
  [...new Set(lists.flat())].toSorted();

/**
 * Whoever needs a caller reads credentials and memberships and counts the request, and reads the index that a caller is
 * refused; whoever can be repeated remembers answers.
 */
const admission = ({ auth: { needs }, path, idempotent }: Endpoint): readonly CapabilityId[] => [
  ...(needsPrincipal(needs) ? neededBy(authenticationUses) : []),
  ...(path.includes('{index_id}') ? neededBy(authorizationUses) : []),
  ...(idempotent === true ? neededBy({ idempotency: idempotencyUse }) : []),
];

const deployable = (
  module: string,
  serve: string,
  definition: Sizing & { readonly id: string; readonly summary: string; readonly uses: Uses },
  implied: readonly CapabilityId[] = [],
): Deployable => ({
  id: definition.id,
  summary: definition.summary,
  entity: module.split('/', 1)[0] ?? '',
  source: sourceOf(module, serve, definition.id),
  timeoutSeconds: definition.timeoutSeconds,
  memoryMb: definition.memoryMb,
  ...(definition.storageMb === undefined ? {} : { storageMb: definition.storageMb }),
  assets: ['sdk', ...(definition.assets ?? [])],
  capabilities: union(neededBy(definition.uses), implied),
});

const routesOf = ({ method, path, takesHead }: Endpoint): readonly Route[] =>
  takesHead === true
    ? [
        { method, path },
        { method: 'HEAD', path },
      ]
    : [{ method, path }];

const fallback = (endpoints: readonly Endpoint[]): FunctionEntry => ({
  kind: 'fallback',
  id: 'fallback',
  entity: 'meta',
  summary: 'Answers whatever no route matches: 404, or 405 where the path has other methods',
  source: [
    `import { serveFallback } from './functions/serve.ts';`,
    `export const handler = serveFallback(${JSON.stringify(endpoints.flatMap(routesOf))});`,
    '',
  ].join('\n'),
  ...endpointSizing,
  assets: [],
  capabilities: [],
});

const checkQueues = (entries: readonly FunctionEntry[]): void => {
  for (const queue of Object.keys(queues)) {
    const workers = entries.filter((entry) => entry.kind === 'worker' && entry.definition.queue === queue);
    if (workers.length !== 1) throw new Error(`queue ${queue} needs one worker but has ${workers.length}`);
  }
};

const checkEntries = (entries: readonly FunctionEntry[]): void => {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (seen.has(entry.id)) throw new Error(`two definitions have the id ${entry.id}`);
    seen.add(entry.id);
    if (entry.kind === 'endpoint' && entry.timeoutSeconds > longestEndpointSeconds) {
      throw new Error(`endpoint ${entry.id} may run ${longestEndpointSeconds} seconds at most`);
    }
  }
  checkQueues(entries);
};

/** Every function of a registry, each exactly once. Throws where two share an id or a queue has not exactly one worker. */
export const functionEntries = (registry: Registry): readonly FunctionEntry[] => {
  const entries: readonly FunctionEntry[] = [
    ...Object.entries(registry.endpoints).map(([module, definition]) => ({
      kind: 'endpoint' as const,
      definition,
      ...deployable(module, 'serveEndpoint', { ...endpointSizing, ...definition }, admission(definition)),
    })),
    ...Object.entries(registry.workers).map(([module, definition]) => ({
      kind: 'worker' as const,
      definition,
      ...deployable(module, 'serveWorker', definition),
    })),
    ...Object.entries(registry.services).map(([module, definition]) => ({
      kind: 'service' as const,
      definition,
      ...deployable(module, 'serveService', definition),
    })),
    ...Object.entries(registry.schedules).map(([module, definition]) => ({
      kind: 'schedule' as const,
      definition,
      ...deployable(module, 'serveSchedule', definition),
    })),
    fallback(Object.values(registry.endpoints)),
  ];
  checkEntries(entries);
  return entries;
};

/** A queue whose worker gets messages back that it sends to another, by the permission to do so. */
const roundTrips: Partial<Record<QueueName, CapabilityId>> = { reconcile: 'log.send' };

/** Whether a worker goes on by messages that reach its own queue again. */
export const goesOnByItself = (entry: FunctionEntry): boolean =>
  entry.kind === 'worker' &&
  [`${entry.definition.queue}.send` as const, roundTrips[entry.definition.queue]].some(
    (capability) => capability !== undefined && entry.capabilities.includes(capability),
  );

/** The stack that an entry belongs to. */
export const placeOf = (entry: FunctionEntry): 'api' | 'events' | 'region' => {
  if (entry.kind === 'endpoint' || entry.kind === 'fallback') return 'api';
  if (entry.kind === 'service' && entry.definition.route !== undefined) return 'api';
  const scope = entry.kind === 'worker' ? queues[entry.definition.queue].scope : entry.definition.scope;
  return scope === 'home' ? 'events' : 'region';
};
