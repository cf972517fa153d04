import { filesWrite } from '../../shared/files/index.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { machine } from './call.ts';
import { putReadyIndex } from './ready-index.ts';
import { textJob } from './text-job.ts';

/** A stored job of a text file, in an index of an organization of its own, with a caller who may ask for it. */
export const putStoredJob = async (runtime: Runtime) => {
  const now = runtime.clock.now();
  const caller = machine(newId('org', now));
  const { organizationId } = caller;
  const indexId = await putReadyIndex(runtime, organizationId);
  const { files } = makeDeps({ files: filesWrite }, runtime);
  const job = textJob(now, { organizationId, indexId });
  await files.add(job);
  return { caller, indexId, files, job };
};
