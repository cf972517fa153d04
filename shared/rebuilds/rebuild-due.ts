import { dueBy } from '../db/due.ts';
import { laterBy } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';

/** Time until the sweep looks at a rebuild again. While its takeover can be undone, its former content follows that often. */
const everyMs = minuteMs;

/** Attributes of the note of a rebuild that the sweep looks at next. */
export const rebuildDue = (organizationId: string, from: Date) =>
  dueBy('rebuilds', organizationId, laterBy(from, everyMs));
