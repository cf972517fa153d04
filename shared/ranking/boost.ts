import type { JsonObject } from '../kernel/json.ts';
import { matcherOf } from '#engine';
import { valueAt } from './metadata-value.ts';
import type { Boost, BoostCondition } from './plan.ts';
import { byScore, scaledOver, type StagedHit } from './staged-hit.ts';

type Settings = Parameters<typeof matcherOf>[1];
/** Returns a number between 0 and 1. Null: the row lacks the key. */
type Value = (metadata: JsonObject) => number | null;

const rfc3339 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/i;

/** Returns the milliseconds of a time with an offset, or of a day in UTC. Null for other texts. */
export const millisecondsOf = (text: string): number | null => {
  const milliseconds = rfc3339.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : milliseconds;
};

type Decay = Extract<BoostCondition, { readonly decay: unknown }>['decay'];

/** Decay of a distance in units of the scale: 1 at 0, and one half at 1. */
const curves: Readonly<Record<Decay['curve'], (distance: number) => number>> = {
  exp: (distance) => 0.5 ** distance,
  gauss: (distance) => 0.5 ** (distance * distance),
  linear: (distance) => Math.max(0, 1 - distance / 2),
};

const decayOf = ({ origin, scale, offset, curve }: Decay, value: number): number =>
  curves[curve](Math.max(0, Math.abs(value - origin) - offset) / scale);

const valueOf = (condition: BoostCondition, settings: Settings): Value => {
  if ('filter' in condition) {
    const matches = matcherOf(condition.filter, settings);
    return (metadata) => (matches(metadata) ? 1 : 0);
  }
  const isTime = 'decay' in condition && condition.decay.isTime;
  return (metadata) => {
    const value = valueAt(metadata, condition.key);
    const number = isTime && typeof value === 'string' ? millisecondsOf(value) : value;
    if (typeof number !== 'number' || (isTime && typeof value !== 'string')) return null;
    if ('decay' in condition) return decayOf(condition.decay, number);
    const size = Math.max(0, number);
    return size / (size + condition.saturate.midpoint);
  };
};

/** Returns the boost of metadata, between -1 and 1: `Σ wᵢvᵢ / Σ|wᵢ|` over the conditions that apply. */
const boostOf = ({ conditions }: Boost, settings: Settings): ((metadata: JsonObject) => number) => {
  const values = conditions.map((condition) => ({ weight: condition.weight, value: valueOf(condition, settings) }));
  return (metadata) => {
    let [sum, weights] = [0, 0];
    for (const { weight, value } of values) {
      const found = value(metadata);
      if (found === null) continue;
      sum += weight * found;
      weights += Math.abs(weight);
    }
    return weights === 0 ? 0 : sum / weights;
  };
};

/** Mixes the boost of each hit with its score, which is scaled to 0…1 over the hits. */
export const applyBoost = (hits: readonly StagedHit[], boost: Boost, settings: Settings): readonly StagedHit[] => {
  const scale = scaledOver(hits.map(({ score }) => score));
  const valueIn = boostOf(boost, settings);
  const boosted = hits.map((hit) => {
    const value = valueIn(hit.row.metadata);
    const score = (1 - boost.weight) * scale(hit.score) + boost.weight * value;
    return { ...hit, score, stages: { first_stage: hit.score, ...hit.stages, boost: value } };
  });
  return byScore(boosted);
};
