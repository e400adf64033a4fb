import './quad-lines.css';
import type { Quad } from '@rdfjs/types';
import { t } from '../texts.ts';
import { count } from '../ui/numbers.ts';
import { Visible } from '../ui/visible.tsx';
import { shownIri, TermView } from './term-view.tsx';

interface QuadLinesProps {
  readonly inserted: readonly Quad[];
  readonly deleted: readonly Quad[];
  /** The world that the quads are of, as `namespace/slug`. */
  readonly world: string;
  /** Number of quads that are not among the given ones. */
  readonly more?: number;
  /** Maximum number of quads of each kind that are shown. */
  readonly max?: number;
}

/** The quads that a commit deleted and inserted, one a line. */
export function QuadLines({ inserted, deleted, world, more = 0, max = Number.POSITIVE_INFINITY }: QuadLinesProps) {
  const left = more + Math.max(0, deleted.length - max) + Math.max(0, inserted.length - max);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class="quads" tabIndex={0} role="group" aria-label={t.worlds.quads}>
      {deleted.slice(0, max).map((quad, i) => (
        <QuadLine key={`d${i}`} sign="−" quad={quad} world={world} />
      ))}
      {inserted.slice(0, max).map((quad, i) => (
        <QuadLine key={`i${i}`} sign="+" quad={quad} world={world} />
      ))}
      {left > 0 && <p class="muted">{t.live.more(count(left))}</p>}
    </div>
  );
}

function QuadLine({ sign, quad, world }: { sign: string; quad: Quad; world: string }) {
  return (
    <div class={`quad ${sign === '+' ? 'plus' : 'minus'}`}>
      <span>{sign}</span>
      {(['subject', 'predicate', 'object'] as const).map((part) => (
        <TermView key={part} term={quad[part]} worlds={[world]} max={160} />
      ))}
      {quad.graph.termType !== 'DefaultGraph' && (
        <span class="badge" title={t.entity.inGraph}>
          <Visible text={shownIri(quad.graph.value)} max={60} />
        </span>
      )}
    </div>
  );
}
