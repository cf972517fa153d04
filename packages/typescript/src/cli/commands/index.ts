import type { Command } from '../command.ts';
import { alias } from './alias.ts';
import { completion } from './completion.ts';
import { doctor } from './doctor.ts';
import { events } from './events.ts';
import { exportRows } from './export.ts';
import { importRows } from './import.ts';
import { index } from './indexes.ts';
import { jobs } from './jobs.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { push } from './push.ts';
import { rebuild } from './rebuild.ts';
import { search } from './search.ts';

/** Commands by name. */
export const commands: Readonly<Record<string, Command>> = {
  login,
  logout,
  index,
  alias,
  push,
  search,
  jobs,
  events,
  export: exportRows,
  import: importRows,
  rebuild,
  doctor,
  completion: completion((): typeof commands => commands),
};
