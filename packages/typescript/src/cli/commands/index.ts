import type { Command } from '../command.ts';
import { alias } from './alias.ts';
import { branch } from './branch.ts';
import { completion } from './completion.ts';
import { crawl } from './crawl.ts';
import { doctor } from './doctor.ts';
import { erase } from './erase.ts';
import { evaluate } from './eval.ts';
import { events } from './events.ts';
import { exportRows } from './export.ts';
import { files } from './files.ts';
import { goldenSet } from './golden-set.ts';
import { importRows } from './import.ts';
import { index } from './indexes.ts';
import { jobs } from './jobs.ts';
import { keys } from './keys.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { push } from './push.ts';
import { rebuild } from './rebuild.ts';
import { search } from './search.ts';
import { sourceCredentials } from './source-credentials.ts';
import { usage } from './usage.ts';
import { versions } from './versions.ts';

/** Commands by name. */
export const commands: Readonly<Record<string, Command>> = {
  login,
  logout,
  index,
  alias,
  branch,
  push,
  search,
  jobs,
  files,
  crawl,
  'source-credentials': sourceCredentials,
  events,
  export: exportRows,
  import: importRows,
  rebuild,
  'golden-set': goldenSet,
  eval: evaluate,
  versions,
  erase,
  keys,
  usage,
  doctor,
  completion: completion((): typeof commands => commands),
};
