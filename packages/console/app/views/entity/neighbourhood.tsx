import { useEffect, useState } from 'preact/hooks';
import { expandNode } from '../../graph/expand-node.ts';
import { GraphModel } from '../../graph/graph-model.ts';
import { GraphView } from '../../graph/graph-view.tsx';
import { entityAddress, shownIri } from '../../rdf/term-view.tsx';
import { t } from '../../texts.ts';
import { messageOf } from '../../ui/error-note.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { tell } from '../../ui/toasts.tsx';
import { visibleText } from '../../ui/visible.tsx';

interface NeighbourhoodProps {
  readonly name: string;
  readonly title: string | undefined;
  readonly worlds: readonly string[];
}

/** An entity and its neighbours; each click on one adds its own. */
export function Neighbourhood({ name, title, worlds }: NeighbourhoodProps) {
  const [model, setModel] = useState<GraphModel | undefined>();
  const [version, setVersion] = useState(0);
  const grow = async (graph: GraphModel, node: number) => {
    try {
      const outcome = await expandNode(graph, node, worlds);
      if (outcome === 'nothing') tell(t.graph.noMore);
      if (outcome === 'full') tell(t.graph.full, { isError: true });
      if (graph === model) setVersion((before) => before + 1);
    } catch (error) {
      tell(messageOf(error), { isError: true });
    }
  };
  useEffect(() => {
    let isWanted = true;
    const graph = new GraphModel();
    const kind = name.startsWith('_:') ? 'blank' : 'iri';
    graph.node({ id: name, label: visibleText(title ?? shownIri(name), 60), kind, group: 0 });
    void grow(graph, 0).then(() => isWanted && setModel(graph));
    return () => {
      isWanted = false;
    };
  }, [name]);
  if (!model) return <Waiting />;
  return (
    <GraphView
      label={t.graph.around}
      model={model}
      version={version}
      onExpand={(node) => void grow(model, node)}
      addressOf={(node) => entityAddress(model.nodes[node]!.id, worlds)}
    />
  );
}
