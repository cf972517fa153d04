export { operation, type Session, sessionOf } from './operation.ts';
