import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listFiles } from '../../functions/files/list.ts';
import { filesWrite, type JobRecord } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { answerOf, machine } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putReadyIndex } from '../support/ready-index.ts';
import { textJob } from '../support/text-job.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

test('a bound caller finds its files behind any number of others, in pages whose cursors name no file of others', async () => {
  const { runtime } = cloud;
  const caller = machine(newId('org', runtime.clock.now()));
  const { organizationId } = caller;
  const indexId = await putReadyIndex(runtime, organizationId);
  const { files } = makeDeps({ files: filesWrite }, runtime);
  const put = async (metadata: JobRecord['metadata']): Promise<string> => {
    cloud.advance(1);
    const job = { ...textJob(runtime.clock.now(), { organizationId, indexId }), metadata };
    await files.add(job);
    return job.id;
  };
  // More bytes than one request filters.
  const padding = 'x'.repeat(39_000);
  const others: string[] = [];
  const own = [await put({ tenant: 'acme' })];
  for (let at = 0; at < 1_000; at += 1) others.push(await put({ tenant: 'beta', padding }));
  own.unshift(await put({ tenant: 'acme' }));
  const bound = { ...caller, bounds: { filter: { tenant: 'acme' }, idPrefix: null } };
  const found: string[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const query: Record<string, string> = { limit: '10', ...(cursor === undefined ? {} : { cursor }) };
    const { statusCode, body, headers } = await answerOf(runtime, listFiles, bound, {
      path: { index_id: indexId },
      query,
    });
    assert.equal(statusCode, 200, body);
    const ids = (JSON.parse(body) as readonly { readonly id: string }[]).map(({ id }) => id);
    found.push(...ids);
    pages.push(ids.length);
    cursor = headers['x-next-cursor'];
    const shown = Buffer.from(cursor ?? '', 'base64url').toString();
    assert.ok(!others.some((id) => shown.includes(id)), shown);
  } while (cursor !== undefined);
  assert.deepEqual(found, own);
  assert.ok(pages.length >= 3 && pages.length <= 6, String(pages));
  const first = await answerOf(runtime, listFiles, bound, { path: { index_id: indexId } });
  const next = { cursor: first.headers['x-next-cursor'] ?? '' };
  const other = { ...bound, subjectId: 'key_other' };
  const answer = await answerOf(runtime, listFiles, other, { path: { index_id: indexId }, query: next });
  assert.equal(answer.statusCode, 422, answer.body);
});
