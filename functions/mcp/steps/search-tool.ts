import * as z from 'zod';
import { withContexts } from '../../../shared/search/index.ts';
import { toItemId } from './item-id.ts';
import { endpoints } from './operations.ts';
import { atPassage, titleOf, urlOf } from './source-of.ts';
import { bytesOfTokens, cutTexts, maxTokensOf } from './token-budget.ts';
import { indexOf, limitOf, tool } from './tool.ts';

export const search = tool({
  title: 'Search',
  description:
    'Search passages of the indexed documents by meaning and words. Words in double quotes must occur next to each other. Returns the best passages first; fetch returns more of the document around one.',
  endpoint: endpoints.search,
  effect: 'read',
  isOfIndex: true,
  input: z.object({
    query: z.string().min(1).max(8_000).describe('Question or words to search for.'),
    limit: limitOf(50, 8),
    filter: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Condition on the metadata of passages, such as {"topic":"tea"} or {"year":{"$gte":2020}}.'),
    rerank: z
      .boolean()
      .optional()
      .describe(
        'Whether a reranker reads the best passages again, for about half a second. Default: as the index says.',
      ),
    one_per_document: z
      .boolean()
      .default(false)
      .describe('Whether only the best passage of each document is returned.'),
    max_tokens: maxTokensOf(4_000),
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string().describe('Id of the passage, for fetch.'),
        title: z.string().describe('Title of its document.'),
        url: z.string().describe('Address that a person can open: the passage in its document, for citations.'),
        text: z.string().describe('Text of the passage, perhaps cut.'),
        score: z.number().describe('Score of the passage; higher is better.'),
        document_id: z.string().nullable().describe('Id of its document; null if it belongs to none.'),
        page_start: z.int().nullable().describe('First page of the passage; null if there are no pages.'),
        page_end: z.int().nullable().describe('Last page of the passage; null if there are no pages.'),
        headings: z.array(z.string()).describe('Headings above the passage, outermost first.'),
        time_start: z.number().optional().describe('Second of a recording at which the passage begins.'),
      }),
    ),
    truncated: z.boolean().describe('Whether a text was cut.'),
  }),
  run: async (context, input) => {
    const indexId = await indexOf(context, input);
    const { filter, rerank, one_per_document: isGrouped } = input;
    const { body } = await context.operations.search(context.session, {
      path: { index_id: indexId },
      body: {
        text: input.query,
        top_k: input.limit,
        include: ['text', 'metadata', 'citation'],
        filter,
        ...(rerank === undefined ? {} : { rerank: rerank ? {} : null }),
        ...(isGrouped ? { group: { by: 'document' } } : {}),
      },
    });
    const found = withContexts(body);
    const whole = found.map(({ text }) => text ?? '');
    const texts = cutTexts(whole, bytesOfTokens(input.max_tokens));
    const results = found.map(({ id, score, text, metadata = {}, file, citation }, at) => {
      const cited = { indexId, itemId: id, metadata, file, text: text ?? null };
      return {
        id: toItemId(indexId, id),
        title: titleOf(cited),
        url: atPassage(urlOf(cited, context.origin, input.query), file?.page_start ?? null, citation?.time_start),
        text: texts[at] ?? '',
        score,
        document_id: file === null ? null : toItemId(indexId, file.job_id),
        page_start: file?.page_start ?? null,
        page_end: file?.page_end ?? null,
        headings: citation?.heading_path ?? [],
        ...(citation?.time_start === undefined ? {} : { time_start: citation.time_start }),
      };
    });
    return { results, truncated: texts.some((text, at) => text !== whole[at]) };
  },
});
