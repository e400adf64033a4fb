import { NO_TERM } from '../../../../src/contracts/term-source.ts';
import type { UpdateView } from '../../../../src/plugin.ts';
import { type Change, changedEngine, type PlantedFault, replaced } from './planted-fault.ts';

type Changes = Parameters<UpdateView['apply']>[0];

const fault = (name: string, change: Change, needs?: string): PlantedFault => ({
  name,
  engine: changedEngine(change),
  ...(needs === undefined ? {} : { needs }),
});

/** Changes reach the worlds in another way. */
const applyFault = (name: string, apply: (changes: Changes, view: UpdateView) => Promise<void>, needs?: string) =>
  fault(name, { view: (view) => replaced(view, { apply: (changes) => apply(changes, view) }) }, needs);

/** Faults in what updates write, and in which dataset texts see. */
export const DATASET_FAULTS: readonly PlantedFault[] = [
  applyFault(
    'INSERT comes before DELETE',
    async ({ deleted, ...changes }, view) => {
      await view.apply(changes);
      if (deleted) await view.apply({ deleted });
    },
    'update modify',
  ),
  applyFault('DELETE does nothing', async ({ deleted: _, ...changes }, view) => view.apply(changes), 'update DELETE'),
  applyFault(
    'CLEAR drops the graph',
    async ({ createdGraphs: _, ...changes }, view) => view.apply(changes),
    'update clear',
  ),
  applyFault(
    'DROP leaves an empty graph',
    async (changes, view) => {
      const { droppedGraphs = [], createdGraphs = [] } = changes;
      const kept = [...droppedGraphs].filter((graph) => view.hasTargetGraph(graph));
      await view.apply({ ...changes, createdGraphs: [...createdGraphs, ...kept] });
    },
    'update drop',
  ),
  fault(
    'WITH is ignored',
    { node: (node) => (node.type === 'modify' ? { ...node, with: undefined } : node) },
    'update WITH',
  ),
  fault(
    'USING is ignored',
    { node: (node) => (node.type === 'modify' ? { ...node, using: undefined } : node) },
    'update USING',
  ),
  fault(
    'a template with a blank node is filled once',
    {
      node: (node) => {
        if (node.type !== 'modify') return node;
        const first = node.insert.find(({ subject, object }) =>
          [subject, object].some((one) => one.termType === 'BlankNode'),
        );
        return first ? { ...node, where: { type: 'slice', input: node.where, offset: 0, limit: 1 } } : node;
      },
    },
    'update INSERT',
  ),
  fault('operations run in reverse order', {
    operation: (operation) =>
      operation.type === 'update' ? { ...operation, operations: [...operation.operations].reverse() } : operation,
  }),
  fault(
    'FROM is ignored',
    {
      operation: (operation) => (operation.type === 'update' ? operation : { ...operation, dataset: undefined }),
    },
    'FROM',
  ),
  fault(
    'FROM NAMED is ignored',
    {
      operation: (operation) =>
        operation.type === 'update' || !operation.dataset
          ? operation
          : { ...operation, dataset: { ...operation.dataset, namedGraphs: [] } },
    },
    'FROM NAMED',
  ),
  fault(
    'an empty graph does not exist',
    {
      source: (source) => {
        const graphs = [...source.graphs].filter((graph) => source.count(NO_TERM, NO_TERM, NO_TERM, graph) > 0);
        return replaced(source, { graphs: Uint32Array.from(graphs) });
      },
    },
    'operator graph',
  ),
];
