export { type ClientOptions, createClient, type StrataClient } from './create-client.ts';
export type { FileToUpload, WaitOptions } from './files.ts';
export { type SignedReceipt, verifyReceipt } from './receipt.ts';
export type * from './schema.ts';
export { StrataError, type StrataErrorCode } from './strata-error.ts';
export { createUserToken, type UserToken } from './user-token.ts';
