import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { parseUploadKey } from '../../shared/kernel/content-keys.ts';
import { tableName, type TableName } from '../../shared/kernel/names.ts';
import { unseal } from '../../shared/kernel/seal.ts';
import { startService } from '../support/shared-service.ts';
import { type ApiAnswer, call, newOrganization } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';

const { baseUrl, endpointUrl, operatorKey } = await startService();

const tables = new DynamoDBClient({
  region: 'us-east-1',
  endpoint: endpointUrl,
  credentials: operatorKey,
});

const physical = (table: TableName): string => tableName('strata', table);

/** Moves a crawl or a connection as the work behind it will; a run that works on it already has lost it. */
const setStatus = async (
  table: 'crawls' | 'connectors',
  pk: string,
  sk: string,
  status: string,
  error: string | null = 'went wrong',
): Promise<void> => {
  await tables.send(
    new UpdateItemCommand({
      TableName: physical(table),
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET #s = :s, #e = :e REMOVE due_pk, due_at ADD revision :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#s': 'status', '#e': 'error' },
      ExpressionAttributeValues: {
        ':s': { S: status },
        ':e': error === null ? { NULL: true } : { S: error },
        ':one': { N: '1' },
      },
    }),
  );
};

/** Items of a table that belong to an index. */
const itemsOf = async (table: TableName, indexId: string): Promise<readonly Record<string, unknown>[]> => {
  const { Items = [] } = await tables.send(new ScanCommand({ TableName: physical(table) }));
  const items = Items.map((item) => unmarshall(item)).filter(({ pk }) => String(pk).endsWith(`#${indexId}`));
  // The record of a file's name is beside its job.
  return items.filter(({ pk }) => !String(pk).startsWith('NAMES#'));
};

/** An organization with an index of its own. */
const newPlace = async () => {
  const organization = await newOrganization(baseUrl);
  const index = (await call(organization.key, 'POST', '/v1/indexes', { name: 'sources', dimensions: 8 })).body.id;
  return { ...organization, index, at: `/v1/indexes/${index}`, partition: `INDEX#${organization.id}#${index}` };
};

const secret = 'hunter2-Hunter2-hunter2';
const { privateKey: pem } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const [, keyLine = '', ...keyLines] = pem.split('\n');
const damagedKey = [pem.split('\n')[0], ...keyLines].join('\n');
const serviceAccount = { type: 'service_account', client_email: 'a@b.iam.gserviceaccount.com', private_key: pem };
const accessKeys = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: secret };

const customApi = {
  name: 'Articles',
  base_url: 'https://api.example.com/v2',
  auth: { type: 'bearer', token: secret },
  list: { path: '/articles', query: { key: secret }, items: '/data', next: '/next' },
  item: { id: '/id', title: '/title', text: '/body', url: '/url', updated_at: '/updated_at' },
};

const emptyScope = {
  folders: [],
  files: [],
  folder_labels: {},
  notion_pages: [],
  notion_data_sources: [],
  notion_labels: {},
  gmail_after: null,
  calendar_after: null,
  slack_channels: [],
  attachments: false,
  sites: [],
  libraries: [],
  confluence_spaces: [],
  object_prefixes: [],
  include_patterns: [],
  exclude_patterns: [],
};

const idsOf = ({ body }: ApiAnswer): readonly string[] => body.map(({ id }: { id: string }) => id);

const refusal = ({ status, body }: ApiAnswer) => [status, body.code];

test('a crawl is queued with the defaults of the contract, found again, and listed page by page, newest first', async () => {
  const { key, at } = await newPlace();
  const made = await call(key, 'POST', `${at}/crawl-jobs`, { url: 'https://site.invalid/docs' });
  const { id, created_at, ...rest } = made.body;
  assert.match(id, /^crawl_[0-9a-z]{26}$/);
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
  assert.deepEqual(
    [made.status, rest],
    [
      201,
      {
        url: 'https://site.invalid/docs',
        page_limit: 10,
        max_depth: 1,
        include_paths: [],
        exclude_paths: [],
        header_names: [],
        metadata: {},
        schedule_id: null,
        status: 'queued',
        provider_job_id: null,
        pages_found: 0,
        error: null,
        started_at: null,
        completed_at: null,
      },
    ],
  );
  const got = await call(key, 'GET', `${at}/crawl-jobs/${id}`);
  // It may have begun meanwhile.
  const { pages_skipped, skipped_reasons, ...job } = got.body;
  assert.deepEqual([got.status, { ...job, ...rest }], [200, made.body]);
  const reasons = Object.values(skipped_reasons as Record<string, number>);
  assert.equal(
    pages_skipped,
    reasons.reduce((sum, count) => sum + count, 0),
  );
  const other = await call(key, 'POST', `${at}/crawl-jobs`, {
    url: 'http://site.invalid',
    page_limit: 500,
    max_depth: 0,
  });
  assert.deepEqual([other.body.page_limit, other.body.max_depth], [500, 0]);
  const first = await call(key, 'GET', `${at}/crawl-jobs?limit=1`);
  assert.deepEqual([first.status, idsOf(first)], [200, [other.body.id]]);
  const cursor = first.headers.get('x-next-cursor') ?? '';
  assert.deepEqual(idsOf(await call(key, 'GET', `${at}/crawl-jobs?limit=1&cursor=${cursor}`)), [id]);
});

