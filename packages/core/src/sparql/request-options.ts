import type { RequestLimits } from '../model/request-limits.ts';
import type { NativeEngineOptions } from './native-engine-options.ts';

/** Engine options combined with those of one request. */
export interface RequestOptions extends NativeEngineOptions {
  readonly baseIri?: string;
  readonly limits?: RequestLimits;
}
