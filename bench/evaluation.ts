// `npm run bench:evaluation`: power of the gate, duration of an evaluation, and cost of the log of searches.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { startService } from '../scripts/support/start-service.ts';
import { powerTable } from './evaluation/power.ts';
import { timeEvaluation } from './evaluation/speed.ts';
import { type LogCost, measureEntry, measureLog } from './evaluation/log-cost.ts';
import { openOrganization, type Organization } from './files/service.ts';

const usage = `npm run bench:evaluation -- [options]

  --power        how many sets of 1,000 questions refuse planted losses, of a hundred for each loss
  --speed        seconds of an evaluation
  --rows N       rows of its index (default 100000)
  --questions N  questions of its set (default 1000)
  --log          CPU time and latency of 2,000 searches, half of them with the log, in blocks that alternate
`;

const { values } = commandLine({
  options: {
    power: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
    rows: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '1000' },
    log: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Starts a service, and calls a function with an organization of it and the id of its process. */
const withService = async (measure: (organization: Organization, pid: number) => Promise<void>): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'strata-evaluation-'));
  opened.defer(() => rm(data, { recursive: true, force: true }));
  const starting = startService({ dataDirectory: data });
  opened.defer(starting.stop);
  await measure(await openOrganization((await starting.ready).base_url), starting.pid);
};

const measureSpeed = async (organization: Organization): Promise<void> => {
  const [rows, questions] = [Number(values.rows), Number(values.questions)];
  const seconds = await timeEvaluation(organization, { rows, questions });
  console.log(`${questions} questions over ${rows} rows, hybrid: ${seconds.toFixed(1)} s`);
};

const percent = ({ mean, low, high }: LogCost['cpu']): string =>
  `${(100 * mean).toFixed(1)} % (95 %: ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;

const printLogCost = async (organization: Organization, pid: number): Promise<void> => {
  const { requests, cpuMs, cpu, latency } = await measureLog(organization, pid);
  console.log(`${requests} searches, ${cpuMs.toFixed(1)} ms of CPU each without the log`);
  console.log(`An entry takes ${measureEntry().toFixed(1)} microseconds of CPU`);
  console.log(`With the log: CPU ${percent(cpu)}, latency ${percent(latency)}`);
};

if (values.help) console.log(usage);
if (values.power) console.log(powerTable());
if (values.speed) await withService(measureSpeed);
if (values.log) await withService(printLogCost);
