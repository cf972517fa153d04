import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { FilterSchema } from '#engine';
import { erasurePlaces, type ErasureRecord, selectors } from './record.ts';

/** Maximum ids of one erasure. */
const maxIds = 10_000;
const maxNameLength = 1_024;

const Subject = z
  .strictObject({
    key: z.string().min(1).max(maxNameLength).describe('Metadata key by which your rows name a person.'),
    value: z
      .union([z.string(), z.number(), z.boolean()])
      .meta({ id: 'ErasureSubjectValue', description: 'Value of a metadata key.' })
      .describe('Value of that person.'),
  })
  .meta({ id: 'ErasureSubject', description: 'A person or thing.', examples: [{ key: 'customer', value: 'c-1042' }] });

export const ErasureCreate = z
  .strictObject({
    ids: z.array(z.string().min(1)).min(1).max(maxIds).optional().describe('Ids of rows.'),
    filter: FilterSchema.optional().describe('Filter of rows, with at least one condition.'),
    file: z.string().min(1).max(maxNameLength).optional().describe('Id of a file job.'),
    document: z.string().min(1).max(maxNameLength).optional().describe('Document, by the `document_id` of its rows.'),
    subject: Subject.optional().describe('Rows and files with this value in their metadata.'),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, {
    message: 'name exactly one of ids, filter, file, document and subject',
  })
  .meta({
    id: 'ErasureCreate',
    description: 'What is erased.',
    examples: [{ subject: { key: 'customer', value: 'c-1042' } }],
  });

const PlaceName = z
  .enum(erasurePlaces)
  .meta({ id: 'ErasurePlace', description: 'Place that an erasure looks into.' })
  .describe('The place.');

const PlaceReport = z
  .object({
    place: PlaceName,
    removed: z.int().describe('What was removed there: rows, objects, files, exports, events or messages.'),
    verified_at: z.iso
      .datetime()
      .nullable()
      .describe('Time of the last look, at which nothing was found. Null: something was found at the last one.'),
  })
  .meta({ id: 'ErasurePlaceReport', description: 'What an erasure has found in a place.' });

const Receipt = z
  .object({
    text: z
      .string()
      .describe(
        'JSON text. Its bytes in UTF-8 are what is signed, so keep it as it is. It does not name what was erased.',
      ),
    signature: z.string().describe('Ed25519 signature, base64.'),
    key_id: z.string().describe('Id of the key, of `GET /v1/receipt-keys`.'),
  })
  .meta({ id: 'ErasureReceipt', description: 'Signed proof of an erasure.' });

export const ErasureResponse = z
  .object({
    id: z.string().describe('Id of the erasure.'),
    index_id: z.string().describe('Id of the index.'),
    status: z
      .enum(['running', 'completed'])
      .meta({ id: 'ErasureStatus', description: 'Status of an erasure.' })
      .describe('`completed` once nothing is left and the receipt is signed.'),
    selected_by: z
      .enum(selectors)
      .meta({ id: 'ErasureSelector', description: 'How an erasure names what is erased.' })
      .describe('How the request has named what is erased.'),
    requested_at: z.iso.datetime().describe('Time of the request.'),
    erased_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'Time from which no read finds the rows, in no version and no branch. Null: branches are about to follow.',
      ),
    completed_at: z.iso.datetime().nullable().describe('Time at which nothing was left. Null: the erasure goes on.'),
    places: z.array(PlaceReport).describe('What was found, by place.'),
    kept_files: z
      .array(z.string())
      .describe('Files of which other rows are left. Their originals and texts stay: erase them by `file`.'),
    receipt: Receipt.nullable().describe('Receipt. Null until the erasure is completed.'),
  })
  .meta({
    id: 'ErasureResponse',
    description: 'An erasure.',
    examples: [
      {
        id: exampleId('era'),
        index_id: exampleId('idx'),
        status: 'running',
        selected_by: 'subject',
        requested_at: exampleTime,
        erased_at: exampleTime,
        completed_at: null,
        places: [{ place: 'rows', removed: 12, verified_at: exampleTime }],
        kept_files: [],
        receipt: null,
      },
    ],
  });

export const ReceiptKeyResponse = z
  .object({
    id: z.string().describe('Id of the key.'),
    algorithm: z.literal('Ed25519').describe('Signature algorithm.'),
    public_key: z.string().describe('Public key in PEM.'),
  })
  .meta({
    id: 'ReceiptKey',
    description: 'Key by which receipts are verified.',
    examples: [
      {
        id: '0f3a5c7e9b1d2f46',
        algorithm: 'Ed25519',
        public_key:
          '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
      },
    ],
  });

export const toErasureResponse = (found: ErasureRecord): z.input<typeof ErasureResponse> => ({
  id: found.id,
  index_id: found.indexId,
  status: found.completedAt === null ? 'running' : 'completed',
  selected_by: found.by,
  requested_at: found.createdAt,
  erased_at: found.erasedAt,
  completed_at: found.completedAt,
  places: erasurePlaces.map((place) => ({
    place,
    removed: found.places[place].removed,
    verified_at: found.places[place].verifiedAt,
  })),
  kept_files: [...found.keptFiles],
  receipt:
    found.receipt === null
      ? null
      : { text: found.receipt.text, signature: found.receipt.signature, key_id: found.receipt.keyId },
});
