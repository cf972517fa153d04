import { ErrorCategory, ErrorDomain, MastraError } from '@mastra/core/error';

/** Returns an error in the arguments, with what the store does not do. */
export const userError = (id: string, text: string): MastraError =>
  new MastraError({
    id: `STRATA_VECTOR_${id}`.toUpperCase() as Uppercase<string>,
    text,
    domain: ErrorDomain.MASTRA_VECTOR,
    category: ErrorCategory.USER,
  });