test('a crawl beyond the plan is a 402 with the limit', async () => {
  const { key, at } = await newPlace();
  const ask = (body: object) => call(key, 'POST', `${at}/crawl-jobs`, { url: 'https://site.invalid', ...body });
  for (const [body, limit, current] of [
    [{ page_limit: 501 }, 500, 501],
    [{ max_depth: 6 }, 5, 6],
    [{ page_limit: Number.MAX_SAFE_INTEGER, max_depth: 6 }, 500, Number.MAX_SAFE_INTEGER],
  ] as const) {
    const answer = await ask(body);
    assert.deepEqual(refusal(answer), [402, 'plan_limit_reached']);
    assert.deepEqual([answer.body.limit, answer.body.current], [limit, current]);
  }
  assert.deepEqual((await call(key, 'GET', `${at}/crawl-jobs`)).body, []);
});

test('a crawl is cancelled from queued and running, again without effect, and not once it has ended', async () => {
  const { key, at, partition } = await newPlace();
  for (const [status, expected] of [
    ['queued', 200],
    ['running', 200],
    ['completed', 409],
    ['failed', 409],
  ] as const) {
    const { id } = (await call(key, 'POST', `${at}/crawl-jobs`, { url: 'https://site.invalid' })).body;
    if (status !== 'queued') await setStatus('crawls', partition, id, status);
    const answer = await call(key, 'POST', `${at}/crawl-jobs/${id}/cancel`);
    assert.equal(answer.status, expected, status);
    if (expected === 409) {
      assert.equal(answer.body.code, 'conflict');
      assert.equal((await call(key, 'GET', `${at}/crawl-jobs/${id}`)).body.status, status);
      continue;
    }
    assert.equal(answer.body.status, 'cancelled');
    assert.ok(Date.parse(answer.body.completed_at) >= Date.parse(answer.body.created_at));
    const repeats = await Promise.all([1, 2, 3].map(() => call(key, 'POST', `${at}/crawl-jobs/${id}/cancel`)));
    for (const repeat of repeats) assert.deepEqual([repeat.status, repeat.body], [200, answer.body]);
  }
});

test('an import is a queued file job whose name is the last part of its address', async () => {
  const { key, id: organizationId, index, at } = await newPlace();
  const azure = 'https://account.blob.core.windows.net/docs';
  for (const [body, filename, contentType, metadata] of [
    [{ provider: 'aws_s3', uri: 's3://bucket/2026/a b.pdf' }, 'a b.pdf', 'application/octet-stream', {}],
    [{ provider: 'gcs', uri: 'gs://bucket/notes.md', credentials: null }, 'notes.md', 'application/octet-stream', {}],
    [{ provider: 'azure_blob', uri: `${azure}/x/b%C3%BCcher.txt` }, 'bücher.txt', 'application/octet-stream', {}],
    [
      {
        provider: 'aws_s3',
        uri: `s3://bucket/${'k'.repeat(300)}`,
        filename: 'own.txt',
        content_type: 'text/plain; charset=utf-8',
        metadata: { team: 'docs', nested: { deep: [1] } },
      },
      'own.txt',
      'text/plain; charset=utf-8',
      { team: 'docs', nested: { deep: [1] } },
    ],
  ] as const) {
    const made = await call(key, 'POST', `${at}/imports`, body);
    const { id, object_key, created_at, ...rest } = made.body;
    assert.equal(made.status, 202);
    assert.match(id, /^job_[0-9a-z]{26}$/);
    assert.deepEqual(parseUploadKey(object_key), { organizationId, indexId: index, jobId: id });
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    assert.partialDeepStrictEqual(rest, {
      index_id: index,
      filename,
      content_type: contentType,
      source: 'import',
      status: 'queued',
      size_bytes: null,
      checksum_sha256: null,
      tasks_total: 0,
      vectors_written: 0,
      error: null,
      metadata,
      started_at: null,
      completed_at: null,
    });
    const got = await call(key, 'GET', `${at}/files/${id}`);
    // Its copy may have begun meanwhile, and not found the object.
    const { serverless_invocations: _runs, error: _fault, ...kept } = got.body;
    assert.deepEqual([got.status, { ...kept, serverless_invocations: 0, error: null }], [200, made.body]);
  }
  assert.equal((await call(key, 'GET', `${at}/files`)).body.length, 4);
});

