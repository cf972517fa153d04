import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import type { RowBounds } from './row-bounds.ts';

/**
 * All permissions that a function can have. `lib/grants.ts` maps each to its IAM statements.
 * A function gets exactly those that its definition names in `uses`.
 */
export const capabilityIds = [
  'organizations.read',
  'organizations.write',
  'credentials.read',
  'credentials.write',
  'indexes.read',
  'indexes.write',
  'files.read',
  'files.write',
  'events.read',
  'events.write',
  'webhooks.read',
  'webhooks.write',
  'usage.read',
  'usage.write',
  'rates.count',
  'key_uses.read',
  'key_uses.write',
  'subject_usage.read',
  'subject_usage.write',
  'writes.wait',
  'idempotency.write',
  'crawls.read',
  'crawls.write',
  'crawls.outside',
  'connectors.read',
  'connectors.write',
  'connectors.clients',
  'imports.write',
  'exports.read',
  'exports.write',
  'evaluations.read',
  'evaluations.write',
  'query_log.append',
  'documents.read',
  'documents.write',
  'audit.read',
  'audit.append',
  'keys.use',
  'keys.read',
  'secrets.read',
  'secrets.write',
  'plan.send',
  'imports.send',
  'exports.send',
  'rebuilds.send',
  'evaluations.send',
  'tasks.send',
  'crawl.send',
  'sync.send',
  'log.send',
  'log.forget',
  'builds.send',
  'deletions.send',
  'relay.send',
  'deliver.send',
  'uploads.read',
  'uploads.put',
  'uploads.parts',
  'uploads.delete',
  'originals.read',
  'originals.put',
  'originals.delete',
  'batches.read',
  'batches.put',
  'uploads.tag',
  'uploads.accept',
  'batches.delete',
  'embeddings.read',
  'embeddings.put',
  'embeddings.delete',
  'exported.read',
  'exported.copy',
  'exported.put',
  'exported.delete',
  'golden.read',
  'golden.put',
  'golden.delete',
  'evaluated.read',
  'evaluated.put',
  'evaluated.delete',
  'engine.read',
  'engine.write',
  'vector_indexes.read',
  'vector_indexes.write',
  'reader.invoke',
  'models.embed',
  'embedder.invoke',
  'reranker.invoke',
  'browser.invoke',
  'models.rerank',
  'models.ocr',
  'models.transcribe',
  'svix.call',
  'bus.put',
  'files.extract',
  'identity.verify',
  'roles.assume',
  'network.public',
  'dependencies.probe',
] as const;

export type CapabilityId = (typeof capabilityIds)[number];

/** Context from which a capability is made. Nothing is global, so that tests and hosts can replace it. */
export interface Runtime {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A port together with the permissions that it needs. `make` opens no connection. */
export interface Capability<Port> {
  readonly needs: readonly CapabilityId[];
  readonly make: (runtime: Runtime) => Port;
  /** Returns the port as it serves a caller who is bound to rows. Absent: the port neither reads nor writes rows. */
  readonly bind?: Bind<Port>;
}

type Bind<Port> = (port: Port, bounds: RowBounds) => Port;

/** Names a port's permissions, how it is made, and how it serves a caller who is bound to rows. */
export const capability = <Port>(
  needs: readonly CapabilityId[],
  make: (runtime: Runtime) => Port,
  bind?: Bind<Port>,
): Capability<Port> => ({
  needs,
  make,
  ...(bind === undefined ? {} : { bind }),
});

/** The `uses` of a definition: dependency name → capability. */
// oxlint-disable-next-line typescript/no-explicit-any -- a port may be of any type; `Deps` recovers it
export type Uses = Readonly<Record<string, Capability<any>>>;

/** The dependencies that `uses` gives a handler. */
export type Deps<U extends Uses> = {
  readonly [Name in keyof U]: U[Name] extends Capability<infer Port> ? Port : never;
};

/** Makes every dependency once. */
export const makeDeps = <U extends Uses>(uses: U, runtime: Runtime): Deps<U> =>
  Object.fromEntries(Object.entries(uses).map(([name, { make }]) => [name, make(runtime)])) as Deps<U>;

/** Returns dependencies as they serve a caller: those that read or write rows are limited to the caller's bounds. */
export const bindDeps = <D extends Deps<Uses>>(uses: Uses, deps: D, bounds: RowBounds | null): D =>
  bounds === null
    ? deps
    : (Object.fromEntries(
        Object.entries(deps).map(([name, port]) => [name, uses[name]?.bind?.(port, bounds) ?? port]),
      ) as D);

/** Returns all permissions of a set of uses, sorted, without duplicates. */
export const neededBy = (uses: Uses): readonly CapabilityId[] =>
  [...new Set(Object.values(uses).flatMap(({ needs }) => needs))].toSorted();
