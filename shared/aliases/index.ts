export { aliasesRead, aliasesWrite } from './repository.ts';
export { aliasResolver, aliasUses, isVisibleTo, resolveIndex } from './resolve.ts';
export { AliasName, AliasPut, AliasResponse, toAliasResponse } from './schemas.ts';
