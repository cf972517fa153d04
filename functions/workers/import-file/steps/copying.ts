import type { Deps } from '../../../../shared/kernel/capability.ts';
import type { Run } from '../../../../shared/pipeline/worker.ts';
import type { importFileUses } from '../uses.ts';

/** One run of the worker. */
export interface Copying {
  readonly deps: Deps<typeof importFileUses>;
  readonly run: Run;
}
