import type { PreparedQuery, PreparedUpdate, PrepareOptions, SparqlEngine } from '../storage/sparql-engine.ts';
import { bindQuery, bindUpdate } from './bind-variables.ts';
import { evaluateQuery } from './evaluate-query.ts';
import { executeUpdate } from './execute-update.ts';
import { explainQuery } from './explain/explain-query.ts';
import { explainUpdate } from './explain/explain-update.ts';
import { ParsedTexts } from './parsed-texts.ts';
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

/** The library's own SPARQL engine: vectorised operators over ids. */
export function nativeEngine(options: NativeEngineOptions = {}): SparqlEngine {
  const parsed = new ParsedTexts((text, baseIri) => {
    const operation = prepareOperation(text, { baseIri });
    refuseNetwork(operation);
    return operation;
  });
  return {
    name: 'native',
    prepare(text: string, { baseIri, bindings }: PrepareOptions): PreparedQuery | PreparedUpdate {
      const operation = parsed.get(text, baseIri);
      const { batchRows, optimize, maxMemoryBytes, random } = options;
      const request = { batchRows, optimize, maxMemoryBytes, random, baseIri };
      if (operation.type === 'update') {
        const bound = bindings ? bindUpdate(operation, bindings) : operation;
        return {
          type: 'update',
          insertsDataOnly: bound.operations.every(({ type }) => type === 'insertData'),
          execute: (view, evaluateOptions) => executeUpdate(bound, view, request, evaluateOptions),
          explain: async (source, explainOptions) => explainUpdate(bound, source, request, explainOptions),
        };
      }
      const bound = bindings ? bindQuery(operation, bindings) : operation;
      return {
        type: 'query',
        form: bound.type,
        evaluate: (source, evaluateOptions) => evaluateQuery(bound, source, request, evaluateOptions),
        explain: (source, explainOptions) => explainQuery(bound, source, request, explainOptions),
      };
    },
  };
}
