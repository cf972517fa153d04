import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createConnector } from '../../functions/connectors/create.ts';
import { createCrawlJob } from '../../functions/crawls/create.ts';
import { createImport } from '../../functions/imports/create.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { sweepIndexes } from '../../functions/workers/sweep-files/steps/sweep-indexes.ts';
import { credentialStore } from '../../shared/connectors/index.ts';
import { crawlsErase, crawlsWrite, crawlStore } from '../../shared/crawls/index.ts';
import { documentsWrite } from '../../shared/documents/index.ts';
import { evaluationsWrite } from '../../shared/evaluations/index.ts';
import { recordEvents } from '../../shared/events/index.ts';
import { filesWrite } from '../../shared/files/index.ts';
import { type IndexRecord, indexesWrite, logSend } from '../../shared/indexes/index.ts';
import { originalAllowance } from '../../shared/usage/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import type { TableName } from '../../shared/kernel/names.ts';
import { contentWriter } from '../../shared/platform/aws/content.ts';
import { liveBefore } from './life.ts';
import { TestApp } from './test-app.ts';

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());
beforeEach(() => app.reset());

/** Deletes the index, and removes all that belongs to it by now. */
const drop = async (): Promise<void> => {
  await app.call(deleteIndex, { index_id: app.indexId });
  await app.work(['log', 'deletions']);
};

/** What is kept of the index, by table. */
const kept = async (): Promise<Readonly<Record<string, number>>> => {
  const { organizationId } = app.owner;
  const ofIndex = `${organizationId}#${app.indexId}`;
  const partitions: readonly (readonly [TableName, string])[] = [
    ['files', `INDEX#${ofIndex}`],
    ['files', `ENDS#${ofIndex}`],
    ['imports', `INDEX#${ofIndex}`],
    ['crawls', `INDEX#${ofIndex}`],
    ['crawls', `SITE#${ofIndex}#example.com`],
    ['documents', `SOURCE#${ofIndex}#web-example.com`],
    ['connectors', `INDEX#${ofIndex}`],
    ['secrets', `INDEX#${ofIndex}`],
    ['indexes', `LIFECYCLE#${organizationId}`],
  ];
  const found: Record<string, number> = {};
  for (const [table, partition] of partitions) {
    const { length } = await app.items(table, partition);
    if (length > 0) found[table] = (found[table] ?? 0) + length;
  }
  const objects = await app.objects(`uploads/${organizationId}/`);
  return objects.length === 0 ? found : { ...found, objects: objects.length };
};

const spec = { pages: 1, texts: { 1: 'a note' }, pictures: {}, broken: null };
const keys = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMIK7MDENGbPxRfiCY' };

/** What callers store for an index besides uploads, and what is kept of it then. */
const stores = {
  connector: {
    endpoint: createConnector,
    body: { provider: 'slack', name: 'late', credentials: { token: 'xoxb-0123456789' } },
    late: { connectors: 1, secrets: 1 },
  },
  crawl: { endpoint: createCrawlJob, body: { url: 'https://example.com/' }, late: { crawls: 1 } },
  import: {
    endpoint: createImport,
    body: { provider: 'aws_s3', uri: 's3://theirs/a.txt', credentials: keys },
    late: { files: 1, imports: 1, secrets: 1 },
  },
} as const;

/** Stores one of them; its message is lost. */
const store = async (name: keyof typeof stores, indexId = app.indexId): Promise<void> => {
  const { endpoint, body } = stores[name];
  await app.call(endpoint, { index_id: indexId }, body);
  app.fakeQueues.collect();
  const { queueMessages } = app.fakeQueues;
  for (const queueMessage of queueMessages.filter(({ queue }) => queue === 'crawl' || queue === 'imports'))
    app.fakeQueues.remove(queueMessage);
};