test('the overview contains twelve providers and whether they are connected', async () => {
  const { key, at } = await newPlace();
  const none = await call(key, 'GET', `${at}/connectors`);
  const names = [
    'Google Drive',
    'Notion',
    'Gmail',
    'Google Calendar',
    'Slack',
    'SharePoint',
    'OneDrive',
    'Confluence',
    'Amazon S3',
    'Google Cloud Storage',
    'Azure Blob Storage',
    'Custom API',
  ];
  const providers = [
    'google_drive',
    'notion',
    'gmail',
    'google_calendar',
    'slack',
    'sharepoint',
    'one_drive',
    'confluence',
    'aws_s3',
    'gcs',
    'azure_blob',
    'custom_api',
  ];
  const available = (connected: readonly string[]) =>
    providers.map((provider, i) => ({ provider, name: names[i], connected: connected.includes(provider) }));
  assert.deepEqual([none.status, none.body], [200, { connectors: [], available: available([]) }]);
  const oauth = { type: 'authorized_user', client_id: 'id', client_secret: secret, refresh_token: secret };
  const made = [];
  for (const body of [
    { provider: 'google_drive', credentials: oauth },
    { provider: 'google_calendar', credentials: { ...serviceAccount, subject: 'person@example.com' } },
    { provider: 'gmail', credentials: { ...serviceAccount, subject: 'person@example.com' } },
    { provider: 'notion', name: 'Wiki', credentials: { token: secret } },
    { provider: 'slack', credentials: { token: `xoxb-${secret}` } },
  ]) {
    const answer = await call(key, 'POST', `${at}/connectors`, body);
    const { id, created_at, ...rest } = answer.body;
    assert.match(id, /^conn_[0-9a-z]{26}$/);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    assert.deepEqual(
      [answer.status, rest],
      [
        201,
        {
          provider: body.provider,
          name: body.name ?? names[providers.indexOf(body.provider)],
          status: 'pending_scope',
          scope: emptyScope,
          metadata: {},
          sync_interval_minutes: 30,
          last_synced_at: null,
          next_sync_at: null,
          stored_credentials: null,
          sync: null,
          documents: 0,
          unread_items: 0,
          error: null,
        },
      ],
    );
    made.unshift(answer.body);
  }
  const custom = await call(key, 'POST', `${at}/connectors/custom-api`, customApi);
  assert.equal(custom.status, 201);
  assert.partialDeepStrictEqual(custom.body, { provider: 'custom_api', name: 'Articles', status: 'syncing' });
  const overview = await call(key, 'GET', `${at}/connectors`);
  const [newest, ...others] = overview.body.connectors;
  // Its first sync may have ended meanwhile.
  assert.deepEqual([newest.id, newest.created_at], [custom.body.id, custom.body.created_at]);
  assert.deepEqual(
    [overview.status, { connectors: others, available: overview.body.available }],
    [200, { connectors: made, available: available(['custom_api', ...made.map(({ provider }) => provider)]) }],
  );
});

test('a scope is replaced as a whole and starts a sync; an empty one is a scope', async () => {
  const { key, at } = await newPlace();
  const { id } = (await call(key, 'POST', `${at}/connectors`, { provider: 'notion', credentials: { token: secret } }))
    .body;
  const scopeOf = async () => (await call(key, 'GET', `${at}/connectors`)).body.connectors[0];
  const full = {
    folders: ['f1', 'f2'],
    files: ['x'],
    folder_labels: { f1: 'Handbook' },
    notion_pages: ['p'],
    notion_data_sources: ['d'],
    notion_labels: { p: '' },
    gmail_after: '2026-01-31',
    calendar_after: '2026-01-31T10:00:00.5+02:00',
    slack_channels: ['C1'],
  };
  const answer = await call(key, 'PUT', `${at}/connectors/${id}/scope`, full);
  assert.deepEqual([answer.status, answer.body], [202, { connection_id: id, status: 'syncing' }]);
  assert.partialDeepStrictEqual(await scopeOf(), { status: 'syncing', scope: full });
  const written = { gmail_after: '2026-01-31 10:00z', calendar_after: '2026-01-31t10:00:00+02:00' };
  assert.equal((await call(key, 'PUT', `${at}/connectors/${id}/scope`, written)).status, 202);
  assert.partialDeepStrictEqual((await scopeOf()).scope, {
    gmail_after: '2026-01-31T10:00:00Z',
    calendar_after: '2026-01-31T10:00:00+02:00',
  });
  const emptied = await call(key, 'PUT', `${at}/connectors/${id}/scope`, {});
  assert.deepEqual([emptied.status, emptied.body], [202, { connection_id: id, status: 'syncing' }]);
  assert.deepEqual((await scopeOf()).scope, emptyScope);
});

