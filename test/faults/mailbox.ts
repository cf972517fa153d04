import { randomUUID } from 'node:crypto';
import { type QueueName, queues } from '../../shared/kernel/names.ts';
import type { Cloud } from '../support/emulated-cloud.ts';

/** One message on its way; a queue may hand out the same message more than once. */
export interface Letter {
  readonly messageId: string;
  readonly queue: QueueName;
  readonly body: unknown;
  /** What it is in order with; null on queues that keep none. */
  readonly groupId: string | null;
  /** How often it was handed out. */
  receives: number;
  /** When it was handed out first; null before. */
  firstReceivedMs: number | null;
  /** Not handed out before. */
  visibleMs: number;
  held: boolean;
}

const deduplicationMs = 5 * 60_000;

/** What the queues hold, under the clock of the test, to be handed out as a queue may do at worst. */
export class Mailbox {
  readonly letters: Letter[] = [];
  /** Everything that was ever sent. */
  readonly sent: Letter[] = [];
  private readonly cloud: Cloud;
  private readonly seen = new Map<string, number>();

  constructor(cloud: Cloud) {
    this.cloud = cloud;
  }

  nowMs(): number {
    return this.cloud.runtime.clock.now().getTime();
  }

  /** Takes in what has been sent since the last call. */
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

  private post(letter: Pick<Letter, 'queue' | 'body' | 'groupId'>, delayMs: number): void {
    const posted: Letter = {
      ...letter,
      messageId: randomUUID(),
      receives: 0,
      firstReceivedMs: null,
      visibleMs: this.nowMs() + delayMs,
      held: false,
    };
    this.letters.push(posted);
    this.sent.push(posted);
  }

  /** Hands a message out once more than it was sent. */
  duplicate({ queue, body, groupId }: Letter): void {
    this.letters.push({
      messageId: randomUUID(),
      queue,
      body,
      groupId,
      receives: 0,
      firstReceivedMs: null,
      visibleMs: this.nowMs(),
      held: false,
    });
  }

  /** What can be handed out by `untilMs`; of an ordered group its head alone, while nobody holds it. */
  ready(untilMs = this.nowMs()): readonly Letter[] {
    const blocked = new Set<string>();
    return this.letters.filter((letter) => {
      const free = !letter.held && letter.visibleMs <= untilMs;
      if (letter.groupId === null) return free;
      const group = `${letter.queue} ${letter.groupId}`;
      const first = !blocked.has(group);
      blocked.add(group);
      return free && first;
    });
  }

  /** The messages that are handed out along with the head of their group, in order. */
  batch(head: Letter, most: number): readonly Letter[] {
    const same = this.letters.filter(
      ({ queue, groupId, held }) => queue === head.queue && groupId === head.groupId && !held,
    );
    const from = same.slice(same.indexOf(head));
    return from.filter(({ visibleMs }) => visibleMs <= Math.max(head.visibleMs, this.nowMs())).slice(0, most);
  }

  remove(letter: Letter): void {
    const at = this.letters.indexOf(letter);
    if (at >= 0) this.letters.splice(at, 1);
  }

  /** When the next message can be handed out; null where none waits. */
  nextMs(): number | null {
    const waiting = this.ready(Infinity).map(({ visibleMs }) => visibleMs);
    return waiting.length === 0 ? null : Math.min(...waiting);
  }
}
