import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../shared/kernel/clock.ts';
import type { FunctionDefinition } from '../src/host/function-definition.ts';
import { functionEnvironment } from '../src/host/function-environment.ts';
import { createFunctionHost } from '../src/host/function-host.ts';
import type { FunctionHost } from '../src/host/host-contracts.ts';
import { openFunctionLog } from '../src/host/function-log.ts';
import { openInvocationLedger, type InvocationLedger } from '../src/host/invocation-ledger.ts';
import { openNativeFunctions } from '../src/host/native-functions.ts';
import { openProcessFiles } from '../src/host/process-files.ts';
import { defaultHostLimits, type HostLimits } from '../src/host/process-pool.ts';
import type { TracedRun } from '../src/shape/request-trace.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { probeSource } from './fixture-functions.ts';

/** A host with functions to try. */
export interface Bench {
  readonly directory: string;
  readonly host: FunctionHost;
  readonly ledger: InvocationLedger;
  readonly definitions: readonly FunctionDefinition[];
  readonly warnings: readonly string[];
  readonly runs: readonly TracedRun[];
}

interface Context {
  readonly after: (hook: () => void | Promise<void>) => void;
}

const surroundings = {
  endpointUrl: 'http://127.0.0.1:9',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
  sessionToken: 'token',
  vectorsDirectory: '/vectors',
  modulesDirectory: '/modules',
  compileCacheDirectory: '',
  reach: { allowLocalWebhooks: false, crawlLocalAddress: '' },
};

/** A host with functions of the probe's source, one per given memory size. */
export const openBench = (
  t: Context,
  limits: Partial<HostLimits>,
  memories: readonly number[],
  source = probeSource,
  extra: Readonly<Record<string, string>> = {},
  inspect: readonly string[] = [],
): Bench => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'code'));
  writeFileSync(join(directory, 'code', 'index.cjs'), source);
  const definitions = memories.map((memoryMb, position): FunctionDefinition => {
    const name = `bench-f${position}`;
    const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
    const environment = { STRATA_DEPLOYMENT: 'bench', JOURNAL: join(directory, 'journal'), ...extra };
    const code = { codeDirectory: join(directory, 'code'), handler: 'index.handler', layerDirectories: ['/layer'] };
    return { region: 'us-east-1', name, arn, timeoutSeconds: 1, memoryMb, environment, ...code };
  });
  const ledger = openInvocationLedger(join(directory, 'ledger.sqlite'), systemClock);
  const warnings: string[] = [];
  const runs: TracedRun[] = [];
  const log = openFunctionLog({
    file: join(directory, 'log'),
    clock: systemClock,
    onWarning: (text) => warnings.push(text),
  });
  const host = createFunctionHost({
    functions: definitions,
    nicenessOf: () => 0,
    spareOf: () => 0,
    groupOf: () => 'shared',
    environmentOf: (definition) => functionEnvironment(definition, surroundings),
    native: openNativeFunctions(join(directory, 'native.json')),
    files: openProcessFiles(join(directory, 'run')),
    ledger,
    onLine: ({ name, region }, line) => log.write(name, region, line),
    limits: { ...defaultHostLimits, isolatesFunctions: true, ...limits },
    inspect,
    onRun: (run) => runs.push(run),
  });
  t.after(async () => {
    await host.close(0);
    log.close();
    ledger.close();
  });
  return { directory, host, ledger, definitions, warnings, runs };
};

/** Runs a function on an event; what it answers, or the fault. */
export const act = async ({ host, definitions }: Bench, event: object, position = 0): Promise<unknown> => {
  const definition = definitions[position];
  assert.ok(definition);
  const { outcome } = await host.invoke(definition, JSON.stringify(event));
  return outcome.ok ? (JSON.parse(outcome.payload) as unknown) : outcome.fault;
};
