import { auditUsesOf } from '../shared/audit/index.ts';
import { authenticationUsesOf, authorizationUses } from '../shared/credentials/index.ts';
import { type Endpoint, needsPrincipal, withRoutes } from '../shared/http/endpoint.ts';
import type { Route } from '../shared/http/fallback.ts';
import { idempotencyUse } from '../shared/idempotency/index.ts';
import { neededBy, type CapabilityId, type Uses } from '../shared/kernel/capability.ts';
import { queues } from '../shared/kernel/names.ts';
import type { Asset, Sizing } from '../shared/kernel/sizing.ts';
import { toCamelCase } from '../shared/kernel/text.ts';
import type { Schedule, Service, Worker } from '../shared/pipeline/worker.ts';

/** All definitions of functions, keyed by the path of their modules under `functions/` without `.ts`. */
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
const maxEndpointSeconds = 29;
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
 * Returns the capabilities that authentication, authorization, idempotency and the audit of an endpoint need: reading
 * credentials and memberships, counting requests, reading the index of the path, and storing responses and records.
 */
const requestCapabilities = (endpoint: Endpoint): readonly CapabilityId[] =>
  withRoutes([endpoint]).flatMap(({ auth, path, idempotent, ...definition }) => [
    ...(needsPrincipal(auth.needs) ? neededBy(authenticationUsesOf({ auth })) : []),
    ...(needsPrincipal(auth.needs) && path.includes('{index_id}') ? neededBy(authorizationUses) : []),
    ...(idempotent === true ? neededBy({ idempotency: idempotencyUse }) : []),
    ...neededBy(auditUsesOf(definition)),
  ]);

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

const routesOf = ({ method, path, takesHead, routes }: Endpoint): readonly Route[] =>
  routes !== undefined
    ? [{ method: 'ANY', path: `${path}/{proxy+}` }]
    : takesHead === true
      ? [
          { method, path },
          { method: 'HEAD', path },
        ]
      : [{ method, path }];

const fallback = (endpoints: readonly Endpoint[]): FunctionEntry => ({
  kind: 'fallback',
  id: 'fallback',
  entity: 'meta',
  summary: 'Responds to requests that no route matches: 404, or 405 if the path has other methods',
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
    if (entry.kind === 'endpoint' && entry.timeoutSeconds > maxEndpointSeconds) {
      throw new Error(`endpoint ${entry.id} may run ${maxEndpointSeconds} seconds at most`);
    }
  }
  checkQueues(entries);
};

/** Returns every function of a registry. Throws if two have one id, or a queue does not have exactly one worker. */
export const functionEntries = (registry: Registry): readonly FunctionEntry[] => {
  const entries: readonly FunctionEntry[] = [
    ...Object.entries(registry.endpoints).map(([module, definition]) => ({
      kind: 'endpoint' as const,
      definition,
      ...deployable(module, 'serveEndpoint', { ...endpointSizing, ...definition }, requestCapabilities(definition)),
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

/** Whether a worker continues its work by messages that return to its own queue. */
export const continuesByMessages = (entry: FunctionEntry): boolean =>
  entry.kind === 'worker' && entry.capabilities.includes(`${entry.definition.queue}.send`);

/** The stack that an entry belongs to. */
export const placeOf = (entry: FunctionEntry): 'api' | 'events' | 'region' => {
  if (entry.kind === 'endpoint' || entry.kind === 'fallback') return 'api';
  if (entry.kind === 'service' && entry.definition.route !== undefined) return 'api';
  const scope = entry.kind === 'worker' ? queues[entry.definition.queue].scope : entry.definition.scope;
  return scope === 'home' ? 'events' : 'region';
};
