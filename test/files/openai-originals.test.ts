import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { openaiFiles, openaiUploads, type Upload, uploadsSweep } from '../../shared/openai-files/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { changeLimits } from '../support/plan-limits.ts';

const directory = await mkdtemp(join(tmpdir(), 'strata-openai-originals-'));
const cloud = new Cloud(directory);
before(() => cloud.start());
after(async () => {
  await cloud.stop();
  await rm(directory, { recursive: true, force: true });
});

const { runtime } = cloud;
const { files, uploads, sweep } = makeDeps(
  { files: openaiFiles, uploads: openaiUploads, sweep: uploadsSweep },
  runtime,
);

const newOrganization = () => {
  const organizationId = newId('org', runtime.clock.now());
  const known = {
    organizationId,
    filename: 'a.txt',
    contentType: 'text/plain',
    purpose: 'assistants',
    restrictedTo: null,
  };
  return {
    organizationId,
    create: async (sizeBytes: number, id = newId('file', runtime.clock.now())): Promise<string> => {
      const file = { ...known, id, sizeBytes, isStored: true, deletingAt: null };
      await files.create(file, new Uint8Array(sizeBytes), 'developer');
      return id;
    },
    begin: async (sizeBytes: number): Promise<Upload> => {
      const now = runtime.clock.now();
      const expiresAt = new Date(now.getTime() + 3_600_000).toISOString();
      const ids = { id: newId('upload', now), fileId: newId('file', now) };
      const upload = { ...known, ...ids, sizeBytes, status: 'pending', expiresAt } as const;
      await uploads.create(upload, 'developer');
      return upload;
    },
    remove: async (id: string): Promise<void> => {
      const file = (await files.get(organizationId, id)) ?? assert.fail();
      const marked = (await files.startRemoval(file, runtime.clock.now())) ?? assert.fail();
      await files.remove(marked);
    },
    total: async () => {
      const total = await openTable(runtime, 'usage').get({ pk: `ORIGINALS#${organizationId}`, sk: 'TOTAL' });
      return [total?.['bytes'] ?? 0, total?.['originals'] ?? 0];
    },
  };
};

const isLimit = (error: unknown): boolean => error instanceof AppError && error.code === 'plan_limit_reached';

describe('originals of the OpenAI API', { concurrency: false }, () => {
  it('a file counts from its creation to its deletion, and the limit refuses it before it is stored', async (context) => {
    changeLimits(context)({ original_bytes: 10 });
    const { create, remove, total, organizationId } = newOrganization();
    const id = await create(8);
    await assert.rejects(create(3), isLimit);
    assert.deepEqual(await total(), [8, 1]);
    const page = await files.list(organizationId, { after: null, limit: 10, newestFirst: true });
    assert.deepEqual(
      page.files.map((file) => file.id),
      [id],
    );
    await remove(id);
    assert.deepEqual(await total(), [0, 0]);
    await create(10);
  });

  it('an upload in parts counts once with its file, and no longer when it is cancelled', async (context) => {
    changeLimits(context)({ original_bytes: 10 });
    const { begin, create, total } = newOrganization();
    const [kept, dropped] = [await begin(6), await begin(4)];
    await assert.rejects(begin(1), isLimit);
    assert.equal(await uploads.cancel(dropped), true);
    assert.deepEqual(await total(), [6, 1]);
    assert.equal(await uploads.claim(kept, runtime.clock.now()), true);
    await create(6, kept.fileId);
    await uploads.finish(kept);
    assert.deepEqual(await total(), [6, 1]);
  });

  it('an upload that expires is released with its parts, unless its file is stored', async () => {
    const { begin, create, total, organizationId } = newOrganization();
    const [abandoned, interrupted] = [await begin(6), await begin(4)];
    const partId = newId('part', runtime.clock.now());
    assert.equal(await uploads.addPart(abandoned, partId, new Uint8Array(5)), true);
    assert.equal(await uploads.claim(interrupted, runtime.clock.now()), true);
    await create(4, interrupted.fileId);
    const expire = async (): Promise<void> => {
      for (const key of await sweep.overdue(runtime.clock.now(), 100)) await sweep.expire(key);
    };
    cloud.advance(3_700);
    await expire();
    assert.deepEqual(await total(), [10, 2], 'a request that began in time may still complete it');
    cloud.advance(3_700);
    for (const _ of ['once', 'again']) await expire();
    assert.deepEqual(await total(), [4, 1]);
    const statusOf = async ({ id }: Upload) => (await uploads.get(organizationId, id))?.status;
    assert.deepEqual([await statusOf(abandoned), await statusOf(interrupted)], ['expired', 'completed']);
    assert.equal(await uploads.readPart(abandoned, partId), null);
    assert.equal(await uploads.addPart(abandoned, newId('part', runtime.clock.now()), new Uint8Array(1)), false);
  });
});
