// Runs the import worker in this process until one import is done, as Lambda would, and prints what it took.
import process from 'node:process';
import { importFile } from '../../functions/workers/import-file/worker.ts';
import { filesWrite } from '../../shared/files/index.ts';
import { importsCopy } from '../../shared/imports/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { contentReader } from '../../shared/platform/aws/content.ts';
import { Cloud } from '../support/emulated-cloud.ts';

const [organizationId = '', indexId = '', jobId = '', gcsEndpoint = ''] = process.argv.slice(2);
const cloud = new Cloud();
const imports = { s3Endpoint: null, gcsEndpoint, azureEndpoint: null };
const runtime = { ...cloud.runtime, clock: systemClock, config: { ...cloud.runtime.config, imports } };
const message = { organization_id: organizationId, index_id: indexId, job_id: jobId };
const deps = makeDeps(importFile.uses, runtime);
const look = makeDeps({ files: filesWrite, imports: importsCopy, content: contentReader }, runtime);
const address = { organizationId, indexId, jobId };
const startedMs = performance.now();
let runs = 0;
while ((await look.imports.get(address)) !== null) {
  const deadlineMs = performance.now() + importFile.timeoutSeconds * 1000;
  const run = { ...cloud.run(), remainingMs: () => deadlineMs - performance.now() };
  await importFile.handle({ deliveries: [{ message, messageId: 'm', attempt: 1 }], deps, run });
  runs += 1;
}
const seconds = (performance.now() - startedMs) / 1000;
const job = await look.files.get(address);
const head = await look.content.head('us-east-1', job?.objectKey ?? '');
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(
  `${job?.status} ${job?.error ?? ''} ${head?.sizeBytes ?? 0} bytes in ${seconds.toFixed(0)} s and ${runs} runs, at most ${peakMb.toFixed(0)} MB of memory`,
);
process.exit(head === null ? 1 : 0);