test('scope, pause and resume move a connection as its states allow', async () => {
  const { key, at, partition } = await newPlace();
  const made = await call(key, 'POST', `${at}/connectors`, { provider: 'slack', credentials: { token: secret } });
  const connection = `${at}/connectors/${made.body.id}`;
  const moves = {
    scope: () => call(key, 'PUT', `${connection}/scope`, { slack_channels: ['C1'] }),
    pause: () => call(key, 'POST', `${connection}/pause`),
    resume: () => call(key, 'POST', `${connection}/resume`),
  };
  for (const [from, move, to] of [
    ['pending_scope', 'pause', 409],
    ['pending_scope', 'resume', 409],
    ['pending_scope', 'scope', 'syncing'],
    ['syncing', 'scope', 'syncing'],
    ['syncing', 'resume', 'syncing'],
    ['syncing', 'pause', 'paused'],
    ['active', 'scope', 'syncing'],
    ['active', 'resume', 'syncing'],
    ['in step', 'resume', 'active'],
    ['active', 'pause', 'paused'],
    ['paused', 'scope', 'paused'],
    ['paused', 'pause', 'paused'],
    ['paused', 'resume', 'syncing'],
    ['error', 'scope', 'syncing'],
    ['error', 'pause', 'paused'],
    ['error', 'resume', 'syncing'],
  ] as const) {
    const [status, error] = from === 'in step' ? (['active', null] as const) : ([from, 'went wrong'] as const);
    await setStatus('connectors', partition, made.body.id, status, error);
    const answer = await moves[move]();
    const [after] = (await call(key, 'GET', `${at}/connectors`)).body.connectors;
    if (to === 409) {
      assert.deepEqual(refusal(answer), [409, 'conflict'], `${from} ${move}`);
      assert.equal(after.status, status);
    } else {
      assert.deepEqual(
        [answer.status, answer.body],
        [202, { connection_id: made.body.id, status: to }],
        `${from} ${move}`,
      );
      assert.equal(after.status, to);
      // A sync that runs meanwhile says why it waits.
      if (to !== 'syncing') assert.equal(after.error, status === to ? error : null);
    }
  }
});

test('concurrent state changes of a connection end in one of their states and lose no scope', async () => {
  const { key, at } = await newPlace();
  const { id } = (await call(key, 'POST', `${at}/connectors/custom-api`, customApi)).body;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      i % 3 === 0
        ? call(key, 'PUT', `${at}/connectors/${id}/scope`, { folders: ['raced'] })
        : call(key, 'POST', `${at}/connectors/${id}/${i % 3 === 1 ? 'pause' : 'resume'}`),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  const [connection] = (await call(key, 'GET', `${at}/connectors`)).body.connectors;
  assert.ok(['paused', 'syncing'].includes(connection.status));
  assert.deepEqual(connection.scope.folders, ['raced']);
});

test('a connection is removed once, with the key of its credential', async () => {
  const { key, index, at } = await newPlace();
  const { id } = (await call(key, 'POST', `${at}/connectors/custom-api`, customApi)).body;
  assert.equal((await itemsOf('secrets', index)).length, 1);
  const removed = await call(key, 'DELETE', `${at}/connectors/${id}`);
  assert.deepEqual([removed.status, removed.body], [204, '']);
  assert.deepEqual(refusal(await call(key, 'DELETE', `${at}/connectors/${id}`)), [404, 'not_found']);
  assert.deepEqual((await call(key, 'GET', `${at}/connectors`)).body.connectors, []);
  assert.deepEqual(await itemsOf('secrets', index), []);
  // The connection goes once its content is gone.
  await eventually(
    () => itemsOf('connectors', index),
    (items) => items.length === 0,
  );
});

const absentIds = { crawl: `crawl_${'0'.repeat(26)}`, connection: `conn_${'0'.repeat(26)}` };

/** Every call that names a crawl or a connection. */
const callsOn = (at: string, ids: { readonly crawl: string; readonly connection: string }) =>
  [
    ['GET', `${at}/crawl-jobs/${ids.crawl}`],
    ['POST', `${at}/crawl-jobs/${ids.crawl}/cancel`],
    ['PUT', `${at}/connectors/${ids.connection}/scope`, {}],
    ['POST', `${at}/connectors/${ids.connection}/pause`],
    ['POST', `${at}/connectors/${ids.connection}/resume`],
    ['DELETE', `${at}/connectors/${ids.connection}`],
  ] as const;

