import { eventsRead, relaySend, sweepOutbox } from '../../../shared/events/index.ts';
import { allSettled } from '../../../shared/kernel/all-settled.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';
import { deliveriesRead, deliverSend, replaysWrite } from '../../../shared/webhooks/index.ts';

const outboxLimit = 500;
const hintLimit = 1_000;
/** Retries after more than a quarter of an hour all come this way: as many as are sent out before the next sweep. */
const deliveryLimit = 2_500;

/** Picks up what inline work and queues have dropped: every part is safe beside the work that it repeats. */
export const sweep = schedule({
  id: 'sweep',
  summary: 'Finds events and deliveries that wait, and sets them going again',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses: {
    indexes: sweepOutbox('indexes'),
    files: sweepOutbox('files'),
    exports: sweepOutbox('exports'),
    webhooks: sweepOutbox('webhooks'),
    events: eventsRead,
    relays: relaySend,
    deliveries: deliveriesRead,
    replays: replaysWrite,
    attempts: deliverSend,
  },
  handle: async ({ deps, run }) => {
    const now = run.clock.now();
    const parts = [
      deps.indexes.sweep(now, outboxLimit),
      deps.files.sweep(now, outboxLimit),
      deps.exports.sweep(now, outboxLimit),
      deps.webhooks.sweep(now, outboxLimit),
      deps.events.overdue(now, hintLimit).then((events) => deps.relays.send(events)),
      deps.deliveries.overdue(now, deliveryLimit).then((deliveries) => deps.attempts.send(deliveries)),
      deps.replays.overdue(now, hintLimit).then((replays) => deps.replays.enqueue(replays)),
    ];
    await allSettled(parts, 'the sweep is incomplete');
  },
});
