import type { recordEvents } from '../../../../shared/events/index.ts';
import type { filesWrite } from '../../../../shared/files/index.ts';
import type { importsCopy, importsSend } from '../../../../shared/imports/index.ts';
import type { logSend } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import type { organizationsRead } from '../../../../shared/organizations/index.ts';
import type { Run } from '../../../../shared/pipeline/worker.ts';
import type { contentReader, contentWriter } from '../../../../shared/platform/aws/content.ts';
import type { partUploader } from '../../../../shared/platform/aws/upload-parts.ts';
import type { objectSources } from '../../../../shared/platform/object-sources/capability.ts';

type CopyDeps = Deps<{
  imports: typeof importsCopy;
  queue: typeof importsSend;
  files: typeof filesWrite;
  organizations: typeof organizationsRead;
  sources: typeof objectSources;
  content: typeof contentReader;
  stored: typeof contentWriter;
  parts: typeof partUploader;
  events: ReturnType<typeof recordEvents>;
  log: typeof logSend;
}>;

/** One run of the worker. */
export interface Copying {
  readonly deps: CopyDeps;
  readonly run: Run;
}
