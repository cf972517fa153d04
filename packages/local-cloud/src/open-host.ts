import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../shared/kernel/clock.ts';
import type { CloudPlan } from './assembly/plan-cloud.ts';
import type { DiskWatch } from './data/disk-watch.ts';
import { functionEnvironment, type LocalReach } from './host/function-environment.ts';
import { functionId } from './host/function-definition.ts';
import { createFunctionHost } from './host/function-host.ts';
import type { FunctionHost } from './host/host-contracts.ts';
import { type HostLimits, isHeavy, modelFunctions } from './host/process-pool.ts';
import { isWarning, openFunctionLog } from './host/function-log.ts';
import type { InvocationLedger } from './host/invocation-ledger.ts';
import { openNativeFunctions } from './host/native-functions.ts';
import type { ProcessFiles } from './host/process-files.ts';
import type { LocalShape } from './shape/open-shape.ts';
import type { RequestTrace } from './shape/request-trace.ts';
import type { AccessKey } from './iam/access-keys.ts';
import { projectDirectory } from '../../../scripts/support/project-directory.ts';

const runGraceMs = 5_000;
/**
 * Niceness of functions that callers wait for, and of all others. The host has 0, since it forwards every request. Each
 * step costs a fifth of the processor time.
 */
const [foregroundNiceness, backgroundNiceness] = [3, 10];

interface OpenHostOptions {
  readonly plan: CloudPlan;
  readonly dataDirectory: string;
  readonly endpointUrl: string;
  /** The access key of a function. */
  readonly keyOf: (functionArn: string) => Required<AccessKey>;
  readonly reach: LocalReach;
  readonly files: ProcessFiles;
  readonly ledger: InvocationLedger;
  readonly disk: Pick<DiskWatch, 'noteText'>;
  readonly limits: HostLimits;
  readonly clock: Clock;
  readonly onWarning: (text: string) => void;
  readonly shape: LocalShape | undefined;
  readonly trace: RequestTrace | undefined;
  readonly inspect?: readonly string[];
}

/** @throws Error for an id that no function has. */
const checkInspected = (inspect: readonly string[], { functions }: CloudPlan): void => {
  const ids = new Set(functions.map(functionId));
  const unknown = inspect.find((id) => !ids.has(id));
  if (unknown === undefined) return;
  throw new Error(`--inspect ${unknown}: no function has this id. The ids are: ${[...ids].toSorted().join(', ')}`);
};

/** Opens the host of the plan's functions; it is closed with `opened`. */
export const openHost = (options: OpenHostOptions, opened: AsyncDisposableStack): FunctionHost => {
  const { dataDirectory, clock, onWarning } = options;
  checkInspected(options.inspect ?? [], options.plan);
  const log = openFunctionLog({ file: join(dataDirectory, 'functions.log'), clock, onWarning });
  opened.defer(log.close);
  const vectorsDirectory = options.shape === undefined ? join(dataDirectory, 'vectors') : null;
  const surroundings = {
    endpointUrl: options.endpointUrl,
    vectorsDirectory,
    modulesDirectory: join(projectDirectory, 'node_modules'),
    compileCacheDirectory: join(projectDirectory, 'dist', 'compile-cache'),
    reach: options.reach,
  };
  if (vectorsDirectory !== null) mkdirSync(vectorsDirectory, { recursive: true });
  const { mappings } = options.plan;
  const queued = new Set(mappings.map(({ functionArn }) => functionArn));
  const routed = new Set(options.plan.api.routes.map(({ functionArn }) => functionArn));
  // Callers of the API wait for functions of its routes and, since those wait for the log, for workers of FIFO queues.
  // Searches wait for the embedder and the reranker.
  const foreground = new Set([
    ...routed,
    ...mappings.filter(({ queueArn }) => queueArn.endsWith('.fifo')).map(({ functionArn }) => functionArn),
    ...options.plan.functions.filter((definition) => modelFunctions.has(functionId(definition))).map(({ arn }) => arn),
  ]);
  const host = createFunctionHost({
    functions: options.plan.functions,
    environmentOf: (definition) =>
      functionEnvironment(definition, { ...surroundings, ...options.keyOf(definition.arn) }),
    nicenessOf: ({ arn }) => (foreground.has(arn) ? foregroundNiceness : backgroundNiceness),
    groupOf: (definition) => {
      if (options.limits.singleProcess.has(functionId(definition))) return null;
      // A search waits 0.4 ms less without the main thread of a shared process between host and function.
      if (routed.has(definition.arn)) return isHeavy(definition, options.limits) ? null : 'endpoints';
      // The writer of indexes loads the engine.
      return foreground.has(definition.arn) ? null : 'workers';
    },
    // Light functions have many processes, and their runs are short.
    spareOf: (definition) => (queued.has(definition.arn) && isHeavy(definition, options.limits) ? 1 : 0),
    native: openNativeFunctions(join(dataDirectory, 'native-functions.json')),
    files: options.files,
    ledger: options.ledger,
    onLine: ({ name, region }, line) => {
      log.write(name, region, line);
      if (isWarning(line)) options.disk.noteText(line.text);
    },
    limits: options.limits,
    inspect: options.inspect ?? [],
    onRun: options.trace?.run,
  });
  opened.defer(() => host.close(runGraceMs));
  return host;
};
