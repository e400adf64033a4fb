import type { IriBase } from '../../model/iri.ts';

/** How a context is processed (JSON-LD 1.1 API section 4.1). */
export interface ContextScope {
  /** Where URLs of contexts are resolved. */
  readonly baseUrl: IriBase | undefined;
  /** The URLs of the contexts that are being processed, the innermost last. */
  readonly remotes?: readonly string[];
  /** Whether protected terms may be defined again: in contexts that are scoped to a property. */
  readonly overrideProtected?: boolean;
  readonly propagate?: boolean;
  /** False while a scoped context is looked at where it stands, not where it applies. */
  readonly validateScoped?: boolean;
}
