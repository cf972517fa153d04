import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { lazy } from '../../kernel/memoize.ts';
import { openGraph, readTokenizer, tokenizedForm } from '../models/onnx-encoder.ts';
import type { Relevance } from './port.ts';

/** Configuration of a cross-encoder: `reranker.json` in its folder, beside `model.onnx` and `tokenizer.json`. */
const RerankerConfig = z.strictObject({
  /** Second part of the model's name. */
  name: z.string().regex(/^[\w.-]{1,100}$/),
  /** Maximum tokens of a query and a text together, with special tokens. Further tokens of the text are left out. */
  max_tokens: z.number().int().min(32).max(8_192),
});

/** Reads the configuration of a folder with a cross-encoder. */
export const readRerankerConfig = async (folder: string): Promise<z.output<typeof RerankerConfig>> =>
  RerankerConfig.parse(JSON.parse(await readFile(join(folder, 'reranker.json'), 'utf8')));

/** Processors that a pair uses: the searches wait for it, and it takes the same time of processors. */
const threads = 2;

/** Share of the tokens that a query may have. */
const maxQueryShare = 0.4;

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** Returns the special tokens before, between and behind a query and a text, with the types of both. */
const frameOf = (tokenizer: Awaited<ReturnType<typeof readTokenizer>>) => {
  const [one, other] = ['a', 'b'].map((text) => tokenizer.encode(text, { add_special_tokens: false }).ids);
  const pair = tokenizer.encode('a', { text_pair: 'b', return_token_type_ids: true });
  const { ids, token_type_ids: types = [] } = pair;
  const [first, second] = [ids.indexOf(one?.[0] ?? -1), ids.indexOf(other?.[0] ?? -1)];
  const [firstEnd, secondEnd] = [first + (one?.length ?? 0), second + (other?.length ?? 0)];
  return {
    size: ids.length - (one?.length ?? 0) - (other?.length ?? 0),
    join: (query: readonly number[], text: readonly number[]) => ({
      ids: [...ids.slice(0, first), ...query, ...ids.slice(firstEnd, second), ...text, ...ids.slice(secondEnd)],
      types: [
        ...types.slice(0, first),
        ...query.map(() => types[first] ?? 0),
        ...types.slice(firstEnd, second),
        ...text.map(() => types[second] ?? 0),
        ...types.slice(secondEnd),
      ],
    }),
  };
};

const openCrossEncoder = async (folder: string) => {
  const { max_tokens: maxTokens } = await readRerankerConfig(folder);
  const tokenizer = await readTokenizer(folder);
  const run = await openGraph(folder, ['logits'], threads);
  const frame = frameOf(tokenizer);
  const idsOf = (text: string) => tokenizer.encode(tokenizedForm(text), { add_special_tokens: false }).ids;
  return async (query: string, text: string): Promise<number> => {
    const asked = idsOf(query).slice(0, Math.floor(maxQueryShare * maxTokens));
    const { ids, types } = frame.join(asked, idsOf(text).slice(0, maxTokens - frame.size - asked.length));
    const { data } = await run(ids, types);
    const [logit] = data;
    if (data.length !== 1 || typeof logit !== 'number') throw new Error('model.onnx does not return one score');
    return sigmoid(logit);
  };
};

/** Scores each text in one run of the model. */
export type ScoreTexts = (query: string, texts: readonly string[], isOver: () => boolean) => Promise<Relevance>;

/**
 * Returns a function that scores texts by the cross-encoder of a folder, which is loaded at its first use. One pair a run: an
 * int8 model scales each batch as a whole, so that texts would depend on their neighbours.
 */
export const lazyCrossEncoder = (folder: string): ScoreTexts => {
  const load = lazy(() => openCrossEncoder(folder));
  return async (query, texts, isOver) => {
    const score = await load();
    const scores: number[] = [];
    for (const text of texts) {
      if (isOver()) throw new Error('the time of the request is over');
      scores.push(await score(query, text));
      await nextTurn();
    }
    return { scores, units: texts.length };
  };
};
