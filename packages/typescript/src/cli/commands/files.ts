import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileJobResponse } from '../../schema.ts';
import { argument, type Call, chooseAction, type Command, NotFoundError, UsageError } from '../command.ts';
import { isCompleted, listJobs, rowOf } from '../file-jobs.ts';

/** Finds a file by its name or the id of its job: of several jobs of one name, the newest whose content is in the index. */
const findFile = async (call: Call, nameOrId: string): Promise<FileJobResponse> => {
  const index_id = await call.indexId();
  if (nameOrId.startsWith('job_'))
    return call
      .client()
      .get('/v1/indexes/{index_id}/files/{job_id}', { params: { path: { index_id, job_id: nameOrId } } });
  const named = (await listJobs(call, index_id)).filter(({ filename }) => filename === nameOrId);
  const found = named.find(isCompleted) ?? named[0];
  if (found === undefined) throw new NotFoundError(`There is no file "${nameOrId}". \`strata files list\` lists them.`);
  return found;
};

const pathOf = async (call: Call) => ({
  index_id: await call.indexId(),
  job_id: (await findFile(call, argument(call, 1, 'FILE'))).id,
});

export const files: Command = {
  usage: 'files list | show FILE | text FILE | download FILE [PATH] | delete FILE',
  summary: 'lists the files of an index, or shows, reads, downloads or deletes one by its name or job id',
  options: {},
  ...chooseAction({
    list: async (call) => {
      for (const job of (await listJobs(call, await call.indexId())).filter(isCompleted)) call.print(job, rowOf(job));
    },
    show: async (call) => {
      const file = await findFile(call, argument(call, 1, 'FILE'));
      call.print(file, JSON.stringify(file, null, 2));
    },
    text: async (call) => {
      const path = await pathOf(call);
      const read = await call.client().get('/v1/indexes/{index_id}/files/{job_id}/text', { params: { path } });
      if (read.text == null && read.url == null) throw new NotFoundError('The text of this file was not stored.');
      const text = read.text ?? (await (await fetch(read.url ?? '')).text());
      call.print({ ...read, text }, text);
    },
    download: async (call) => {
      const file = await findFile(call, argument(call, 1, 'FILE'));
      const path = { index_id: await call.indexId(), job_id: file.id };
      const { url } = await call.client().get('/v1/indexes/{index_id}/files/{job_id}/download', { params: { path } });
      const to = call.args[2] ?? basename(file.filename);
      const { ok, status, body } = await fetch(url);
      if (!ok || body === null) throw new Error(`${file.filename} was refused with status ${status}`);
      // A file that exists is kept.
      await pipeline(Readable.fromWeb(body), createWriteStream(to, { flags: 'wx' })).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
          throw new UsageError(`"${to}" exists. Give another PATH.`);
        throw error;
      });
      call.print({ id: file.id, path: to }, to);
    },
    delete: async (call) => {
      const path = await pathOf(call);
      await call.client().delete('/v1/indexes/{index_id}/files/{job_id}', { params: { path } });
      call.print({ id: path.job_id }, `Deleted ${path.job_id}.`);
    },
  }),
};
