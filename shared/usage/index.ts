export { type Traffic, trafficUse } from './traffic.ts';
export { addWithinLimit } from './within-limit.ts';
