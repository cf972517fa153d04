import * as z from 'zod';
import { integer, defaulted, optional, whenObject } from '../http/schema-helpers.ts';
import { FilterSchema } from '#engine';
import { millisecondsOf } from './boost.ts';

const share = () => z.number().min(0).max(1);

/** Seconds of the units of a duration. */
const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Returns the milliseconds of a duration such as `30d`. Null for another text. */
export const durationOf = (text: string): number | null => {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,6})?)([smhdw])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? null : Number(amount) * (unitSeconds[unit] ?? 0) * 1_000;
};

export const RerankInput = z
  .strictObject({
    model: optional(z.string().min(1).max(200)).describe(
      'Id of a reranker of `GET /v1/models`. Default: the first of them.',
    ),
    candidates: optional(integer().min(1).max(200)).describe(
      'Hits that are scored again. Default: that of the model. Others follow in their order.',
    ),
    blend: optional(share()).describe(
      'Share of the reranker in the score. 1 replaces the score; with less, both are scaled to 0…1 and mixed. Default: that of the model.',
    ),
    query: optional(z.string().min(1).max(4_096)).describe('Question for the reranker. Default: `text`.'),
    on_error: defaulted(
      z.enum(['skip', 'fail']).meta({ id: 'RerankOnError', description: 'What follows if a reranker fails.' }),
      'skip',
    ).meta({ description: '`skip` keeps the order of the first stage. `fail` is a 503.' }),
  })
  .meta({
    id: 'SearchRerank',
    description: 'Scores the best candidates again by a reranker.',
    examples: [{ candidates: 20, blend: 0.5 }],
  });

const MetadataKey = z.string().min(1).max(255);
const Length = z
  .union([z.number().min(0), z.string().max(30)])
  .meta({ id: 'DecayLength', description: 'A number, or a duration such as `30d` or `12h`.' });

const Decay = z
  .strictObject({
    origin: z
      .union([z.number(), z.string().max(64)])
      .meta({ id: 'DecayOrigin', description: 'A number, a time or `now`.' })
      .describe('Value at which the boost is 1: a number, a time or `now`.'),
    scale: Length.describe('Distance at which the boost is one half: a number, or a duration such as `30d` or `12h`.'),
    offset: Length.nullish().describe('Distance within which the boost stays 1. Default 0.'),
    curve: defaulted(
      z.enum(['exp', 'gauss', 'linear']).meta({ id: 'DecayCurve', description: 'Shape of a decay.' }),
      'exp',
    ).meta({ description: 'Shape of the decay.' }),
  })
  .superRefine(
    ({ origin, scale, offset }, context) => {
      const isTime = typeof origin === 'string';
      if (isTime && origin !== 'now' && millisecondsOf(origin) === null)
        context.addIssue({
          code: 'custom',
          path: ['origin'],
          message: 'a text must be `now`, a day or a time with an offset',
        });
      for (const [name, length] of [
        ['scale', scale],
        ['offset', offset ?? null],
      ] as const) {
        if (length === null) continue;
        const size = typeof length === 'string' ? durationOf(length) : length;
        const fits = size !== null && (typeof length === 'string') === isTime;
        if (!fits || (name === 'scale' && size === 0))
          context.addIssue({
            code: 'custom',
            path: [name],
            message: isTime
              ? 'with a time as origin, a duration such as 30d or 12h is needed'
              : 'with a number as origin, a number above 0 is needed',
          });
      }
    },
    { when: whenObject },
  )
  .meta({ id: 'BoostDecay', description: 'Boost that decreases with the distance from a value.' });

const BoostCondition = z
  .strictObject({
    filter: optional(FilterSchema).describe('Rows that match have 1, others 0.'),
    key: optional(MetadataKey).describe('Metadata key of `decay` or `saturate`.'),
    decay: optional(Decay),
    saturate: optional(
      z
        .strictObject({ midpoint: z.number().positive().describe('Value that has one half.') })
        .meta({ id: 'BoostSaturation', description: 'Boost that grows with a number: `x / (x + midpoint)`.' }),
    ),
    weight: defaulted(z.number().min(-100).max(100), 1).meta({
      description: 'Weight among the conditions. A negative one demotes.',
    }),
  })
  .refine(
    ({ filter, key, decay, saturate }) =>
      [filter, decay, saturate].filter((part) => part !== undefined).length === 1 &&
      (key === undefined) === (filter !== undefined),
    { error: 'give a filter, or a key with decay or with saturate', when: whenObject },
  )
  .meta({
    id: 'BoostCondition',
    description: 'Condition with a value between 0 and 1. A row without the key leaves it out.',
  });

