import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chooseFile, shownPath } from './demo/choose-file.ts';
import { type DemoOptions, readOptions, usage } from './demo/options.ts';
import { openReceiver } from './demo/receive-events.ts';
import { runDemo } from './demo/run-demo.ts';
import { showProgress } from './demo/show-progress.ts';
import { startService } from './support/start-service.ts';

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Lines that a start prints when it has to build first. */
const expectedPhases = 6;

const demo = async (options: DemoOptions, opened: AsyncDisposableStack): Promise<void> => {
  const file = await chooseFile(options.file);
  write(`${shownPath(file.path)}, ${file.bytes} bytes\n`);
  const progress = showProgress(write);
  opened.defer(() => progress.stop());
  const dataDirectory = resolve(options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'strata-demo-'))));
  if (options.dataDirectory === null) opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const receiver = await openReceiver();
  opened.defer(receiver.close);
  const began = performance.now();
  const boot = progress.begin('boot');
  const phases = new Set<string>();
  const onPhase = (phase: string): void => {
    // A phase that goes on is printed again.
    phases.add(phase);
    boot.update(phases.size / (expectedPhases + 1), phase);
  };
  const starting = startService({ dataDirectory, detached: true, onPhase });
  opened.defer(starting.stop);
  const service = await starting.ready;
  const bootMs = performance.now() - began;
  boot.finish(service.base_url);
  await runDemo({ ...options, file, receiver, service, bootMs, write }, progress);
};

/** Runs the demo. Resolves to the exit code; what was opened is closed, and what was made is removed, in any case. */
const main = async (args: readonly string[]): Promise<number> => {
  await using opened = new AsyncDisposableStack();
  const interrupted = new Promise<number>((done) => {
    process.once('SIGINT', () => done(130));
    process.once('SIGTERM', () => done(143));
  });
  try {
    const options = readOptions(args);
    if (options.help) {
      write(usage);
      return 0;
    }
    return await Promise.race([demo(options, opened).then(() => 0), interrupted]);
  } catch (error) {
    // The bars write to where the cursor is: they end before anything else is said.
    await opened.disposeAsync();
    process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};

process.exit(await main(process.argv.slice(2)));
