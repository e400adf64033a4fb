/**
 * `@rdf-worlds/core/internal`: shared with the other packages of this repository, which are
 * released together with this one. It may change in any release.
 *
 * @module @rdf-worlds/core/internal
 */
export { Slicer } from './contracts/slicer.ts';
export { assignCaller, type Caller, turns } from './contracts/turns.ts';
export { watched } from './contracts/watched.ts';
export { gunzipped } from './engine/gunzip.ts';
export { parseMoment } from './engine/history/parse-moment.ts';
export { incarnationOf } from './engine/incarnation.ts';
export { jsonPieces } from './engine/json-pieces.ts';
export { processMemoryPool } from './engine/memory-default.ts';
export { quotaPolicy } from './engine/quotas.ts';
export { type SortedQuadsOptions, sortedQuads } from './engine/sorted-quads.ts';
export {
  DEFAULT_NAMESPACE_MARK,
  NAME_PATTERN,
  NAME_RULE,
  type ResolvedSource,
  resolveNamespace,
  resolveSource,
} from './engine/world-name.ts';
export { allowableAddress } from './model/allowable-address.ts';
export { isAbsoluteIri } from './model/iri.ts';
export { fieldsOf, misspeltName, nearestName } from './model/known-fields.ts';
export { LARGE_TEXT, textBytes } from './model/memory-budget.ts';
export { kindOf, requireEngine } from './model/passed-value.ts';
export { RequestBudget } from './model/request-budget.ts';
export { limitedText } from './model/request-limits.ts';
export { ReadWriteLock } from './search/read-write-lock.ts';
export {
  type NumberRule,
  numberRuleText,
  obeysRule,
  SEARCH_SETTINGS,
  type SearchSetting,
  type SettingGroup,
} from './search/search-settings.ts';