export const BoostInput = z
  .strictObject({
    weight: defaulted(share(), 0.3).meta({ description: 'Share of the boost in the score.' }),
    conditions: z.array(BoostCondition).min(1).max(20).describe('Conditions, whose values are averaged by weight.'),
  })
  .meta({
    id: 'SearchBoost',
    description:
      'Mixes a boost by metadata with the scores, which are scaled to 0…1: `(1 - weight) × score + weight × boost`. The boost is `Σ wᵢvᵢ / Σ|wᵢ|` over the conditions.',
    examples: [{ weight: 0.3, conditions: [{ key: 'published', decay: { origin: 'now', scale: '30d' } }] }],
  });

export const MinScoreInput = z
  .union([
    z.number(),
    z
      .strictObject({
        dense: optional(z.number()).describe('Lowest similarity of the dense side.'),
        sparse: optional(z.number()).describe('Lowest BM25 score.'),
        rerank: optional(z.number()).describe('Lowest score of the reranker, between 0 and 1.'),
      })
      .meta({ id: 'SearchMinScores', description: 'Lowest scores. A hit without one of these scores is left out.' }),
  ])
  .meta({ id: 'SearchMinScore', description: 'One lowest score, or one for each side and the reranker.' });

export const GroupInput = z
  .strictObject({
    by: MetadataKey.describe('`file`, `document` or a metadata key. A list has the group of its first value.'),
    size: defaulted(integer().min(1).max(10), 1).meta({ description: 'Maximum hits of a group.' }),
  })
  .meta({
    id: 'SearchGroup',
    description: 'Groups hits. `top_k` and `offset` then count groups, and hits of one group stand together.',
    examples: [{ by: 'file', size: 1 }],
  });

export const FacetInput = z
  .strictObject({
    key: MetadataKey.describe('Metadata key, or a path to a member of objects.'),
    limit: defaulted(integer().min(1).max(100), 10).meta({ description: 'Maximum values, most frequent first.' }),
  })
  .meta({ id: 'SearchFacet', description: 'Key whose values are counted.' });

export const FusionInput = z
  .strictObject({
    method: defaulted(
      z.enum(['rrf', 'weighted']).meta({ id: 'FusionMethod', description: 'Method of fusion.' }),
      'weighted',
    ).meta({
      description:
        '`rrf`: reciprocal rank fusion. `weighted`: weighted sum of the scores of each side, normalized to 0…1.',
    }),
    k: defaulted(integer().min(1).max(1000), 10).meta({
      description: 'Constant of `rrf`. A larger value gives the first ranks less weight.',
    }),
    dense_weight: optional(z.number().min(0).max(1)).meta({
      description:
        'Weight of the dense side; the sparse side has the rest. Default: 0.5. If the embedded model embeds the text: 0.1 if the index is not `english`, or if most letters of the text are not Latin.',
    }),
  })
  .meta({ id: 'SearchFusion', description: 'Fusion of the dense and the sparse side.' });

export const HighlightInput = z
  .strictObject({
    fragments: defaulted(integer().min(1).max(10), 3).meta({ description: 'Maximum highlights of a result.' }),
    max_chars: defaulted(integer().min(20).max(2_000), 160).meta({
      description: 'Maximum length of a highlight, in code points.',
    }),
  })
  .meta({
    id: 'SearchHighlight',
    description: 'Marks what the text index matches of the queries in the texts of the results.',
    examples: [{ fragments: 2, max_chars: 200 }],
  });

export const ContextInput = z
  .strictObject({
    before: optional(integer().min(0).max(10)).describe('Units before the result. Default 1 with `chunk`, else 0.'),
    after: optional(integer().min(0).max(10)).describe('Units behind the result. Default 1 with `chunk`, else 0.'),
    unit: defaulted(
      z
        .enum(['chunk', 'heading', 'page', 'file'])
        .meta({ id: 'ContextUnit', description: 'Unit in which the text around a result is counted.' }),
      'chunk',
    ).meta({
      description:
        '`chunk`: neighbours. `heading`: the text under the same headings. `page`: the pages of the result. `file`: the whole file.',
    }),
    max_chars: defaulted(integer().min(100).max(100_000), 8_000).meta({
      description: 'Maximum length of the text around a result, in code points. The result itself is always whole.',
    }),
  })
  .meta({
    id: 'SearchContext',
    description: 'Adds the text of the file around each of up to 50 results.',
    examples: [{ before: 1, after: 2 }],
  });

export const SearchDefaults = z
  .strictObject({
    fusion: FusionInput.nullish().meta({ description: 'Fusion of hybrid searches.' }),
    rerank: RerankInput.nullish().meta({ description: 'Reranker of the best candidates.' }),
    boost: BoostInput.nullish().meta({ description: 'Boost by metadata.' }),
    group: GroupInput.nullish().meta({ description: 'Groups of hits.' }),
    context: ContextInput.nullish().meta({ description: 'Text around the results.' }),
  })
  .meta({
    id: 'SearchDefaults',
    description: 'What searches of an index use if they name nothing else. Null in a search switches one off.',
    examples: [{ rerank: { candidates: 20 } }],
  });
export type SearchDefaults = z.output<typeof SearchDefaults>;
