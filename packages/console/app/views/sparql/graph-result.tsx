import { useState } from 'preact/hooks';
import { expandNode } from '../../graph/expand-node.ts';
import { GraphView } from '../../graph/graph-view.tsx';
import { graphOf } from '../../graph/result-graph.ts';
import { entityAddress } from '../../rdf/term-view.tsx';
import { t } from '../../texts.ts';
import { messageOf } from '../../ui/error-note.tsx';
import { tell } from '../../ui/toasts.tsx';
import type { QueryRun } from './query-run.ts';

/** The rows of a result as a graph. */
export function Result({ run }: { run: QueryRun }) {
  const { columns, rowCount, phase } = run.state.value;
  const [version, setVersion] = useState(0);
  const isRunning = phase === 'running';
  const [made, setMade] = useState<{ readonly key: string; readonly graph: ReturnType<typeof graphOf> } | undefined>();
  const key = isRunning ? 'running' : String(rowCount);
  if (made?.key !== key) {
    setMade({ key, graph: graphOf({ columns, rowCount, term: (row, column) => run.term(row, column) }) });
    return null;
  }
  const { model, isCut } = made.graph;
  if (model.nodes.length === 0) {
    return (
      <div class="empty">
        <p>{t.graph.nothing}</p>
      </div>
    );
  }
  const expand = async (node: number) => {
    try {
      const outcome = await expandNode(model, node, run.worlds);
      if (outcome === 'nothing') tell(t.graph.noMore);
      if (outcome === 'full') tell(t.graph.full, { isError: true });
      setVersion((before) => before + 1);
    } catch (error) {
      tell(messageOf(error), { isError: true });
    }
  };
  return (
    <>
      {isCut && <div class="note warn">{t.graph.cut}</div>}
      <GraphView
        key={key}
        label={t.graph.ofResult}
        model={model}
        version={version}
        onExpand={(node) => void expand(node)}
        addressOf={(node) =>
          model.nodes[node]!.kind === 'literal' ? undefined : entityAddress(model.nodes[node]!.id, run.worlds)
        }
      />
    </>
  );
}