describe('records stored for an index during its deletion', { concurrency: false, timeout: 120_000 }, () => {
  for (const name of ['connector', 'crawl', 'import'] as const) {
    it(`a record with credentials stored after the deletion of its index is deleted: ${name}`, async () => {
      await liveBefore(`PutItem test-${name}s`, drop, () => store(name));
      assert.deepEqual(await kept(), { ...stores[name].late, indexes: 1 });
      // Before the sweep checks an import whose message was lost.
      app.cloud.advance(40 * 60);
      await app.tick(sweepFiles);
      await app.settle();
      assert.deepEqual(await kept(), {});
    });
  }

  it('a job with its file stored after the deletion of its index is deleted', async () => {
    const upload = await liveBefore('PutItem test-files', drop, () => app.begin(spec));
    await app.store(upload);
    await app.work();
    assert.equal((await app.job(upload.address))?.status, 'cancelled');
    assert.deepEqual(await kept(), { files: 2, indexes: 1, objects: 1 });
    await app.settle();
    assert.deepEqual(await kept(), {});
  });

  /** A branch that is still being made, with a connector. */
  const addBranch = async (parent: IndexRecord): Promise<string> => {
    const { indexes } = makeDeps({ indexes: indexesWrite }, app.runtime);
    const now = app.runtime.clock.now();
    const id = newId('idx', now);
    const branch = {
      ...parent,
      id,
      status: 'creating',
      parentIndexId: parent.id,
      createdAt: now.toISOString(),
    } as const;
    await indexes.add(branch, 100);
    await store('connector', id);
    return id;
  };

  it('records of a branch that could not be created are deleted', async () => {
    const parent = await app.index();
    const id = await addBranch(parent);
    await app.call(deleteIndex, { index_id: parent.id });
    // It is refused long after its note was due.
    app.cloud.advance(3600);
    await makeDeps({ log: logSend }, app.runtime).log.append(parent, { op: 'branch', branch_id: id });
    await app.work();
    Object.assign(app, { indexId: id });
    await app.tick(sweepFiles);
    assert.deepEqual(await kept(), { connectors: 1, secrets: 1, indexes: 1 }, 'more may be on its way');
    await app.settle();
    assert.deepEqual(await kept(), {});
  });

  it('records that a run of a crawl stores after the deletion of its index are deleted', async () => {
    const { crawls, documents, work } = makeDeps(
      { crawls: crawlsWrite, documents: documentsWrite, work: crawlStore },
      app.runtime,
    );
    await store('crawl');
    const { organizationId } = app.owner;
    const owner = { organizationId, indexId: app.indexId };
    const {
      crawls: [crawl],
    } = await crawls.list(organizationId, app.indexId, { limit: 1, after: null });
    const hold = { address: { ...owner, crawlId: crawl?.id ?? '' }, holder: 'run' };
    assert.ok((await work.claim(hold)) !== null);
    await drop();
    assert.equal(await work.update(hold, {}), null);
    const page = {
      url: 'https://example.com/',
      title: null,
      textHash: 'text',
      links: [],
      starts: new Map([['start', 0]]),
    };
    const file = { filename: 'page.html', contentType: 'text/html', etag: null, lastModified: null, canonical: null };
    await work.remember({ ...owner, site: 'example.com' }, { ...page, ...file, hash: 'page', depth: 0 });
    const document = {
      externalId: page.url,
      jobId: 'job',
      version: 'text',
      attempts: 1,
      generation: 1,
      title: null,
      url: null,
    };
    await documents.begin({ ...owner, sourceId: 'web-example.com' }, document, null);
    assert.deepEqual(await kept(), { crawls: 2, documents: 1, indexes: 1 });
    await app.settle();
    assert.deepEqual(await kept(), {});
  });

  it('records of an index that a repeated creation restores are kept', async () => {
    const kinds = {
      files: filesWrite,
      stored: contentWriter({ deletes: ['uploads', 'batches'] }),
      crawled: crawlsErase,
      connectors: credentialStore,
    };
    const uses = {
      ...kinds,
      evaluations: evaluationsWrite,
      indexes: indexesWrite,
      events: recordEvents('files'),
      log: logSend,
      originals: originalAllowance,
    };
    const deps = makeDeps(uses, app.runtime);
    const index = { ...(await app.index()), status: 'creating' } as const;
    await drop();
    const comeBack = async (): Promise<void> => {
      await deps.indexes.add(index, 100);
      for (const name of ['connector', 'crawl', 'import'] as const) await store(name);
    };
    app.cloud.advance(7200);
    await liveBefore('Query test-files', comeBack, () => sweepIndexes(deps, app.runtime.clock.now()));
    assert.deepEqual(await kept(), { files: 1, imports: 1, crawls: 1, connectors: 1, secrets: 2, indexes: 1 });
  });
});
