import { withTestEngine } from './test-engine.ts';

/* Preloaded by `npm run test:engines`: indexes that tests create over HTTP without an engine have that of the run. */
const send = globalThis.fetch;
globalThis.fetch = (target, init) => {
  const isCreation = init?.method === 'POST' && String(target).endsWith('/v1/indexes');
  if (!isCreation || typeof init.body !== 'string' || !init.body.startsWith('{')) return send(target, init);
  return send(target, { ...init, body: JSON.stringify(withTestEngine(JSON.parse(init.body) as object)) });
};
