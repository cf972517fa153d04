export { createErasure, createErasureUses, endRollback, requireErasure } from './create.ts';
export { addErasedRows, erasedRows } from './erased-rows.ts';
export {
  erasureAddressAt,
  type ErasurePlace,
  erasurePlaces,
  type ErasureRecord,
  type ErasureStep,
  type PlaceReports,
} from './record.ts';
export { receiptSigner } from './receipt.ts';
export { erasuresRead, erasureStore } from './repository.ts';
export { ErasureCreate, ErasureResponse, ReceiptKeyResponse, toErasureResponse } from './schemas.ts';
export { type Selection, selectionSealer } from './selection.ts';
