import './graph.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts.ts';
import { saveFile } from '../ui/download.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { count } from '../ui/numbers.ts';
import { theme } from '../ui/theme.ts';
import { Visible } from '../ui/visible.tsx';
import type { GraphModel } from './graph-model.ts';
import { GraphPicture } from './graph-picture.ts';

interface GraphViewProps {
  /** Name of the picture for screen readers. */
  readonly label: string;
  readonly model: GraphModel;
  /** Changes when the model has grown. */
  readonly version: number;
  /** Adds the neighbours of a node. */
  readonly onExpand?: (node: number) => void;
  /** The address of the page of a node. */
  readonly addressOf?: (node: number) => string | undefined;
}

/** A graph with its controls, the filter by predicate, and what is selected. */
export function GraphView({ label, model, version, onExpand, addressOf }: GraphViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<GraphPicture | undefined>(undefined);
  const [selected, setSelected] = useState<number | undefined>();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const expand = useRef(onExpand);
  expand.current = onExpand;

  useEffect(() => {
    // A last frame may be drawn after the element was removed.
    const { dataset } = host.current!;
    const drawn = new GraphPicture(canvas.current!, model, {
      onSelect: setSelected,
      onExpand: (node) => expand.current?.(node),
      onDraw: ({ nodes, edges, isSettled }) => {
        dataset.nodes = String(nodes);
        dataset.edges = String(edges);
        dataset.settled = String(isSettled);
        dataset.frames = String(Number(dataset.frames ?? 0) + 1);
      },
    });
    picture.current = drawn;
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => drawn.recolour();
    scheme.addEventListener('change', recolour);
    const stop = theme.subscribe(() => requestAnimationFrame(recolour));
    return () => {
      stop();
      scheme.removeEventListener('change', recolour);
      drawn.destroy();
    };
  }, [model]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) picture.current?.grown();
    isFirst.current = false;
  }, [version]);
  useEffect(() => picture.current?.filter((name) => !hidden.has(name)), [hidden, version]);

  const predicates = new Map<string, number>();
  for (const edge of model.edges) predicates.set(edge.label, (predicates.get(edge.label) ?? 0) + 1);
  const node = selected === undefined ? undefined : model.nodes[selected];
  const address = selected === undefined ? undefined : addressOf?.(selected);
  const save = async (kind: 'png' | 'svg') => {
    if (kind === 'png') saveFile('graph.png', 'image/png', [await picture.current!.png()]);
    else saveFile('graph.svg', 'image/svg+xml', [picture.current!.svg()]);
  };
  return (
    <div class="graph" ref={host} data-graph>
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={`${label}. ${t.graph.keys}`} />
      <div class="graph-tools">
        <button
          type="button"
          class="button small icon"
          aria-label={t.graph.larger}
          onClick={() => picture.current?.zoom(1.3)}
        >
          <Icon name="plus" size={16} />
        </button>
        <button
          type="button"
          class="button small icon"
          aria-label={t.graph.smaller}
          onClick={() => picture.current?.zoom(1 / 1.3)}
        >
          <svg width="16" height="16" viewBox="0 0 24 24" stroke="currentColor" stroke-width="1.7" aria-hidden="true">
            <path d="M5 12h14" />
          </svg>
        </button>
        <button type="button" class="button small icon" aria-label={t.graph.fit} onClick={() => picture.current?.fit()}>
          <Icon name="expand" size={16} />
        </button>
        <Menu
          panel={t.graph.filter}
          name={t.graph.filter}
          buttonClass={`button small icon ${hidden.size > 0 ? 'primary' : ''}`}
          label={<Icon name="filter" size={16} />}
        >
          <div class="title">{t.graph.filter}</div>
          {[...predicates]
            .sort((a, b) => b[1] - a[1])
            .slice(0, 100)
            .map(([name, uses]) => (
              <button
                key={name}
                type="button"
                class="entry"
                aria-pressed={!hidden.has(name)}
                onClick={() => {
                  const next = new Set(hidden);
                  if (!next.delete(name)) next.add(name);
                  setHidden(next);
                }}
              >
                <span class="row" style={{ visibility: hidden.has(name) ? 'hidden' : undefined }}>
                  <Icon name="check" size={15} />
                </span>
                <span class="grow clip">
                  <Visible text={name} max={60} />
                </span>
                <span class="muted number">{count(uses)}</span>
              </button>
            ))}
        </Menu>
        <Menu name={t.graph.save} buttonClass="button small icon" label={<Icon name="image" size={16} />}>
          <button type="button" role="menuitem" onClick={() => void save('png')}>
            {t.graph.png}
          </button>
          <button type="button" role="menuitem" onClick={() => void save('svg')}>
            {t.graph.svg}
          </button>
        </Menu>
      </div>
      <div class="graph-size muted number">
        {t.graph.size(count(model.nodes.length), count(model.edges.length))}
        {model.unread.size > 0 && `; ${t.graph.unread(count(model.unread.size))}`}
      </div>
      <div class="graph-selected" aria-live="polite">
        {node && (
          <div class="card body row">
            <span class={`dot w${node.group % 8}`} />
            <span class="grow clip">
              <Visible text={node.label} max={80} />
            </span>
            {model.unread.has(selected!) && <span class="muted hint">{t.graph.hasMore}</span>}
            {onExpand && node.kind !== 'literal' && (
              <button type="button" class="button small" onClick={() => onExpand(selected!)}>
                <Icon name="plus" size={15} />
                {t.graph.expand}
              </button>
            )}
            {address && (
              <a class="button small" href={address}>
                {t.graph.open}
              </a>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
