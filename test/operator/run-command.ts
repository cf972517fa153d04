import { execFile } from 'node:child_process';
import { join } from 'node:path';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the operator as `npm run` does, with nothing in its environment that could reach AWS. */
export const runCommand = (
  name: 'create-user' | 'doctor' | 'smoke',
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const script = join(import.meta.dirname, '..', '..', 'scripts', `${name}.ts`);
    const env = { PATH: process.env['PATH'], AWS_EC2_METADATA_DISABLED: 'true', ...variables };
    const child = execFile(process.execPath, [script, ...args], { env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
