import { randomUUID } from 'node:crypto';
import { type QueueName, queues } from '../../shared/kernel/names.ts';
import type { Cloud } from '../support/emulated-cloud.ts';

/** Queued message; a queue may deliver the same message more than once. */
export interface QueueMessage {
  readonly messageId: string;
  readonly queue: QueueName;
  readonly body: unknown;
  /** Message group; null on queues without order. */
  readonly groupId: string | null;
  /** Number of deliveries. */
  receives: number;
  /** Time of the first delivery; null before. */
  firstReceivedMs: number | null;
  /** Time before which it is not delivered. */
  visibleMs: number;
  inFlight: boolean;
}

const deduplicationMs = 5 * 60_000;

/**
 * Messages of the emulated queues under the clock of the test, delivered in the least favourable way that a queue
 * allows.
 */
export class FakeQueues {
  readonly queueMessages: QueueMessage[] = [];
  /** All messages ever sent. */
  readonly sent: QueueMessage[] = [];
  private readonly cloud: Cloud;
  private readonly seen = new Map<string, number>();

  constructor(cloud: Cloud) {
    this.cloud = cloud;
  }

  nowMs(): number {
    return this.cloud.runtime.clock.now().getTime();
  }

  /** Collects the messages sent since the last call. */
  collect(): void {
    for (const queue of Object.keys(queues) as QueueName[]) {
      for (const { body, delayMs, deduplicationId, groupId } of this.cloud.take(queue)) {
        if (deduplicationId !== null && this.isRepeat(`${queue} ${deduplicationId}`)) continue;
        this.post({ queue, body, groupId: queues[queue].fifo ? groupId : null }, delayMs);
      }
    }
  }

  private isRepeat(key: string): boolean {
    const first = this.seen.get(key);
    if (first !== undefined && this.nowMs() - first < deduplicationMs) return true;
    this.seen.set(key, this.nowMs());
    return false;
  }

  private post(queueMessage: Pick<QueueMessage, 'queue' | 'body' | 'groupId'>, delayMs: number): void {
    const posted: QueueMessage = {
      ...queueMessage,
      messageId: randomUUID(),
      receives: 0,
      firstReceivedMs: null,
      visibleMs: this.nowMs() + delayMs,
      inFlight: false,
    };
    this.queueMessages.push(posted);
    this.sent.push(posted);
  }

  /** Adds a duplicate delivery of a message. */
  duplicate({ queue, body, groupId }: QueueMessage): void {
    this.queueMessages.push({
      messageId: randomUUID(),
      queue,
      body,
      groupId,
      receives: 0,
      firstReceivedMs: null,
      visibleMs: this.nowMs(),
      inFlight: false,
    });
  }

  /** Messages that can be delivered by `untilMs`; of an ordered group only its head, while it is not in flight. */
  ready(untilMs = this.nowMs()): readonly QueueMessage[] {
    const blocked = new Set<string>();
    return this.queueMessages.filter((queueMessage) => {
      const free = !queueMessage.inFlight && queueMessage.visibleMs <= untilMs;
      if (queueMessage.groupId === null) return free;
      const group = `${queueMessage.queue} ${queueMessage.groupId}`;
      const first = !blocked.has(group);
      blocked.add(group);
      return free && first;
    });
  }

  /** Messages that are delivered with the head of their group, in order. */
  batch(head: QueueMessage, most: number): readonly QueueMessage[] {
    const same = this.queueMessages.filter(
      ({ queue, groupId, inFlight }) => queue === head.queue && groupId === head.groupId && !inFlight,
    );
    const from = same.slice(same.indexOf(head));
    return from.filter(({ visibleMs }) => visibleMs <= Math.max(head.visibleMs, this.nowMs())).slice(0, most);
  }

  remove(queueMessage: QueueMessage): void {
    const at = this.queueMessages.indexOf(queueMessage);
    if (at >= 0) this.queueMessages.splice(at, 1);
  }

  /** Time at which the next message can be delivered; null if none waits. */
  nextMs(): number | null {
    const waiting = this.ready(Infinity).map(({ visibleMs }) => visibleMs);
    return waiting.length === 0 ? null : Math.min(...waiting);
  }
}
