import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { formats, refusedFormats } from '#documents';

const Named = {
  id: z.string().describe('Id of the format.'),
  name: z.string().describe('Name, for people.'),
  media_types: z.array(z.string()).describe('Media types of such files.'),
  extensions: z.array(z.string()).meta({ description: 'Lower case, without the dot.' }),
};

const FileFormat = z
  .object({
    ...Named,
    unit: z.enum(['page', 'slide', 'sheet', 'row', 'section', 'message', 'lines', 'time']).meta({
      id: 'FileFormatUnit',
      description: 'Kind of position that a search result can refer to within the file.',
    }),
    recognition: z
      .enum(['ocr', 'transcription'])
      .meta({ id: 'Recognition', description: 'Kind of model that reads images or audio.' })
      .nullable()
      .meta({
        description: 'Model that some or all files of the format need; each use of it costs a credit.',
      }),
  })
  .meta({ id: 'FileFormat', description: 'A format that is read.' });

const RefusedFormat = z
  .object({ ...Named, reason: z.string().meta({ description: 'Why it is not read, and what to do instead.' }) })
  .meta({ id: 'RefusedFormat', description: 'A format that is not read.' });

const FileFormats = z
  .object({
    formats: z.array(FileFormat).describe('Formats that are read.'),
    refused: z.array(RefusedFormat).describe('Formats that are known and not read.'),
  })
  .meta({
    id: 'FileFormats',
    description: 'Formats of files.',
    examples: [
      {
        formats: [
          {
            id: 'pdf',
            name: 'PDF',
            media_types: ['application/pdf'],
            extensions: ['pdf'],
            unit: 'page',
            recognition: 'ocr',
          },
        ],
        refused: [
          {
            id: 'xls',
            name: 'Excel 97–2003',
            media_types: ['application/vnd.ms-excel'],
            extensions: ['xls', 'xlt'],
            reason: refusedFormats.xls.reason,
          },
        ],
      },
    ],
  });

const response: z.infer<typeof FileFormats> = {
  formats: Object.entries(formats).map(([id, format]) => ({
    id,
    name: format.name,
    media_types: [...format.mediaTypes],
    extensions: [...format.extensions],
    unit: format.unit,
    recognition: 'recognition' in format ? format.recognition : null,
  })),
  refused: Object.entries(refusedFormats).map(([id, { name, mediaTypes, extensions, reason }]) => ({
    id,
    name,
    media_types: [...mediaTypes],
    extensions: [...extensions],
    reason,
  })),
};

export const listFormats = endpoint({
  id: 'list-formats',
  method: 'GET',
  path: '/v1/formats',
  tag: 'Files',
  summary: 'List the formats of files that can be read',
  description:
    'The format of a file is detected by its content; name and declared type decide only between text formats. `refused` lists known formats that are not read, with the error of a job with such a file.',
  auth: { needs: 'none' },
  uses: {},
  status: 200,
  response: FileFormats,
  handle: () => Promise.resolve(response),
});