const callsUnder = (at: string) =>
  [
    ['POST', `${at}/imports`, { provider: 'aws_s3', uri: 's3://bucket/key' }],
    ['POST', `${at}/crawl-jobs`, { url: 'https://site.invalid', page_limit: 9999 }],
    ['GET', `${at}/crawl-jobs`],
    ['GET', `${at}/connectors`],
    ['POST', `${at}/connectors`, { provider: 'notion', credentials: { token: secret } }],
    ['POST', `${at}/connectors/custom-api`, customApi],
  ] as const;

test('a source of another organization or index gets the response of a missing one', async () => {
  const [ours, theirs] = [await newPlace(), await newPlace()];
  const second = (await call(theirs.key, 'POST', '/v1/indexes', { name: 'second' })).body.id;
  const ids = {
    crawl: (await call(theirs.key, 'POST', `${theirs.at}/crawl-jobs`, { url: 'https://site.invalid' })).body.id,
    connection: (await call(theirs.key, 'POST', `${theirs.at}/connectors/custom-api`, customApi)).body.id,
  };
  const answerOf = async (caller: typeof ours.key, [method, path, body]: readonly [string, string, object?]) => {
    const answer = await call(caller, method, path, body);
    const { request_id: _, ...rest } = answer.body;
    return { status: answer.status, ...rest };
  };
  const gone = (what: string) => ({ status: 404, detail: `${what} not found`, code: 'not_found' });
  for (const [caller, index] of [
    [ours.key, theirs.index],
    [ours.key, `idx_${'0'.repeat(26)}`],
  ] as const) {
    const at = `/v1/indexes/${index}`;
    for (const request of [...callsUnder(at), ...callsOn(at, ids)])
      assert.deepEqual(await answerOf(caller, request), gone('Index'), `${request[0]} ${request[1]}`);
  }
  for (const [caller, at, named] of [
    [ours.key, ours.at, ids],
    [ours.key, ours.at, absentIds],
    [theirs.key, `/v1/indexes/${second}`, ids],
  ] as const) {
    for (const request of callsOn(at, named))
      assert.deepEqual(
        await answerOf(caller, request),
        gone(request[1].includes('/crawl-jobs/') ? 'Crawl job' : 'Connector'),
        `${request[0]} ${request[1]}`,
      );
  }
  assert.equal((await itemsOf('secrets', theirs.index)).length, 1);
  assert.equal((await call(theirs.key, 'GET', `${theirs.at}/connectors`)).body.connectors[0].id, ids.connection);
  assert.equal((await call(theirs.key, 'DELETE', theirs.at)).status, 204);
  for (const request of [...callsUnder(theirs.at), ...callsOn(theirs.at, ids)])
    assert.deepEqual(
      await answerOf(theirs.key, request),
      gone('Index'),
      `after its deletion: ${request[0]} ${request[1]}`,
    );
});

test('a key with read permission can only read, and a key of another index has no access', async () => {
  const { key, index, at } = await newPlace();
  const other = (await call(key, 'POST', '/v1/indexes', { name: 'other' })).body.id;
  const keyWith = async (body: object) => ({
    baseUrl,
    bearer: (await call(key, 'POST', '/v1/api-keys', { name: 'narrow', ...body })).body.token as string,
  });
  const reader = await keyWith({ permissions: ['read'], index_ids: [index] });
  const stranger = await keyWith({ index_ids: [other] });
  for (const [method, path, body] of [...callsUnder(at), ...callsOn(at, absentIds)]) {
    const asReader = await call(reader, method, path, body);
    if (method === 'GET') assert.ok([200, 404].includes(asReader.status));
    else assert.deepEqual(refusal(asReader), [403, 'write_permission_required'], path);
    assert.deepEqual(refusal(await call(stranger, method, path, body)), [403, 'index_not_allowed'], path);
  }
});

