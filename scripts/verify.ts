import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const script = (name: string, ...args: readonly string[]): Step['command'] => [
  process.execPath,
  `scripts/${name}.ts`,
  ...args,
];

const steps: readonly Step[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
  { name: 'types', command: ['tsc', '--project', '.'] },
  { name: 'unused', command: ['knip'] },
  { name: 'imports', command: script('check-imports') },
  { name: 'lock', command: script('complete-lock', '--check') },
  { name: 'api', command: script('openapi', '--check') },
  { name: 'bundles', command: script('check-bundles') },
];

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

const run = ([file, ...args]: Step['command']): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', (error) => resolve({ passed: false, output: error.message }));
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });

const chosen = (): readonly Step[] => {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const names = values.only?.split(',') ?? steps.map(({ name }) => name);
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Error(`unknown steps: ${unknown.join(', ')}; there are ${steps.map(({ name }) => name).join(', ')}`);
  return steps.filter(({ name }) => names.includes(name));
};

let failures = 0;
for (const { name, command } of chosen()) {
  const startedAt = performance.now();
  const { passed, output } = await run(command);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
  if (!passed) {
    failures += 1;
    console.log(output.trimEnd());
  }
}
process.exitCode = failures === 0 ? 0 : 1;
