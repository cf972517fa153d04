import assert from 'node:assert/strict';
import { deliver } from '../../../functions/workers/deliver/worker.ts';
import { relay } from '../../../functions/workers/relay/worker.ts';
import { sweep } from '../../../functions/workers/sweep/schedule.ts';
import type { Item } from '../../../shared/db/contracts.ts';
import { openTable } from '../../../shared/db/table.ts';
import { type EventType, fillSlot, indexCreated, indexUpdated, recordEvents } from '../../../shared/events/index.ts';
import { makeDeps } from '../../../shared/kernel/capability.ts';
import { newId } from '../../../shared/kernel/ids.ts';
import type { Cloud } from '../../support/emulated-cloud.ts';
import { postToReceiver } from './receiver.ts';

export const newOrganization = (): string => newId('org', new Date());

/** Drives events through the functions of a test cloud. */
export const driveOf = (cloud: Cloud) => {
  const items = async (table: 'events' | 'webhooks', pk: string): Promise<Item[]> => {
    const all: Item[] = [];
    for await (const item of openTable(cloud.runtime, table).all(pk)) all.push(item);
    return all;
  };

  /** Records one event of an index, whose relay is due. Returns its id. */
  const record = async (organizationId: string, type: EventType = 'index.created'): Promise<string> => {
    const indexes = openTable(cloud.runtime, 'indexes');
    const index = { id: newId('idx', new Date()), name: 'docs', region: 'us-east-1' };
    const origin = { organizationId, at: cloud.runtime.clock.now() };
    const event =
      type === 'index.created'
        ? indexCreated({ ...origin, index: { ...index, dimensions: 8 } })
        : indexUpdated({ ...origin, index });
    const set = fillSlot(type === 'index.created' ? 'created' : 'updated', event);
    const item = await indexes.update({ pk: `ORG#${organizationId}`, sk: index.id }, { set });
    assert.ok(item !== null);
    assert.ok(
      await makeDeps({ recorder: recordEvents('indexes') }, cloud.runtime).recorder.flush(organizationId, item),
    );
    return event.id;
  };

  /** Records one event of an index and relays it. Its deliveries are due. Returns its id. */
  const emit = async (organizationId: string, type?: EventType): Promise<string> => {
    const id = await record(organizationId, type);
    await cloud.drain(relay);
    return id;
  };

  /** Makes all due attempts. */
  const attempt = () => cloud.drain(deliver, { ...makeDeps(deliver.uses, cloud.runtime), post: postToReceiver });

  /** Advances the clock and drops all messages, so that only the sweep finds due work. */
  const later = async (seconds: number): Promise<void> => {
    cloud.advance(seconds);
    await cloud.purge('deliver');
    await cloud.tick(sweep);
    await attempt();
  };

  return {
    record,
    emit,
    attempt,
    later,
    deliveriesOf: (organizationId: string, endpointId: string) =>
      items('webhooks', `ORG#${organizationId}#ENDPOINT#${endpointId}`),
    eventsOf: (organizationId: string) => items('events', `ORG#${organizationId}`),
  };
};
