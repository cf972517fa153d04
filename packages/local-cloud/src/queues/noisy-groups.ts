import { minuteMs } from '../../../../shared/kernel/durations.ts';

/*
 * Measures of the message groups of a standard queue, by which SQS delivers messages of quiet groups before those of noisy
 * ones: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html
 */

/** Share of the messages in flight, or of the time that receivers spend on messages, above which a group is noisy … */
const noisyShare = 0.1;
/** … for the messages in flight only if the group has this many. */
const noisyInFlight = 30;
/** Half-life of the time that receivers spent. SQS documents it as "recent". */
const halfLifeMs = minuteMs;

/** A message that the queue could deliver. */
export interface Candidate {
  readonly sequence: number;
  readonly visibleAt: number;
}

interface Spent {
  readonly ms: number;
  readonly at: number;
}

/** The groups of one queue, in the memory of the process: after a restart no group is noisy. */
export interface NoisyGroups {
  /** @param until Time at which the message is visible again, unless it is returned before. */
  readonly onTaken: (sequence: number, group: string | null, now: number, until: number) => void;
  /** A receiver has returned or deleted a message. @param isDrained Whether the group is empty, and therefore quiet. */
  readonly onReturned: (sequence: number, isDrained: (group: string) => boolean, now: number) => void;
  /** All messages were deleted. */
  readonly onPurged: () => void;
  /** Chooses at most `max` messages to deliver next. @param groups Waiting messages by group. */
  readonly choose: (groups: readonly WaitingGroup[], max: number, now: number) => readonly Candidate[];
}

/** A group with messages that a queue could deliver. */
export interface WaitingGroup {
  /** Null for a message without a group, which is a group of its own. */
  readonly group: string | null;
  /** Number of the group's messages in flight. */
  readonly inFlight: number;
  /** Its first messages, the oldest first. */
  readonly waiting: readonly Candidate[];
}

const decayed = ({ ms, at }: Spent, now: number): number => ms * 2 ** (Math.min(0, at - now) / halfLifeMs);

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0);

const isBefore = (one: readonly number[], other: readonly number[]): boolean => {
  const place = one.findIndex((number, at) => number !== other[at]);
  return place !== -1 && (one[place] ?? 0) < (other[place] ?? 0);
};

type Times = ReadonlyMap<string | null, number>;

/** @param times Milliseconds that receivers spent on each group lately. */
const chooseNext = (groups: readonly WaitingGroup[], times: Times, max: number): readonly Candidate[] => {
  const allTime = sumOf(times.values());
  let allInFlight = sumOf(groups.map(({ inFlight }) => inFlight));
  const states = groups.map(({ group, inFlight, waiting }) => ({
    left: [...waiting],
    inFlight,
    time: group === null ? 0 : (times.get(group) ?? 0),
  }));
  // SQS delivers messages of the noisy group with the fewest in flight first. Here that holds for quiet groups too. Noisy
  // groups with equally many are ordered by the time that receivers spent on them.
  const rankOf = ({ left: [next], inFlight, time }: (typeof states)[number]): readonly number[] => {
    const isBusy = inFlight >= noisyInFlight && inFlight > noisyShare * allInFlight;
    const isNoisy = isBusy || time > noisyShare * allTime;
    return [Number(isNoisy), inFlight, isNoisy ? time : 0, next?.visibleAt ?? Infinity, next?.sequence ?? Infinity];
  };
  const chosen: Candidate[] = [];
  while (chosen.length < max) {
    const ranked = states.filter(({ left }) => left.length > 0).map((state) => ({ state, rank: rankOf(state) }));
    if (ranked.length === 0) break;
    const { state } = ranked.reduce((best, other) => (isBefore(other.rank, best.rank) ? other : best));
    chosen.push(...state.left.splice(0, 1));
    state.inFlight += 1;
    allInFlight += 1;
  }
  return chosen;
};

/** Measures the groups of a queue. */
export const openNoisyGroups = (): NoisyGroups => {
  const spent = new Map<string | null, Spent>();
  const taken = new Map<number, { readonly group: string | null; readonly at: number; readonly until: number }>();
  const onReturned: NoisyGroups['onReturned'] = (sequence, isDrained, now) => {
    const message = taken.get(sequence);
    if (message === undefined) return;
    taken.delete(sequence);
    const { group, at } = message;
    const before = spent.get(group);
    if (group !== null && isDrained(group)) spent.delete(group);
    else spent.set(group, { ms: (before === undefined ? 0 : decayed(before, now)) + Math.max(0, now - at), at: now });
  };
  const timesAt = (now: number): Times => {
    for (const [sequence, { until }] of taken) if (until <= now) onReturned(sequence, () => false, until);
    const times = new Map([...spent].map(([group, time]) => [group, decayed(time, now)]));
    for (const { group, at } of taken.values()) times.set(group, (times.get(group) ?? 0) + Math.max(0, now - at));
    return times;
  };
  return {
    onTaken: (sequence, group, now, until) => {
      onReturned(sequence, () => false, now);
      taken.set(sequence, { group, at: now, until });
    },
    onReturned,
    onPurged: () => {
      spent.clear();
      taken.clear();
    },
    choose: (groups, max, now) => chooseNext(groups, timesAt(now), max),
  };
};
