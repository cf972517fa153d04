import { withTestEngine } from '../../scripts/support/test-engine.ts';

/* Preloaded by `npm run test:engines`: indexes that tests create over HTTP without an engine have that of the run. */
const send = globalThis.fetch;
globalThis.fetch = async (target, init) => {
  const url = target instanceof Request ? target.url : String(target);
  const method = init?.method ?? (target instanceof Request ? target.method : 'GET');
  if (method !== 'POST' || !url.endsWith('/v1/indexes')) return send(target, init);
  const request = new Request(target, init);
  const text = await request.text();
  // Some tests send what is no JSON.
  const body = text.startsWith('{"') ? JSON.stringify(withTestEngine(JSON.parse(text) as object)) : text;
  return send(url, { method, headers: request.headers, body, signal: request.signal });
};
