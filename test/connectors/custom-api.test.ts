import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { noScope } from '../../shared/connectors/no-scope.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { customApiSource } from '../../shared/platform/connectors/custom-api/custom-api.ts';
import type { StepInput } from '../../shared/platform/connectors/port.ts';
import { openPublicGet } from '../../shared/platform/connectors/public-http.ts';
import { FakeApi } from './fake-api.ts';
import { FakeServer } from './fake-server.ts';

const now = new Date('2026-06-15T12:00:00Z');

test('the stored position of a list excludes query parameters of the caller, and an expired position is discarded', async (context) => {
  const api = new FakeApi(2);
  await api.server.start();
  context.after(() => api.server.stop());
  for (const id of ['a', 'b', 'c', 'd', 'e']) api.items.set(id, { title: id, text: id, version: 1, isFile: false });
  const source = customApiSource(openPublicGet(true));
  const described = api.description(false);
  const item = { file_url: null, metadata: {}, ...described.item };
  const input = (state: JsonObject | null): StepInput => ({
    scope: noScope,
    credentials: { ...described, item, list: { method: 'GET', updated_since: null, ...described.list } },
    state,
    now,
    known: () => Promise.resolve([]),
  });
  const ids: string[] = [];
  let state: JsonObject | null = null;
  let kept: JsonObject | null = null;
  for (let done = false; !done;) {
    const step = await source.step(input(state));
    ids.push(...step.changes.flatMap((change) => (change.kind === 'upsert' ? [change.item.externalId] : [])));
    ({ state, done } = step);
    kept ??= state;
    // A value of the query may be a key, and a state is not sealed.
    assert.doesNotMatch(JSON.stringify(state), /published|secret/);
  }
  assert.deepEqual(ids, ['a', 'b', 'c', 'd', 'e']);
  for (const status of [400, 404, 410]) {
    api.server.trouble.push({ status, body: {} });
    await assert.rejects(source.step(input(kept)), { kind: 'refused', forgetsPlace: true, message: /Resume/ });
    api.server.trouble.push({ status, body: {} });
    await assert.rejects(source.step(input(null)), { kind: 'refused', forgetsPlace: false, message: /check/ });
  }
  api.server.trouble.push({ status: 401, body: {} });
  await assert.rejects(source.step(input(kept)), { kind: 'token_expired', forgetsPlace: false });
});

test('a page with millions of empty values, deep nesting or too many items is rejected before it is processed', async (context) => {
  let body = '';
  const server = new FakeServer(() => ({ status: 200, body: Buffer.from(body) }));
  await server.start();
  context.after(() => server.stop());
  const list = {
    method: 'GET',
    path: '/l',
    query: {},
    items: '/data',
    next: null,
    next_parameter: null,
    updated_since: null,
  };
  const item = { id: '/id', title: null, text: '/body', file_url: null, url: null, updated_at: null, metadata: {} };
  const credentials = { base_url: server.url, auth: { type: 'none' }, list, item };
  const step = () =>
    customApiSource(openPublicGet(true)).step({
      scope: noScope,
      credentials,
      state: null,
      now,
      known: () => Promise.resolve([]),
    });
  const manyValues = { kind: 'refused', message: /too many values/ };
  body = `{"data":[${'[],'.repeat(2_000_000)}[]]}`;
  await assert.rejects(step(), manyValues);
  body = '['.repeat(10_000_000);
  await assert.rejects(step(), manyValues);
  body = `{"data":[${'0,'.repeat(100_000)}0]}`;
  await assert.rejects(step(), { kind: 'refused', message: /more than 100000 items/ });
  body = '{"data":[{"id":"a","body":"[[[,,,"}]}';
  assert.equal((await step()).changes.length, 1);
});

test('ids and cursors beyond 2^53 are read exactly, and other numbers and strings stay unchanged', async (context) => {
  const ids = ['1234567890123456789', '1234567890123456790', '-9007199254740993', '9007199254740991'];
  const text = String.raw`\" 1234567890123456789, \\`;
  const asked: string[] = [];
  const server = new FakeServer(({ url }) => {
    const cursor = url.searchParams.get('cursor');
    asked.push(cursor ?? '');
    const at = cursor === null ? 0 : ids.indexOf(cursor) + 1;
    const item = `{"id":${ids[at]}, "title": [0.12345678901234567,1E20], "body" :"${text}"}`;
    return { status: 200, body: Buffer.from(`{"data":[ ${item}],"next":${at + 1 < ids.length ? ids[at] : null}}`) };
  });
  await server.start();
  context.after(() => server.stop());
  const source = customApiSource(openPublicGet(true));
  const list = {
    method: 'GET',
    path: '/l',
    query: {},
    items: '/data',
    next: '/next',
    next_parameter: 'cursor',
    updated_since: null,
  };
  const item = {
    id: '/id',
    title: '/title/1',
    text: '/body',
    file_url: null,
    url: '/title/0',
    updated_at: null,
    metadata: {},
  };
  const credentials = { base_url: server.url, auth: { type: 'none' }, list, item };
  let state: JsonObject | null = null;
  const found: unknown[] = [];
  for (let done = false; !done;) {
    const step = await source.step({ scope: noScope, credentials, state, now, known: () => Promise.resolve([]) });
    for (const change of step.changes) {
      assert.ok(change.kind === 'upsert');
      const { externalId, title, url, content } = change.item;
      assert.deepEqual([title, url], ['100000000000000000000', '0.12345678901234566']);
      assert.equal(Buffer.from((await content()) ?? []).toString(), JSON.parse(`"${text}"`));
      found.push(externalId);
    }
    ({ state, done } = step);
  }
  assert.deepEqual([found, asked], [ids, ['', ...ids.slice(0, -1)]]);
});

