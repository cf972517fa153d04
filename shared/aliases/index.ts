export { aliasesRead, aliasesWrite } from './repository.ts';
export { aliasResolver, aliasUses, resolveIndex } from './resolve.ts';
export { AliasName, AliasPut, AliasResponse, toAliasResponse } from './schemas.ts';
