export { idempotencyUse } from './repository.ts';