test('a page that names itself as the next one ends the sync at once, and an endless list restarts from its beginning', async (context) => {
  let next = '';
  const server = new FakeServer(() => ({ status: 200, body: { data: [], next } }));
  await server.start();
  context.after(() => server.stop());
  const source = customApiSource(openPublicGet(true));
  const step = (parameter: string | null, state: JsonObject | null) => {
    const query = { key: 'a b', state: 'new' };
    const list = {
      method: 'GET',
      path: '/l',
      query,
      items: '/data',
      next: '/next',
      next_parameter: parameter,
      updated_since: null,
    };
    const item = { id: '/id', title: null, text: '/body', file_url: null, url: null, updated_at: null, metadata: {} };
    const credentials = { base_url: server.url, auth: { type: 'none' }, list, item };
    return source.step({ scope: noScope, credentials, state, now, known: () => Promise.resolve([]) });
  };
  const endless = {
    kind: 'refused',
    forgetsPlace: true,
    message: 'The list is endless: check `list.next` or `list.pagination`',
  };
  for (next of ['?key=a%20b&state=new', '/l?state=new&key=a+b']) await assert.rejects(step(null, null), endless);
  for (const [parameter, cursor] of [
    [null, '/l?key=a%20b&page=2&state=new'],
    [null, '?page=a%20b'],
    ['page', 'a b'],
  ] as const) {
    next = cursor;
    const { state } = await step(parameter, null);
    await assert.rejects(step(parameter, state), endless);
    next = `${cursor}3`;
    await step(parameter, state);
    await assert.rejects(step(parameter, { ...state, pages: 100_000 }), endless);
  }
});

test('an item without a text is reported unless the text is empty, and one whose file is gone is not', async (context) => {
  const texts = [
    {},
    { body: { html: 'x' } },
    { body: ['x'] },
    { body: true },
    { body: null },
    { body: '' },
    { body: 7 },
  ];
  const server = new FakeServer(({ url }) =>
    url.pathname === '/l'
      ? { status: 200, body: texts.map((item, id) => ({ id, ...item })) }
      : { status: 404, body: '' },
  );
  await server.start();
  context.after(() => server.stop());
  const source = customApiSource(openPublicGet(true));
  const described = (item: JsonObject) => {
    const list = {
      method: 'GET',
      path: '/l',
      query: {},
      items: '',
      next: null,
      next_parameter: null,
      updated_since: null,
    };
    const usual = { id: '/id', title: null, text: null, file_url: null, url: null, updated_at: null, metadata: {} };
    const credentials = { base_url: server.url, auth: { type: 'none' }, list, item: { ...usual, ...item } };
    return source.step({ scope: noScope, credentials, state: null, now, known: () => Promise.resolve([]) });
  };
  const told = async (item: JsonObject): Promise<readonly unknown[]> =>
    Promise.all(
      (await described(item)).changes.map(async (change) => {
        if (change.kind === 'failed') return change.message;
        const bytes = change.kind === 'upsert' ? await change.item.content() : null;
        return bytes === null ? null : [Buffer.from(bytes).toString()];
      }),
    );
  const none = [0, 1, 2, 3].map((id) => `Item ${id} has no text at \`item.text\``);
  assert.deepEqual(await told({ text: '/body' }), [...none, [''], [''], ['7']]);
  for (const item of texts) Object.assign(item, { file: `${server.url}/gone` });
  assert.deepEqual(new Set(await told({ file_url: '/file' })), new Set([null]));
});

test('an API that requests a retry with any status does not stop its connector', async (context) => {
  const api = new FakeApi();
  await api.server.start();
  context.after(() => api.server.stop());
  const get = openPublicGet(true);
  const ask = { url: api.server.url, method: 'GET', headers: {}, maxBytes: 1_000, followsRedirects: false } as const;
  for (const status of [408, 425, 429, 500, 503]) {
    api.server.trouble.push({ status, body: {} });
    await assert.rejects(get(ask, now), { kind: 'busy', message: `The API responded with status ${status}` });
  }
  api.server.trouble.push({ status: 409, body: {} });
  await assert.rejects(get(ask, now), { kind: 'refused' });
});

test('an encoded response is decoded although identity was requested, up to the maximum size', async (context) => {
  const asked: (string | undefined)[] = [];
  const server = new FakeServer(({ headers }) => {
    asked.push(headers['accept-encoding']);
    return { status: 500, body: {} };
  });
  await server.start();
  context.after(() => server.stop());
  const get = openPublicGet(true);
  const ask = { url: server.url, method: 'GET', headers: {}, maxBytes: 1_000, followsRedirects: true } as const;
  await assert.rejects(get(ask, now), { kind: 'busy' });
  assert.deepEqual(asked, ['identity']);
  const answered = (encoding: string, body: Uint8Array) => {
    server.trouble.push({ status: 200, body, headers: { 'content-encoding': encoding } });
    return get(ask, now);
  };
  const text = Buffer.from('{"data":[]}');
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['BR', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', text],
  ] as const)
    assert.equal(Buffer.from((await answered(encoding, bytes))?.bytes ?? []).toString(), text.toString(), encoding);
  const bomb = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
  await assert.rejects(answered('gzip, gzip', bomb), { kind: 'unreadable', message: /more than 1000 bytes/ });
  await assert.rejects(answered('compress', text), { kind: 'unreadable', message: /encoding other than/ });
  await assert.rejects(answered('gzip', text), { kind: 'busy' });
});