test('no response contains a credential, and stored ones are decrypted only with a key that is stored elsewhere', async () => {
  const { key, index, at, partition } = await newPlace();
  const answers = [];
  for (const [path, body] of [
    ['imports', { provider: 'aws_s3', uri: 's3://bucket/key', credentials: accessKeys }],
    ['imports', { provider: 'gcs', uri: 'gs://bucket/key', credentials: serviceAccount }],
    [
      'imports',
      {
        provider: 'azure_blob',
        uri: 'https://account.blob.core.windows.net/docs/key',
        credentials: { sas_token: `sv=1&sig=${secret}` },
      },
    ],
    ['connectors', { provider: 'notion', credentials: { token: secret } }],
    ['connectors/custom-api', customApi],
    ['connectors/custom-api', { ...customApi, auth: { type: 'basic', username: 'user', password: secret } }],
    ['connectors/custom-api', { ...customApi, auth: { type: 'header', name: 'x-api-key', value: secret } }],
    // A body that is refused shows nothing of it either.
    ['imports', { provider: 'aws_s3', uri: 's3://bucket/key', credentials: { ...accessKeys, role_arn: secret } }],
    ['connectors', { provider: 'gmail', credentials: { ...serviceAccount, private_key: `${secret} ` } }],
    ['connectors/custom-api', { ...customApi, base_url: `https://user:${secret}@example.com` }],
  ] as const) {
    answers.push(await call(key, 'POST', `${at}/${path}`, body));
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202, 201, 201, 201, 201, 422, 422, 422],
  );
  for (const path of ['connectors', 'files', 'crawl-jobs']) answers.push(await call(key, 'GET', `${at}/${path}`));
  const records = [...(await itemsOf('imports', index)), ...(await itemsOf('connectors', index))];
  const jobs = await itemsOf('files', index);
  assert.equal(records.length, 7);
  const known = [secret, keyLine, 'api.example.com'];
  for (const text of [...answers.map(({ body }) => body), ...records, ...jobs].map((value) => JSON.stringify(value)))
    for (const word of known) assert.ok(!text.includes(word), text);
  const keys = new Map((await itemsOf('secrets', index)).map((item) => [item['sk'], item]));
  assert.equal(keys.size, 7);
  for (const record of records) {
    const item = keys.get(record['sk']);
    assert.equal(item?.['pk'], partition);
    const isImport = 'credentials' in record;
    assert.equal(typeof item?.['expires_at_epoch'], isImport ? 'number' : 'undefined');
    const context = isImport
      ? { pk: partition, sk: record['sk'] }
      : { organizationId: partition.split('#')[1], indexId: index, connectionId: record['sk'] };
    const sealed = String(record[isImport ? 'credentials' : 'source']);
    const opened = unseal(sealed, Buffer.from(String(item?.['key']), 'base64'), JSON.stringify(context));
    assert.ok(known.some((word) => opened.includes(word)));
  }
});

test('a repeated creation with one Idempotency-Key creates one resource with its credential', async () => {
  const { key, index, at } = await newPlace();
  const file = { provider: 'aws_s3', uri: 's3://bucket/key', credentials: accessKeys };
  for (const [path, body, table, status, change] of [
    ['imports', file, 'files', 202, { filename: 'x' }],
    ['crawl-jobs', { url: 'https://site.invalid' }, 'crawls', 201, { page_limit: 3 }],
    ['connectors', { provider: 'notion', credentials: { token: secret } }, 'connectors', 201, { name: 'x' }],
    ['connectors/custom-api', customApi, 'connectors', 201, { name: 'x' }],
  ] as const) {
    const before = (await itemsOf(table, index)).length;
    const headers = { 'idempotency-key': `one-${path}` };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(key, 'POST', `${at}/${path}`, body, headers)),
    );
    for (const answer of answers) assert.deepEqual([answer.status, answer.body], [status, answers[0]?.body], path);
    assert.equal((await itemsOf(table, index)).length, before + 1, path);
    const changed = await call(key, 'POST', `${at}/${path}`, { ...body, ...change }, headers);
    assert.deepEqual(refusal(changed), [409, 'idempotency_conflict']);
  }
  assert.equal((await itemsOf('secrets', index)).length, 3);
});

type Problem = readonly [place: string, type: string];

const pattern = 'string_pattern_mismatch';
const url = (address: unknown): Problem[] => [['url', typeof address === 'string' ? 'value_error' : 'string_type']];
const s3 = { provider: 'aws_s3', uri: 's3://bucket/key' };
const withKeys = (credentials: unknown) => ({ ...s3, credentials });
const withAuth = (auth: unknown) => ({ ...customApi, auth });
const withList = (list: object) => ({ ...customApi, list: { ...customApi.list, ...list } });
const withItem = (item: object) => ({ ...customApi, item: { ...customApi.item, ...item } });

