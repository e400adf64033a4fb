import type { IriBase } from '../../model/iri.ts';

/** Options of context processing (JSON-LD 1.1 API section 4.1). */
export interface ContextScope {
  /** The base for URLs of contexts. */
  readonly baseUrl: IriBase | undefined;
  /** The URLs of the contexts being processed, innermost last. */
  readonly remotes?: readonly string[];
  /** Whether protected terms may be redefined: true in property-scoped contexts. */
  readonly overrideProtected?: boolean;
  readonly propagate?: boolean;
  /** False while a scoped context is validated where it is defined rather than applied. */
  readonly validateScoped?: boolean;
}
