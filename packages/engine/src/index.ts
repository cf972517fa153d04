export { clearScratch } from './clear-scratch.ts';
export { weightOf } from './commit-weight.ts';
export { DamagedIndex, damagedIndexName, damagedMessage } from './damaged-index.ts';
export {
  describeMetadata,
  maxDescribedKeys,
  maxDistinctValues,
  valueTypes,
  type MetadataDescription,
} from './describe-metadata.ts';
export { distinctValues, maxCountedValues, type ValuesPage } from './distinct-values.ts';
export { problemsOf } from './engine-problems.ts';
export { engineRead, engineScan } from './engine-read.ts';
export { engineWrite } from './engine-write.ts';
export {
  defaultEngine,
  engineFeatures,
  engineNames,
  engines,
  hasFeature,
  type EngineFeature,
  type EngineName,
} from './engines.ts';
export { expiredBy, expiringReader, expiringRows, expiringWriter, expiryOf, withExpiry } from './expiry.ts';
export { FilterSchema, FilterText, filterKeys, matchesAll, type Filter } from './filter.ts';
export { fuseHits } from './fuse-hits.ts';
export { openHighlighter, type Highlight, type HighlightOptions } from './highlight.ts';
export { InvalidCursor, invalidCursor } from './invalid-cursor.ts';
export { analysisOf } from './lance/text-analysis.ts';
export { termsOf, type TextTerms } from './lance/text-terms.ts';
export { coarseFrom } from './lance/vector-query.ts';
export { matcherOf } from './match-filter.ts';
export { hasPhrases, parseText, wantedText } from './parse-text.ts';
export { type EngineLocation, openReader, openWriter } from './open-location.ts';
export { firstInOrder, type RowOrder } from './ordered-rows.ts';
export type {
  Change,
  ChangeResult,
  DifferencePage,
  DistanceMetric,
  EngineReader,
  EngineWriter,
  Erased,
  ErasedRow,
  Expected,
  Facet,
  FacetCounts,
  FoundRow,
  Fusion,
  Hit,
  IndexRef,
  KeptVersion,
  Layer,
  Leftovers,
  MaintenanceNeed,
  ParentChanges,
  QueryVector,
  Row,
  SearchQuery,
  TableState,
  VersionedRow,
} from './port.ts';
export { toVersioned } from './changes/index-content.ts';
export { openWriter as openVectorsWriter } from './s3-vectors/open-writer.ts';
export {
  bothFilters,
  boundMetadata,
  boundsProblem,
  boundsProblemOfPatch,
  equalitiesOf,
  filterOf,
  requiredValue,
} from './row-bounds.ts';
export { bucketStore } from './segments/bucket-store.ts';
export { directoryStore } from './segments/directory-store.ts';
export { erasureWorkMs } from './segments/leftovers.ts';
export type { ObjectStore } from './segments/object-store.ts';
export { searchedText } from './searched-text.ts';
export { tableWrite } from './table-write.ts';
export {
  type Analyzer,
  analyzers,
  currentAnalyzer,
  defaultTextLanguage,
  type TextLanguage,
  textLanguages,
  type TextRules,
} from './text-language.ts';
export { certainLanguage } from './detect-language.ts';
export { VersionGone, versionGone } from './version-gone.ts';