/** Path below the index, body, and every problem: its place within the body and its type. */
const golden: readonly (readonly [string, unknown, readonly Problem[]])[] = [
  ['imports', {}, [['provider', 'missing'], ['uri', 'missing']]],
  ['imports', [], [['', 'model_attributes_type']]],
  ['imports', 'null', [['', 'missing']]],
  ['imports', { provider: 'ftp', uri: 1, metadata: [] }, [['provider', 'enum'], ['uri', 'string_type'], ['metadata', 'dict_type']]],
  ['imports', { ...s3, uri: '' }, [['uri', 'string_too_short']]],
  ['imports', { ...s3, uri: 'gs://bucket/key' }, [['uri', 'value_error']]],
  ['imports', { ...s3, uri: `s3://bucket/${'k'.repeat(4096)}` }, [['uri', 'string_too_long'], ['uri', 'value_error']]],
  ['imports', { ...s3, uri: `s3://bucket/${'k'.repeat(300)}` }, [['filename', 'value_error']]],
  ['imports', { ...s3, uri: 's3://bucket/a\u202eb' }, [['filename', 'value_error']]],
  ['imports', { ...s3, filename: '' }, [['filename', 'string_too_short']]],
  ['imports', { ...s3, filename: 'n'.repeat(256) }, [['filename', 'string_too_long']]],
  ['imports', { ...s3, filename: '../a' }, [['filename', 'value_error']]],
  ['imports', { ...s3, content_type: '' }, [['content_type', 'string_too_short']]],
  ['imports', { ...s3, content_type: 'pdf' }, [['content_type', 'value_error']]],
  ['imports', { ...s3, metadata: { big: 'x'.repeat(40_960) } }, [['metadata', 'value_error']]],
  ['imports', { ...s3, metadata: null }, [['metadata', 'dict_type']]],
  ['imports', withKeys('x'), [['credentials', 'model_attributes_type']]],
  ['imports', withKeys({}), [['credentials.access_key_id', 'missing'], ['credentials.secret_access_key', 'missing']]],
  ['imports', withKeys({ ...accessKeys, access_key_id: 'short' }), [['credentials.access_key_id', pattern]]],
  ['imports', withKeys({ ...accessKeys, session_token: 'a\nb' }), [['credentials.session_token', pattern]]],
  ['imports', withKeys({ role_arn: 'arn:aws:iam::1:role/x' }), [['credentials.role_arn', pattern]]],
  ['imports', withKeys({ role_arn: 'arn:aws:iam::123456789012:role/x', secret_access_key: 'x' }), [['credentials.secret_access_key', 'value_error']]],
  ['imports', { provider: 'gcs', uri: 'gs://bucket/key', credentials: { type: 'external_account', private_key: 'x' } }, [['credentials.client_email', 'missing'], ['credentials.private_key', pattern], ['credentials.type', 'enum']]],
  ['imports', { provider: 'gcs', uri: 'gs://bucket/key', credentials: { ...serviceAccount, private_key: damagedKey } }, [['credentials.private_key', 'value_error']]],
  ['imports', { provider: 'azure_blob', uri: 'https://account.blob.core.windows.net/docs/key', credentials: { sas_token: 'sv=1' } }, [['credentials.sas_token', 'value_error']]],
  ['crawl-jobs', {}, [['url', 'missing']]],
  ['crawl-jobs', { url: '', page_limit: 0, max_depth: -1 }, [['max_depth', 'greater_than_equal'], ['page_limit', 'greater_than_equal'], ['url', 'string_too_short']]],
  ['crawl-jobs', { url: null, page_limit: 1.5, max_depth: '1' }, [['max_depth', 'int_type'], ['page_limit', 'int_from_float'], ['url', 'string_type']]],
  ['crawl-jobs', { url: 'https://site.invalid', page_limit: true, max_depth: null }, [['max_depth', 'int_type'], ['page_limit', 'int_type']]],
  ['crawl-jobs', { url: `https://site.invalid/${'a'.repeat(2048)}` }, [['url', 'string_too_long']]],
  ...['ftp://example.com', 'http://u:p@example.com', 'http://127.1', 'http://[::ffff:7f00:1]/', 'http://169.254.169.254/', 'example.com', 7].map((address) => ['crawl-jobs', { url: address }, url(address)] as const),
  ['connectors', {}, [['provider', 'missing']]],
  ['connectors', { provider: 'custom_api', name: '' }, [['name', 'string_too_short'], ['provider', 'enum']]],
  ['connectors', { provider: 'notion', name: 'n'.repeat(256), credentials: { token: '' } }, [['credentials.token', 'string_too_short'], ['name', 'string_too_long']]],
  ['connectors', { provider: 'slack', credentials: { token: 'with space' } }, [['credentials.token', pattern]]],
  ['connectors', { provider: 'google_drive', credentials: {} }, [['credentials.type', 'missing']]],
  ['connectors', { provider: 'google_drive', credentials: { type: 'authorized_user', client_id: 'c' } }, [['credentials.client_secret', 'missing'], ['credentials.refresh_token', 'missing']]],
  ['connectors', { provider: 'google_drive', credentials: { ...serviceAccount, private_key: damagedKey } }, [['credentials.private_key', 'value_error']]],
  ['connectors', { provider: 'gmail', credentials: serviceAccount }, [['credentials.subject', 'missing']]],
  ['connectors', { provider: 'google_calendar', credentials: serviceAccount }, [['credentials.subject', 'missing']]],
  ['connectors/custom-api', {}, [['auth', 'missing'], ['base_url', 'missing'], ['item', 'missing'], ['list', 'missing'], ['name', 'missing']]],
  ...['http://api.example.com', 'https://localhost', 'https://10.0.0.1', 'https://api.example.com?a=b'].map((base_url) => ['connectors/custom-api', { ...customApi, base_url }, [['base_url', 'value_error']]] as const),
  ['connectors/custom-api', withAuth({ type: 'digest' }), [['auth.type', 'enum']]],
  ['connectors/custom-api', withAuth({ type: 'bearer' }), [['auth.token', 'missing']]],
  ['connectors/custom-api', withAuth({ type: 'basic', username: 'a:b', password: 'a\u0000' }), [['auth.password', pattern], ['auth.username', pattern]]],
  ['connectors/custom-api', withAuth({ type: 'header', name: 'Host', value: 'a\r\nb: c' }), [['auth.name', 'value_error'], ['auth.value', pattern]]],
  ['connectors/custom-api', withList({ path: '//evil.example', items: 'data', next: '/~2', method: 'DELETE' }), [['list.items', 'value_error'], ['list.method', 'enum'], ['list.next', 'value_error'], ['list.path', pattern]]],
  ['connectors/custom-api', withList({ path: '/a/%2E%2e/b', query: { a: 1 } }), [['list.path', 'value_error'], ['list.query.a', 'string_type']]],
  ['connectors/custom-api', withList({ path: '@evil.example' }), [['list.path', pattern]]],
  ['connectors/custom-api', withItem({ text: undefined, id: 5 }), [['item.id', 'string_type'], ['item.text', 'missing']]],
  ['connectors/custom-api', withItem({ text: null }), [['item.text', 'string_type']]],
  ['connectors/custom-api', withItem({ file_url: '/file' }), [['item.file_url', 'value_error']]],
  ...([[4, 'greater_than_equal'], [10_081, 'less_than_equal'], [7.5, 'int_from_float']] as const).map(([sync_interval_minutes, type]) => ['connectors/custom-api', { ...customApi, sync_interval_minutes }, [['sync_interval_minutes', type]]] as const),
]; // prettier-ignore

