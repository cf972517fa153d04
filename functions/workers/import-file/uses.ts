import { exportsRead } from '../../../shared/exports/index.ts';
import { recordEvents } from '../../../shared/events/index.ts';
import { filesWrite } from '../../../shared/files/index.ts';
import { importsCopy, importsSend } from '../../../shared/imports/index.ts';
import { logSend } from '../../../shared/indexes/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { contentReader, contentWriter, exportCopy } from '../../../shared/platform/aws/content.ts';
import { partUploader } from '../../../shared/platform/aws/upload-parts.ts';
import { objectSources } from '../../../shared/platform/object-sources/capability.ts';
import { storedCredentialsOpen } from '../../../shared/source-credentials/index.ts';
import { originalAllowance } from '../../../shared/usage/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';

export const importFileUses = {
  imports: importsCopy,
  queue: importsSend,
  files: filesWrite,
  organizations: organizationsRead,
  sources: objectSources,
  storedCredentials: storedCredentialsOpen,
  exports: exportsRead,
  exported: exportCopy,
  content: contentReader('uploads'),
  stored: contentWriter({ puts: ['uploads'] }),
  parts: partUploader,
  originals: originalAllowance,
  events: recordEvents('files'),
  log: logSend,
};

/** Dependencies and run of an invocation. */
export type ImportContext = RunContext<typeof importFileUses>;
