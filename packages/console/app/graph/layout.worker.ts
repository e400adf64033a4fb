import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';

/** Starts a layout, or starts it over with what was added. */
export interface LayoutRequest {
  readonly run: number;
  /** x and y of each node; NaN for those without a place. */
  readonly positions: Float32Array;
  /** Source and target of each edge. */
  readonly edges: Int32Array;
  /** 1 for a new graph, less for one that only grew, so that it stays where it is. */
  readonly heat: number;
}

/** Positions so far. */
export interface LayoutStep {
  readonly run: number;
  readonly positions: Float32Array;
  readonly isDone: boolean;
}

interface Placed {
  index?: number;
  x: number;
  y: number;
}

const POST_EVERY_MS = 60;
/** Larger graphs get fewer steps: each takes longer. */
const stepsOf = (count: number) => (count <= 1_000 ? 300 : count <= 4_000 ? 160 : 90);
/** Golden angle: new nodes fill a disc evenly. */
const ANGLE = Math.PI * (3 - Math.sqrt(5));

let latest = 0;

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  latest = data.run;
  const { positions, edges, heat, run } = data;
  const count = positions.length / 2;
  const links = Array.from({ length: edges.length / 2 }, (_, i) => ({
    source: edges[2 * i]!,
    target: edges[2 * i + 1]!,
  }));
  const nodes = placed(positions, links);
  const steps = Math.max(20, Math.round(stepsOf(count) * heat));
  const degrees = new Float32Array(count);
  for (const { source, target } of links) {
    // A node that is linked to itself only is held by nothing either.
    if (source === target) continue;
    degrees[source]!++;
    degrees[target]!++;
  }
  // Small graphs have room for their labels.
  const room = count <= 60 ? 3 : count <= 300 ? 1.8 : 1;
  // Nothing else holds nodes without edges.
  const pull = (_: Placed, i: number) => (degrees[i] === 0 ? 0.14 : 0.03);
  const simulation = forceSimulation(nodes)
    .stop()
    .alpha(heat)
    .alphaDecay(1 - 0.002 ** (1 / steps))
    .velocityDecay(0.45)
    .force(
      'charge',
      forceManyBody<Placed>()
        .strength((_, i) => -room * (60 + 4 * Math.min(40, degrees[i]!)))
        .theta(1.1)
        .distanceMax(1_200),
    )
    .force(
      'link',
      forceLink<Placed, { source: number; target: number }>(links)
        .distance(46 * Math.sqrt(room))
        .iterations(1),
    )
    .force('x', forceX<Placed>(0).strength(pull))
    .force('y', forceY<Placed>(0).strength(pull))
    .force('center', forceCenter<Placed>(0, 0).strength(0.05));
  if (count <= 3_000) simulation.force('collide', forceCollide<Placed>(9));
  let step = 0;
  const work = () => {
    if (run !== latest) return;
    const until = performance.now() + POST_EVERY_MS;
    do {
      simulation.tick();
      step++;
    } while (step < steps && performance.now() < until);
    const moved = new Float32Array(2 * count);
    nodes.forEach(({ x, y }, i) => {
      moved[2 * i] = x;
      moved[2 * i + 1] = y;
    });
    const answer: LayoutStep = { run, positions: moved, isDone: step >= steps };
    postMessage(answer, { transfer: [moved.buffer] });
    if (step < steps) setTimeout(work);
  };
  work();
};

/** New nodes begin beside a neighbour that has a place, or on a disc. */
function placed(positions: Float32Array, links: readonly { source: number; target: number }[]): Placed[] {
  const nodes: Placed[] = Array.from({ length: positions.length / 2 }, (_, i) => ({
    x: positions[2 * i]!,
    y: positions[2 * i + 1]!,
  }));
  const neighbour = new Map<number, Placed>();
  for (const { source, target } of links) {
    if (!Number.isNaN(nodes[source]!.x)) neighbour.set(target, nodes[source]!);
    if (!Number.isNaN(nodes[target]!.x)) neighbour.set(source, nodes[target]!);
  }
  nodes.forEach((node, i) => {
    if (!Number.isNaN(node.x)) return;
    const near = neighbour.get(i);
    const radius = near ? 30 + (i % 7) * 4 : 14 * Math.sqrt(0.5 + i);
    node.x = (near?.x ?? 0) + radius * Math.cos(i * ANGLE);
    node.y = (near?.y ?? 0) + radius * Math.sin(i * ANGLE);
  });
  return nodes;
}
