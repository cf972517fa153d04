import * as z from 'zod';

export const Highlight = z
  .object({
    text: z.string().describe('Part of the text of the result.'),
    start: z.number().int().describe('Its first position in the text of the result, in code points.'),
    end: z.number().int().describe('Position behind its last one.'),
    marks: z
      .array(z.array(z.number().int()).length(2))
      .describe('Matches in it: positions `[start, end)` in the text of the result. A phrase is one match.'),
  })
  .meta({ id: 'TextHighlight', description: 'A part of a text with what the queries match.' });

export const Context = z
  .object({
    text: z.string().describe('The text. What two chunks share is written once.'),
    ids: z.array(z.string()).describe('Rows that it consists of, in the order of the file.'),
    hits: z.array(z.string()).describe('Results among them, best first.'),
    file: z
      .object({
        job_id: z.string().describe('Id of the file job.'),
        filename: z.string().nullable().describe('Name of the file; null if it is not known.'),
        page_start: z.number().int().nullable().describe('First page of the text; null if the file has no pages.'),
        page_end: z.number().int().nullable().describe('Last page of the text; null if the file has no pages.'),
      })
      .meta({ id: 'ContextFile', description: 'The file, and the pages in it, that a text comes from.' })
      .describe('The file.'),
  })
  .meta({ id: 'ResultContext', description: 'Text of a file around one or more results.' });
