export { contentsUse } from './capability.ts';
export { changedRows, type Copying, ForeignVector, writeChanged } from './copy-changes.ts';
export { createRebuild, createRebuildUses, requireRebuild, successorOf } from './create.ts';
export { rebuildAddressIn, RebuildMessage, rebuildsSend } from './message.ts';
export { addressOfRebuild, hasTakenOver, type RebuildAddress, rebuildAddressAt, type RebuildRecord } from './record.ts';
export { type RebuildReader, rebuildsRead, rebuildsWrite } from './repository.ts';
export { RebuildCreate, RebuildResponse, RebuildStart, toRebuildResponse } from './schemas.ts';
export { rebuildStore } from './store.ts';
