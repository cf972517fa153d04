export { operation, type Session } from './operation.ts';
