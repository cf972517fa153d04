import * as z from 'zod';
import { type aliasUses, resolveIndex } from '../../../shared/aliases/index.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { Deps } from '../../../shared/kernel/capability.ts';
import { AppError } from '../../../shared/kernel/errors.ts';
import { indexNamePattern } from '../../../shared/kernel/ids.ts';
import type { Session } from '../../../shared/operations/index.ts';
import type { operationUses } from './operations.ts';

/** Request of an authenticated client. */
export interface ToolContext {
  readonly operations: Deps<typeof operationUses>;
  readonly aliases: Deps<typeof aliasUses>['aliases'];
  readonly session: Session;
  /** Origin of the service, for URLs in results. */
  readonly origin: string;
  /** The only index that the server serves; null for all indexes of the organization. */
  readonly indexId: string | null;
}

interface ToolShape<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  /** Endpoint whose required access, plan feature and rate limit hold for the tool. */
  readonly endpoint: Endpoint;
  readonly effect: 'read' | 'add' | 'delete';
  /** Whether the tool works on one index, which `index_id` names if the server serves several. */
  readonly isOfIndex: boolean;
  readonly input: Input;
  readonly output: Output;
  readonly run: (
    context: ToolContext,
    input: z.output<Input> & { readonly index_id?: string | undefined },
  ) => Promise<z.input<Output>>;
}

/** Tool of the MCP server, with its types erased. */
export interface Tool extends Omit<ToolShape<z.ZodObject, z.ZodObject>, 'run'> {
  // oxlint-disable-next-line typescript/no-explicit-any -- `tool()` has checked the function against the schemas
  readonly run: (context: ToolContext, input: any) => Promise<unknown>;
}

/** Defines a tool. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolShape<Input, Output>,
): Tool => definition;

const withIndex = {
  // A refinement is not part of the listed schema: the pattern has a look-ahead, which many clients cannot compile.
  index_id: z
    .string()
    .refine((named) => indexNamePattern.test(named), 'an id of list_indexes or an alias')
    .optional()
    .describe('Id of the index, from list_indexes, or an alias. It may be absent if there is only one.'),
};

/** Returns the schema of a tool's arguments. A server of one index accepts `index_id` too, but does not list it. */
export const inputOf = ({ isOfIndex, input }: Tool): z.ZodObject => (isOfIndex ? input.extend(withIndex) : input);

/** Returns the index that a call is for. Throws 400 if that is not clear or not served, and 404 if there is none. */
export const indexOf = async (
  { operations, aliases, session, indexId }: ToolContext,
  { index_id: named }: { readonly index_id?: string | undefined },
): Promise<string> => {
  const meant = named === undefined ? null : await resolveIndex(aliases, session.caller, named);
  if (indexId !== null && meant !== null && meant !== indexId)
    throw new AppError('bad_request', 'This address serves another index: omit index_id');
  const known = indexId ?? meant;
  if (known !== null) return known;
  const { body: visible } = await operations.listIndexes(session, { query: { limit: '2' } });
  const [only, ...others] = visible;
  if (only === undefined) throw new AppError('not_found', 'There is no index yet');
  if (others.length > 0)
    throw new AppError('bad_request', 'There are several indexes: pass the index_id of one, from list_indexes');
  return only.id;
};

/** Schema of the number of items of a page. */
export const limitOf = (most: number, byDefault: number) =>
  z.int().min(1).max(most).default(byDefault).describe('Maximum number of items.');
