import { readFile, writeFile } from 'node:fs/promises';
import { pause } from '../../pause.ts';
import { verifyReceipt } from '../../receipt.ts';
import type { components } from '../../schema.ts';
import {
  argument,
  type Call,
  type Command,
  exitCodes,
  jsonOption,
  textOption,
  textOptions,
  UsageError,
} from '../command.ts';

const pollMs = 30_000;

type Erasure = components['schemas']['ErasureResponse'];
type ErasureCreate = components['schemas']['ErasureCreate'];

const removedFrom = ({ places }: Erasure, name: string): number =>
  places.find(({ place }) => place === name)?.removed ?? 0;

const describe = (found: Erasure): string => {
  const open = found.places.filter(({ verified_at: at }) => at === null).map(({ place }) => place);
  const left =
    found.status === 'completed' ? '' : `, to be verified: ${open.length === 0 ? 'once more' : open.join(', ')}`;
  return `${found.id} ${found.status}, ${removedFrom(found, 'rows')} rows, ${removedFrom(found, 'files')} files${left}`;
};

/** Returns the person or thing of `--subject KEY=VALUE`. A value that is a number or boolean as JSON is one. */
const subjectOf = (text: string): NonNullable<ErasureCreate['subject']> => {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--subject is "${text}". Give KEY=VALUE.`);
  const value = text.slice(at + 1);
  const isJson = /^(true|false|-?\d+(\.\d+)?)$/.test(value);
  // Cast: the expression admits numbers and booleans alone.
  return { key: text.slice(0, at), value: isJson ? (JSON.parse(value) as number | boolean) : value };
};

const bodyOf = (call: Call): ErasureCreate => {
  const ids = textOptions(call, 'id');
  const [file, document, subject] = ['file', 'document', 'subject'].map((name) => textOption(call, name));
  const filter = jsonOption(call, 'filter', '{"customer": "c-1042"}');
  const body = {
    ...(ids.length === 0 ? {} : { ids: [...ids] }),
    ...(filter === undefined ? {} : { filter }),
    ...(file === undefined ? {} : { file }),
    ...(document === undefined ? {} : { document }),
    ...(subject === undefined ? {} : { subject: subjectOf(subject) }),
  };
  if (Object.keys(body).length !== 1)
    throw new UsageError('Give one of --id, --filter, --file, --document and --subject.');
  return body;
};

const getErasure = async (call: Call, erasure_id: string): Promise<Erasure> =>
  call.client().get('/v1/indexes/{index_id}/erasures/{erasure_id}', {
    params: { path: { index_id: await call.indexId(), erasure_id } },
  });

/** Prints an erasure, and writes its receipt to the file of `--out`. */
const show = async (call: Call, found: Erasure): Promise<void> => {
  const out = textOption(call, 'out');
  if (out !== undefined && found.receipt === null) throw new UsageError(`${found.id} has no receipt yet: it goes on.`);
  if (out !== undefined) await writeFile(out, `${JSON.stringify(found.receipt, null, 2)}\n`);
  call.print(found, describe(found));
};

/** Verifies the receipt in a file against the keys of the service. */
const verify = async (call: Call, file: string): Promise<number> => {
  // Cast: what is missing does not verify.
  const receipt = JSON.parse(await readFile(file, 'utf8')) as NonNullable<Erasure['receipt']>;
  const keys = await call.client().get('/v1/receipt-keys');
  const key = keys.find(({ id }) => id === receipt.key_id);
  const isValid = key !== undefined && (await verifyReceipt(receipt, key.public_key));
  call.print({ valid: isValid }, isValid ? `The receipt is valid:\n${receipt.text}` : 'The receipt is not valid.');
  return isValid ? 0 : exitCodes.failed;
};

export const erase: Command = {
  usage:
    'erase --id ID… | --filter JSON | --file ID | --document ID | --subject KEY=VALUE [--wait] | erase list | erase show ID [--out FILE] | erase --verify FILE',
  summary: 'erases rows and files for good, shows what was found, and verifies receipts',
  options: {
    id: { type: 'string', multiple: true },
    filter: { type: 'string' },
    file: { type: 'string' },
    document: { type: 'string' },
    subject: { type: 'string' },
    wait: { type: 'boolean' },
    out: { type: 'string' },
    verify: { type: 'string' },
  },
  run: async (call) => {
    const receipt = textOption(call, 'verify');
    if (receipt !== undefined) return verify(call, receipt);
    const [action] = call.args;
    if (action === 'show') return show(call, await getErasure(call, argument(call, 1, 'The id of an erasure')));
    const path = { index_id: await call.indexId() };
    if (action === 'list') {
      const found = await call.client().get('/v1/indexes/{index_id}/erasures', { params: { path } });
      for (const one of found) call.print(one, `${describe(one)}, requested ${one.requested_at}`);
      return 0;
    }
    if (action !== undefined) throw new UsageError(`"${action}" is no action. Give list or show.`);
    let found = await call.client().post('/v1/indexes/{index_id}/erasures', { params: { path }, body: bodyOf(call) });
    while (call.options['wait'] === true && found.status === 'running') {
      call.note(describe(found), true);
      await pause(pollMs);
      found = await getErasure(call, found.id);
    }
    return show(call, found);
  },
};
