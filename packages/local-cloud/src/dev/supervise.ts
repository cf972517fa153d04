// Runs the service, and starts it again if it exits with `restartCode`. Data is kept.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { restartCode } from './watch-sources.ts';

const run = (): void => {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'start.mjs'), '--watch', ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  const stop = (): boolean => child.kill('SIGTERM');
  // A terminal sends SIGINT to the service as well.
  const wait = (): void => {};
  process.on('SIGTERM', stop).on('SIGINT', wait);
  child.once('exit', (code) => {
    process.off('SIGTERM', stop).off('SIGINT', wait);
    if (code === restartCode) run();
    else process.exitCode = code ?? 1;
  });
};
run();
