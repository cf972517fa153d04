import { parseArgs } from 'node:util';
import { runLoad } from './support/load.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '10000' }, rate: { type: 'string', default: '8' } },
});
const load = { events: Number(values.events), eventsPerSecond: Number(values.rate), patienceSeconds: 120 };
console.log(JSON.stringify({ load, ...(await runLoad(load)) }, null, 2));
