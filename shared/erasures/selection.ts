import * as z from 'zod';
import { serviceSealer } from '../db/service-key.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { isObject } from '../kernel/json.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import type { Filter } from '#engine';
import type { Selector } from './record.ts';

/** Selection of rows by id, of those that match a filter, or of a file. */
const Selection = z.object({
  ids: z.array(z.string()).optional(),
  filter: z.custom<Filter>(isObject).optional(),
  job_id: z.string().optional(),
});
export type Selection = z.output<typeof Selection>;

/** Selection as a caller names it. Exactly one member is given. */
export interface Requested {
  readonly ids?: readonly string[] | undefined;
  readonly filter?: Filter | undefined;
  readonly file?: string | undefined;
  readonly document?: string | undefined;
  readonly subject?: { readonly key: string; readonly value: string | number | boolean } | undefined;
}

/** Metadata key with the id of the document of a row. */
const documentKey = 'document_id';

/** Returns what a request selects. */
export const selectionOf = ({ ids, filter, file, document, subject }: Requested): Selection => {
  if (ids !== undefined) return { ids: [...new Set(ids)] };
  if (file !== undefined) return { job_id: file };
  if (document !== undefined) return { filter: { [documentKey]: document } };
  return { filter: subject === undefined ? (filter ?? {}) : { [subject.key]: subject.value } };
};

/** Returns the member by which a request selects. */
export const selectorOf = (requested: Requested): Selector => {
  const [selector = 'filter'] = Object.entries(requested).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  // Cast: the schema has no other members.
  return selector as Selector;
};

/** Encryption of what is erased, under the key of the deployment. */
export interface SelectionSealer {
  seal(erasureId: string, selection: Selection): Promise<string>;
  open(erasureId: string, sealed: string): Promise<Selection>;
}

const sealerOf = memoizePerOwner((runtime: Runtime) => serviceSealer(runtime, 'selections of erasures'));

export const selectionSealer = capability<SelectionSealer>(['keys.use'], (runtime) => ({
  seal: async (erasureId, selection) => (await sealerOf(runtime)).seal(JSON.stringify(selection), erasureId),
  open: async (erasureId, sealed) => Selection.parse(JSON.parse((await sealerOf(runtime)).open(sealed, erasureId))),
}));
