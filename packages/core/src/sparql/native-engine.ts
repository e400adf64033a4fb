import type {
  EvaluateOptions,
  PreparedQuery,
  PreparedUpdate,
  PrepareOptions,
  SparqlEngine,
} from '../storage/sparql-engine.ts';
import type { Query, Update } from './algebra/algebra.ts';
import { bindQuery, bindUpdate } from './bind-variables.ts';
import { evaluateQuery } from './evaluate-query.ts';
import { executeUpdate } from './execute-update.ts';
import { prepareOperation } from './prepare-operation.ts';
import { refuseNetwork } from './refuse-network.ts';

export interface NativeEngineOptions {
  /** Rows in a batch; 1024 when not given. Other values are for tests. */
  readonly batchRows?: number;
  /** False: patterns are joined as they are written, and nothing is rewritten. For tests. */
  readonly optimize?: boolean;
  /** LIMIT_EXCEEDED when one query keeps more than so many bytes; no limit when not given. */
  readonly maxMemoryBytes?: number;
  /** At least 0, below 1; `Math.random` when not given. */
  readonly random?: () => number;
}

/** Parsed texts that are kept. */
const CACHED_TEXTS = 256;
/** Longer texts are mostly data, and not asked again. */
const MAX_CACHED_LENGTH = 1 << 16;

/** The library's own SPARQL engine: vectorised operators over ids. */
export function nativeEngine(options: NativeEngineOptions = {}): SparqlEngine {
  const parsed = new Map<string, Query | Update>();
  const parse = (text: string, baseIri: string | undefined): Query | Update => {
    const key = `${baseIri ?? ''}\n${text}`;
    const known = parsed.get(key);
    if (known) return known;
    const operation = prepareOperation(text, { baseIri });
    refuseNetwork(operation);
    if (text.length <= MAX_CACHED_LENGTH) {
      // A Map keeps the order of insertion: the first is the oldest.
      if (parsed.size >= CACHED_TEXTS) parsed.delete(parsed.keys().next().value!);
      parsed.set(key, operation);
    }
    return operation;
  };
  return {
    name: 'native',
    async prepare(text: string, { baseIri, bindings }: PrepareOptions): Promise<PreparedQuery | PreparedUpdate> {
      const operation = parse(text, baseIri);
      const request = { ...options, baseIri };
      if (operation.type === 'update') {
        const bound = bindings ? bindUpdate(operation, bindings) : operation;
        return {
          type: 'update',
          execute: (view, evaluateOptions: EvaluateOptions) => executeUpdate(bound, view, request, evaluateOptions),
        };
      }
      const bound = bindings ? bindQuery(operation, bindings) : operation;
      return {
        type: 'query',
        form: bound.type,
        evaluate: (source, evaluateOptions) => evaluateQuery(bound, source, request, evaluateOptions),
      };
    },
  };
}
