import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { HistoryEvent } from '../../schema.ts';
import { argument, type Call, type Command, manyRetries, textOption, UsageError } from '../command.ts';

const pollMs = 1_000;
const pageSize = 100;

/** Sends an event as the service does, signed by Standard Webhooks. Resolves to the status; 0 without a response. */
const forward = async (url: string, secret: string, { id, payload }: HistoryEvent): Promise<number> => {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'hook-id': id,
    'hook-timestamp': timestamp,
    'hook-signature': `v1,${signature}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' }).catch(() => null);
  await response?.body?.cancel();
  return response?.status ?? 0;
};

/** Events that are not in `seen`, oldest first. A page is read whole, because an event can be recorded late. */
const newEvents = async (call: Call, seen: Set<string>): Promise<readonly HistoryEvent[]> => {
  const found: HistoryEvent[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const params = { query: { limit: pageSize, offset } };
    const { events } = await call.client().get('/v1/organization/webhooks/events', { params });
    const unseen = events.filter(({ id }) => !seen.has(id));
    for (const event of unseen) seen.add(event.id);
    found.push(...unseen);
    if (unseen.length < pageSize) return found.toReversed();
  }
};

const listen = async (call: Call): Promise<void> => {
  const url = textOption(call, 'forward-to');
  if (url === undefined) throw new UsageError('Give --forward-to URL.');
  const secret = textOption(call, 'secret') ?? `whsec_${randomBytes(24).toString('base64')}`;
  const { events } = await call
    .client()
    .get('/v1/organization/webhooks/events', { params: { query: { limit: pageSize } } });
  const seen = new Set(events.map(({ id }) => id));
  call.print(
    { secret, forward_to: url },
    `Signing secret: ${secret}\nForwarding new events to ${url}. End with Ctrl-C.`,
  );
  for (;;) {
    for (const event of await newEvents(call, seen)) {
      const status = await forward(url, secret, event);
      const { id, event_type: type } = event;
      call.print({ id, type, status }, `${status === 0 ? 'no response' : status}  ${type}  ${id}`);
    }
    await setTimeout(pollMs);
  }
};

const replay = async (call: Call): Promise<void> => {
  const id = argument(call, 1, 'EVENT_ID');
  await call
    .client()
    .post('/v1/organization/webhooks/events/{event_id}/replay', { params: { path: { event_id: id } }, body: {} });
  call.print({ id }, `${id} is sent again to the endpoints that subscribe to it.`);
};

export const events: Command = {
  usage: 'events listen --forward-to URL [--secret S] | replay EVENT_ID',
  summary: 'forwards new events, signed, or sends one again; needs a session token',
  options: { 'forward-to': { type: 'string' }, secret: { type: 'string' } },
  subcommands: ['listen', 'replay'],
  retries: manyRetries,
  run: async (call) => {
    const action = argument(call, 0, 'The action');
    if (action === 'listen') return listen(call);
    if (action === 'replay') return replay(call);
    throw new UsageError('Give listen or replay.');
  },
};
