export { dependencyCheck } from './probes.ts';
export { DependencyHealth } from './schemas.ts';
