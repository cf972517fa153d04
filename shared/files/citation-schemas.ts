import * as z from 'zod';
import { exampleId } from '../http/examples.ts';

const Region = z
  .object({
    page: z.number().int().describe('Page, from 1.'),
    left: z.number().describe('Distance from the left edge.'),
    top: z.number().describe('Distance from the top edge.'),
    width: z.number().describe('Width.'),
    height: z.number().describe('Height.'),
  })
  .meta({ id: 'PageRegion', description: 'A box on a page, in shares of its width and height.' });

export const Citation = z
  .object({
    file: z
      .object({
        job_id: z.string().describe('Id of the file job.'),
        filename: z.string().nullable().describe('Name of the file; null if it is not known.'),
        attachment: z
          .string()
          .optional()
          .describe(
            'Name of a file within it that the text is from, such as an attachment of a mail. Pages are its pages.',
          ),
        url: z.string().optional().describe('Address of the document at its source, if its metadata has one as `url`.'),
      })
      .meta({ id: 'CitedFile', description: 'The file that a result is from.' })
      .describe('The file.'),
    pages: z.array(z.number().int()).describe('Pages that the text is on; empty if the file has none.'),
    regions: z
      .array(Region)
      .describe('Boxes of the text on its pages, one for each run of lines; empty if they are not known.'),
    heading_path: z.array(z.string()).describe('Headings above the text, outermost first.'),
    start: z
      .number()
      .int()
      .nullable()
      .describe(
        'Position of the first character in the text of the file, in code points, as `GET …/files/{job_id}/text` returns it; null if it is not known.',
      ),
    end: z.number().int().nullable().describe('Position behind the last character; null if it is not known.'),
    time_start: z.number().optional().describe('Second of a recording or of subtitles at which the text begins.'),
    time_end: z.number().optional().describe('Second at which the text ends.'),
  })
  .meta({ id: 'SearchCitation', description: 'Place of the text of a result in its file.' });

/** Example of a citation. */
export const citationExample = {
  file: { job_id: exampleId('job'), filename: 'handbook.pdf' },
  pages: [7],
  regions: [{ page: 7, left: 0.118, top: 0.149, width: 0.764, height: 0.061 }],
  heading_path: ['Tea', 'Brewing'],
  start: 14_210,
  end: 15_034,
};