const scopeGolden: readonly (readonly [unknown, readonly Problem[]])[] = [
  [{ folders: 'f', files: null, folder_labels: [], slack_channels: [1, ''] }, [['files', 'list_type'], ['folder_labels', 'dict_type'], ['folders', 'list_type'], ['slack_channels.0', 'string_type'], ['slack_channels.1', 'string_too_short']]],
  [{ gmail_after: '2026-02-30', calendar_after: 'yesterday' }, [['calendar_after', 'datetime_from_date_parsing'], ['gmail_after', 'datetime_from_date_parsing']]],
  [{ gmail_after: 1, notion_labels: { a: 1 } }, [['gmail_after', 'string_type'], ['notion_labels.a', 'string_type']]],
  [{ folder_labels: { '': 'x' } }, [['folder_labels..[key]', 'string_too_short']]],
  [{ notion_pages: Array.from({ length: 1001 }, () => 'p') }, [['notion_pages', 'too_long']]],
  [{ files: Array.from({ length: 50 }, () => 'f'.repeat(1000)) }, [['', 'value_error']]],
  [[], [['', 'model_attributes_type']]],
]; // prettier-ignore

/** Places and types of the problems of a 422, sorted; two places differ in the first place. */
const problemsOf = (answer: ApiAnswer): readonly Problem[] => {
  assert.equal(answer.status, 422, JSON.stringify(answer.body));
  const problems = answer.body.detail.map(({ loc: [place, ...path], type }: { loc: unknown[]; type: string }) => {
    assert.equal(place, 'body');
    return [path.join('.'), type] as const;
  });
  return sorted(problems);
};

const sorted = (problems: readonly Problem[]): readonly Problem[] =>
  problems.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

test('an invalid body is refused with all its problems, in the wording of the contract', async () => {
  const { key, at } = await newPlace();
  for (const [path, body, expected] of golden) {
    assert.deepEqual(
      problemsOf(await call(key, 'POST', `${at}/${path}`, body)),
      sorted(expected),
      `${path} ${JSON.stringify(body).slice(0, 300)}`,
    );
  }
  const { id } = (await call(key, 'POST', `${at}/connectors/custom-api`, customApi)).body;
  for (const [body, expected] of scopeGolden)
    assert.deepEqual(
      problemsOf(await call(key, 'PUT', `${at}/connectors/${id}/scope`, body)),
      sorted(expected),
      JSON.stringify(body).slice(0, 300),
    );
  assert.deepEqual((await call(key, 'GET', `${at}/crawl-jobs`)).body, []);
  assert.deepEqual((await call(key, 'GET', `${at}/files`)).body, []);
});
