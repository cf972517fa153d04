import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runLoad } from './support/load.ts';

/*
 * The default rate is what two cores carry that are emulators, deliverer and receivers in one: 50 first attempts a second
 * with 20 endpoints, and as many again and more at those that are ill. Beyond it the run would measure the emulators.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    endpoints: { type: 'string', default: '20' },
    rate: { type: 'string', default: '2.5' },
  },
});
const load = {
  events: Number(values.events),
  endpoints: Math.max(8, Number(values.endpoints)),
  eventsPerSecond: Number(values.rate),
  patienceSeconds: 120,
};
const machine = { cores: cpus().length, loadAverageBefore: loadavg()[0] };
console.log(JSON.stringify({ load, machine, ...(await runLoad(load)), loadAverageAfter: loadavg()[0] }, null, 2));
