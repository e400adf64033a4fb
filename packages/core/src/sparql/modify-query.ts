import type { Query, TemplateQuad, Update } from './algebra/algebra.ts';

/** A DELETE/INSERT as a query: the CONSTRUCT of all quads that it deletes and inserts. */
export type ModifyQuery = Extract<Query, { readonly type: 'construct' }> & {
  readonly template: readonly TemplateQuad[];
  /** Number of quads at the beginning of the template that are deleted; the others are inserted. */
  readonly deletes: number;
  readonly update: Update;
};

const known = new WeakMap<Update, ModifyQuery>();

/**
 * Returns an update as a query, the same for each call, so that its plan can be kept and shared as
 * that of a query. Returns undefined unless it is one DELETE/INSERT over the dataset of the
 * request.
 */
export function modifyQuery(update: Update): ModifyQuery | undefined {
  const found = known.get(update);
  if (found) return found;
  const [operation, another] = update.operations;
  if (another || operation?.type !== 'modify' || operation.using || operation.with !== undefined) return undefined;
  const { delete: deleted, insert: inserted, where, baseIri, readsNamedGraphs } = operation;
  const query: ModifyQuery = {
    type: 'construct',
    algebra: where,
    template: [...deleted, ...inserted],
    deletes: deleted.length,
    update,
    baseIri,
    readsNamedGraphs,
    prefixes: update.prefixes,
    writtenAs: update.writtenAs,
  };
  known.set(update, query);
  return query;
}

export function isModifyQuery(query: Query): query is ModifyQuery {
  return 'deletes' in query;
}
