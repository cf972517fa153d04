// `npm run bench:evaluation`: power of the gate, and duration of an evaluation.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { startService } from '../scripts/support/start-service.ts';
import { powerTable } from './evaluation/power.ts';
import { timeEvaluation } from './evaluation/speed.ts';
import { openOrganization } from './files/service.ts';

const usage = `npm run bench:evaluation -- [options]

  --power        how many sets of 1,000 questions refuse planted losses, of a hundred for each loss
  --speed        seconds of an evaluation
  --rows N       rows of its index (default 100000)
  --questions N  questions of its set (default 1000)
`;

const { values } = commandLine({
  options: {
    power: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
    rows: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});

const measureSpeed = async (): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'strata-evaluation-'));
  opened.defer(() => rm(data, { recursive: true, force: true }));
  const starting = startService({ dataDirectory: data });
  opened.defer(starting.stop);
  const organization = await openOrganization((await starting.ready).base_url);
  const [rows, questions] = [Number(values.rows), Number(values.questions)];
  const seconds = await timeEvaluation(organization, { rows, questions });
  console.log(`${questions} questions over ${rows} rows, hybrid: ${seconds.toFixed(1)} s`);
};

if (values.help) console.log(usage);
if (values.power) console.log(powerTable());
if (values.speed) await measureSpeed();
