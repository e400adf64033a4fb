import type { GraphModel } from './graph-model.ts';
import { type Circle, LabelPlaces } from './label-places.ts';
import type { LayoutRequest, LayoutStep } from './layout.worker.ts';

/** What a picture tells its owner. */
export interface PictureEvents {
  readonly onSelect: (node: number | undefined) => void;
  /** A double click, or Enter. */
  readonly onExpand: (node: number) => void;
  /** After a frame was drawn. */
  readonly onDraw?: (drawn: { readonly nodes: number; readonly edges: number; readonly isSettled: boolean }) => void;
}

interface Colours {
  readonly background: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly groups: readonly string[];
}

const GROUPS = 8;
const FONT = '500 12px Inter, system-ui, sans-serif';
const MIN_SCALE = 0.02;
const MAX_SCALE = 6;
const HIT_PX = 9;
/** Arrow heads cost more than lines, and are too small to see among many. */
const MAX_ARROWS = 2_500;
const MAX_LABELS = 220;
/** Nodes, most connected first, for whose labels places are sought in a frame. */
const MAX_LABELS_TRIED = 500;
const CLICK_PX = 4;
/** Room for the labels of the outermost nodes. */
const MARGIN_X_PX = 120;
const MARGIN_Y_PX = 90;
/** Where the controls take half of the width, the graph is below them. */
const NARROW_PX = 560;
const CONTROLS_PX = 40;

/**
 * Draws a graph on a canvas: pan, zoom, drag, select, expand. The layout runs in a worker, so that
 * the page stays smooth while thousands of nodes find their places.
 */
export class GraphPicture {
  private readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly events: PictureEvents;
  private readonly worker: Worker;
  private readonly observer: ResizeObserver;
  private model: GraphModel;
  private positions = new Float32Array(0);
  /** Edges between nodes, by node; rebuilt when the graph grows. */
  private neighbours: number[][] = [];
  private isShown: (label: string) => boolean = () => true;
  private run = 0;
  private isSettled = false;
  private isDestroyed = false;
  private hasPlaces = false;
  private scale = 1;
  private centreX = 0;
  private centreY = 0;
  private follows = true;
  private selected: number | undefined;
  private hovered: number | undefined;
  private frame: number | undefined;
  private colours: Colours | undefined;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private dragged: { node: number | undefined; startX: number; startY: number; isMoved: boolean } | undefined;

  constructor(canvas: HTMLCanvasElement, model: GraphModel, events: PictureEvents) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d')!;
    this.model = model;
    this.events = events;
    this.worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }: MessageEvent<LayoutStep>) => this.take(data);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement!);
    canvas.addEventListener('pointerdown', this.press);
    canvas.addEventListener('pointermove', this.move);
    canvas.addEventListener('pointerup', this.release);
    canvas.addEventListener('pointercancel', this.release);
    canvas.addEventListener('pointerleave', this.leave);
    canvas.addEventListener('dblclick', this.expand);
    canvas.addEventListener('wheel', this.wheel, { passive: false });
    canvas.addEventListener('keydown', this.key);
    this.resize();
    this.grown(1);
  }

  destroy(): void {
    this.isDestroyed = true;
    this.worker.terminate();
    this.observer.disconnect();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
  }

  /** The graph has more nodes or edges. Those that have a place stay near it. */
  grown(heat = 0.35): void {
    const { nodes, edges } = this.model;
    const positions = new Float32Array(2 * nodes.length).fill(Number.NaN);
    positions.set(this.positions);
    this.positions = positions;
    this.neighbours = nodes.map(() => []);
    edges.forEach(({ source, target }, i) => {
      this.neighbours[source]!.push(i);
      if (target !== source) this.neighbours[target]!.push(i);
    });
    const request: LayoutRequest = {
      run: ++this.run,
      positions: this.hasPlaces ? positions.slice() : new Float32Array(2 * nodes.length).fill(Number.NaN),
      edges: Int32Array.from(edges.flatMap(({ source, target }) => [source, target])),
      heat: this.hasPlaces ? heat : 1,
    };
    this.isSettled = false;
    this.worker.postMessage(request);
  }

  /** Shows only edges whose label passes. */
  filter(isShown: (label: string) => boolean): void {
    this.isShown = isShown;
    this.draw();
  }

  select(node: number | undefined, { moves = false } = {}): void {
    this.selected = node;
    if (moves && node !== undefined) {
      this.follows = false;
      this.centreX = this.positions[2 * node]!;
      this.centreY = this.positions[2 * node + 1]!;
    }
    this.draw();
  }

  /** Shows the whole graph. */
  fit(): void {
    this.follows = true;
    this.fitNow();
    this.draw();
  }

  zoom(factor: number): void {
    this.follows = false;
    this.scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, this.scale * factor));
    this.draw();
  }

  /** Reads the colours of the page again. */
  recolour(): void {
    this.colours = undefined;
    this.draw();
  }

  /** The picture as it is shown, as a PNG. */
  png(): Promise<Blob> {
    return new Promise((resolve, reject) =>
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty.'))), 'image/png'),
    );
  }

  /** The whole graph as SVG. */
  svg(): string {
    const { background, line, text, groups } = this.paint();
    const { left, right, top, bottom } = this.bounds();
    const margin = 40;
    const escaped = (value: string) =>
      value.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\p{Cc}/gu, ' ');
    const at = (node: number) => [this.positions[2 * node]!.toFixed(1), this.positions[2 * node + 1]!.toFixed(1)];
    const lines = this.shownEdges().map(({ source, target, label }) => {
      const [x1, y1] = at(source);
      const [x2, y2] = at(target);
      return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"><title>${escaped(label)}</title></line>`;
    });
    const circles = this.model.nodes.map(({ label, group }, i) => {
      const [x, y] = at(i);
      return `<circle cx="${x}" cy="${y}" r="${this.radius(i).toFixed(1)}" fill="${groups[group % GROUPS]}"/><text x="${x}" y="${Number(y) + this.radius(i) + 11}">${escaped(label)}</text>`;
    });
    const width = Math.ceil(right - left + 2 * margin);
    const height = Math.ceil(bottom - top + 2 * margin);
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${Math.floor(left - margin)} ${Math.floor(top - margin)} ${width} ${height}">`,
      `<rect x="${left - margin}" y="${top - margin}" width="${width}" height="${height}" fill="${background}"/>`,
      `<g stroke="${line}" stroke-width="1">${lines.join('')}</g>`,
      `<g font-family="Inter, sans-serif" font-size="10" text-anchor="middle" fill="${text}">${circles.join('')}</g>`,
      '</svg>',
    ].join('\n');
  }

  private take({ run, positions, isDone }: LayoutStep): void {
    if (run !== this.run) return;
    const { dragged } = this;
    if (dragged?.node !== undefined && dragged.isMoved) {
      positions[2 * dragged.node] = this.positions[2 * dragged.node]!;
      positions[2 * dragged.node + 1] = this.positions[2 * dragged.node + 1]!;
    }
    this.positions = positions as Float32Array<ArrayBuffer>;
    this.hasPlaces = true;
    this.isSettled = isDone;
    if (this.follows) this.fitNow();
    this.draw();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    const ratio = Math.min(2, devicePixelRatio);
    this.canvas.width = Math.max(1, Math.round(clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(clientHeight * ratio));
    this.canvas.style.width = `${clientWidth}px`;
    this.canvas.style.height = `${clientHeight}px`;
    if (this.follows) this.fitNow();
    this.draw();
  }

  private bounds() {
    const bounds = { left: 0, right: 0, top: 0, bottom: 0 };
    const { positions } = this;
    for (let i = 0; i < positions.length; i += 2) {
      const x = positions[i]!;
      const y = positions[i + 1]!;
      if (Number.isNaN(x)) continue;
      if (i === 0) Object.assign(bounds, { left: x, right: x, top: y, bottom: y });
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.bottom = Math.max(bounds.bottom, y);
    }
    return bounds;
  }

  private fitNow(): void {
    const { left, right, top, bottom } = this.bounds();
    const { clientWidth, clientHeight } = this.canvas;
    const above = clientWidth < NARROW_PX ? CONTROLS_PX : 0;
    const room = (length: number, margin: number) => Math.max(length / 2, length - margin);
    const scale = Math.min(
      room(clientWidth, MARGIN_X_PX) / (right - left + 1),
      room(clientHeight - above, MARGIN_Y_PX) / (bottom - top + 1),
    );
    this.scale = Math.min(1.6, Math.max(MIN_SCALE, scale));
    this.centreX = (left + right) / 2;
    this.centreY = (top + bottom) / 2 - above / 2 / this.scale;
  }

  private radius(node: number): number {
    return Math.min(15, 4.5 + 1.1 * Math.sqrt(this.model.degrees[node]!));
  }

  private shownEdges() {
    return this.model.edges.filter(({ label }) => this.isShown(label));
  }

  private paint(): Colours {
    if (this.colours) return this.colours;
    // Computed colours: custom properties with light-dark() are not resolved by themselves.
    const probe = document.createElement('span');
    this.canvas.parentElement!.append(probe);
    const colour = (name: string) => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    this.colours = {
      background: colour('--surface'),
      line: colour('--line-strong'),
      lineStrong: colour('--text-3'),
      text: colour('--text'),
      muted: colour('--text-2'),
      accent: colour('--accent'),
      groups: Array.from({ length: GROUPS }, (_, i) => colour(`--w${i}`)),
    };
    probe.remove();
    return this.colours;
  }

  private draw(): void {
    if (this.isDestroyed) return;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.drawNow();
    });
  }

  private drawNow(): void {
    const { context, canvas, model, positions, scale } = this;
    const colours = this.paint();
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.background;
    context.fillRect(0, 0, width, height);
    if (!this.hasPlaces) return;
    const toX = (x: number) => (x - this.centreX) * scale + width / 2;
    const toY = (y: number) => (y - this.centreY) * scale + height / 2;
    const focus = this.hovered ?? this.selected;
    const near = new Set<number>();
    const focusEdges =
      focus === undefined
        ? []
        : this.neighbours[focus]!.map((i) => model.edges[i]!).filter(({ label }) => this.isShown(label));
    for (const { source, target } of focusEdges) near.add(source).add(target);
    if (focus !== undefined) near.add(focus);

    const edges = this.shownEdges();
    context.lineWidth = scale < 0.3 ? 0.6 : 1;
    context.strokeStyle = colours.line;
    context.globalAlpha = focus === undefined ? (edges.length > 4_000 ? 0.55 : 0.9) : 0.45;
    context.beginPath();
    for (const { source, target } of edges) {
      const x1 = toX(positions[2 * source]!);
      const y1 = toY(positions[2 * source + 1]!);
      const x2 = toX(positions[2 * target]!);
      const y2 = toY(positions[2 * target + 1]!);
      if ((x1 < 0 && x2 < 0) || (x1 > width && x2 > width) || (y1 < 0 && y2 < 0) || (y1 > height && y2 > height))
        continue;
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
    }
    context.stroke();
    context.globalAlpha = 1;
    if (scale > 0.55 && edges.length <= MAX_ARROWS) this.arrows(edges, colours.line, toX, toY);
    if (focusEdges.length > 0) {
      context.strokeStyle = colours.accent;
      context.lineWidth = 1.6;
      context.beginPath();
      for (const { source, target } of focusEdges) {
        context.moveTo(toX(positions[2 * source]!), toY(positions[2 * source + 1]!));
        context.lineTo(toX(positions[2 * target]!), toY(positions[2 * target + 1]!));
      }
      context.stroke();
      this.arrows(focusEdges, colours.accent, toX, toY);
    }

    const byGroup: number[][] = Array.from({ length: GROUPS }, () => []);
    let drawn = 0;
    for (let i = 0; i < model.nodes.length; i++) {
      const x = toX(positions[2 * i]!);
      const y = toY(positions[2 * i + 1]!);
      drawn++;
      if (x < -20 || y < -20 || x > width + 20 || y > height + 20) continue;
      byGroup[model.nodes[i]!.group % GROUPS]!.push(i);
    }
    const size = Math.max(0.45, Math.min(1.25, scale));
    byGroup.forEach((nodes, group) => {
      for (const isDim of focus === undefined ? [false] : [true, false]) {
        context.fillStyle = colours.groups[group]!;
        context.globalAlpha = isDim ? 0.32 : 1;
        context.beginPath();
        for (const i of nodes) {
          if (focus !== undefined && near.has(i) === isDim) continue;
          const x = toX(positions[2 * i]!);
          const y = toY(positions[2 * i + 1]!);
          const radius = this.radius(i) * size;
          context.moveTo(x + radius, y);
          if (model.nodes[i]!.kind === 'literal') context.rect(x - radius, y - radius * 0.7, 2 * radius, 1.4 * radius);
          else context.arc(x, y, radius, 0, 2 * Math.PI);
        }
        context.fill();
      }
    });
    context.globalAlpha = 1;
    for (const node of [this.selected, this.hovered]) {
      if (node === undefined) continue;
      context.strokeStyle = colours.text;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(
        toX(positions[2 * node]!),
        toY(positions[2 * node + 1]!),
        this.radius(node) * size + 3,
        0,
        2 * Math.PI,
      );
      context.stroke();
    }
    this.labels(byGroup.flat(), near, focus, colours, size, toX, toY);
    if (focus !== undefined && focusEdges.length <= 30) this.edgeLabels(focusEdges, colours, toX, toY);
    this.events.onDraw?.({ nodes: drawn, edges: edges.length, isSettled: this.isSettled });
  }

  private arrows(
    edges: readonly { source: number; target: number }[],
    colour: string,
    toX: (x: number) => number,
    toY: (y: number) => number,
  ): void {
    const { context, positions, scale } = this;
    const size = Math.max(0.45, Math.min(1.25, scale));
    context.fillStyle = colour;
    context.beginPath();
    for (const { source, target } of edges) {
      const x1 = toX(positions[2 * source]!);
      const y1 = toY(positions[2 * source + 1]!);
      const x2 = toX(positions[2 * target]!);
      const y2 = toY(positions[2 * target + 1]!);
      const length = Math.hypot(x2 - x1, y2 - y1);
      if (length < 12) continue;
      const dx = (x2 - x1) / length;
      const dy = (y2 - y1) / length;
      const tip = this.radius(target) * size + 1;
      const x = x2 - dx * tip;
      const y = y2 - dy * tip;
      context.moveTo(x, y);
      context.lineTo(x - dx * 7 - dy * 3, y - dy * 7 + dx * 3);
      context.lineTo(x - dx * 7 + dy * 3, y - dy * 7 - dx * 3);
    }
    context.fill();
  }

  /** Labels of the most connected nodes in view, where {@link LabelPlaces} finds places. */
  private labels(
    nodes: readonly number[],
    near: ReadonlySet<number>,
    focus: number | undefined,
    colours: Colours,
    size: number,
    toX: (x: number) => number,
    toY: (y: number) => number,
  ): void {
    const { context, model, positions } = this;
    context.font = FONT;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    const circleOf = (i: number): Circle => ({
      x: toX(positions[2 * i]!),
      y: toY(positions[2 * i + 1]!),
      radius: this.radius(i) * size,
    });
    const circles = new Map(nodes.map((i) => [i, circleOf(i)]));
    const places = new LabelPlaces(circles.values(), this.canvas.clientWidth);
    const order = nodes
      .filter((i) => focus === undefined || near.has(i))
      .sort((a, b) => (b === focus ? 1 : a === focus ? -1 : model.degrees[b]! - model.degrees[a]!));
    let count = 0;
    for (const i of order.slice(0, MAX_LABELS_TRIED)) {
      if (count >= MAX_LABELS) break;
      const label = model.nodes[i]!.label;
      const text = label.length > 34 ? `${label.slice(0, 33)}…` : label;
      const place = places.take(circles.get(i)!, context.measureText(text).width);
      if (!place) continue;
      const { x, y } = place;
      count++;
      context.lineWidth = 3.5;
      context.strokeStyle = colours.background;
      context.strokeText(text, x, y);
      context.fillStyle = i === focus ? colours.text : colours.muted;
      context.fillText(text, x, y);
    }
    context.textBaseline = 'alphabetic';
  }

  private edgeLabels(
    edges: readonly { source: number; target: number; label: string }[],
    colours: Colours,
    toX: (x: number) => number,
    toY: (y: number) => number,
  ): void {
    const { context, positions } = this;
    context.font = '500 11px Inter, system-ui, sans-serif';
    for (const { source, target, label } of edges) {
      const x = (toX(positions[2 * source]!) + toX(positions[2 * target]!)) / 2;
      const y = (toY(positions[2 * source + 1]!) + toY(positions[2 * target + 1]!)) / 2;
      const text = label.length > 30 ? `${label.slice(0, 29)}…` : label;
      context.lineWidth = 4;
      context.strokeStyle = colours.background;
      context.strokeText(text, x, y + 4);
      context.fillStyle = colours.accent;
      context.fillText(text, x, y + 4);
    }
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private hit({ x, y }: { x: number; y: number }): number | undefined {
    const worldX = (x - this.canvas.clientWidth / 2) / this.scale + this.centreX;
    const worldY = (y - this.canvas.clientHeight / 2) / this.scale + this.centreY;
    let best: number | undefined;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.model.nodes.length; i++) {
      const distance = Math.hypot(this.positions[2 * i]! - worldX, this.positions[2 * i + 1]! - worldY);
      const reach = Math.max(this.radius(i), HIT_PX / this.scale);
      if (distance <= reach && distance < bestDistance) {
        best = i;
        bestDistance = distance;
      }
    }
    return best;
  }

  private readonly press = (event: PointerEvent) => {
    const at = this.at(event);
    this.pointers.set(event.pointerId, at);
    this.canvas.setPointerCapture(event.pointerId);
    this.dragged = {
      node: this.pointers.size === 1 ? this.hit(at) : undefined,
      startX: at.x,
      startY: at.y,
      isMoved: false,
    };
  };

  private readonly move = (event: PointerEvent) => {
    const at = this.at(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      const hovered = this.hit(at);
      this.canvas.style.cursor = hovered === undefined ? 'grab' : 'pointer';
      if (hovered !== this.hovered) {
        this.hovered = hovered;
        this.draw();
      }
      return;
    }
    const { dragged } = this;
    if (dragged && Math.hypot(at.x - dragged.startX, at.y - dragged.startY) > CLICK_PX) dragged.isMoved = true;
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)![1];
      const factor =
        Math.hypot(at.x - other.x, at.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      this.zoom(factor);
    } else if (dragged?.isMoved && dragged.node !== undefined) {
      this.positions[2 * dragged.node]! += (at.x - before.x) / this.scale;
      this.positions[2 * dragged.node + 1]! += (at.y - before.y) / this.scale;
      this.follows = false;
    } else if (dragged?.isMoved) {
      this.follows = false;
      this.centreX -= (at.x - before.x) / this.scale;
      this.centreY -= (at.y - before.y) / this.scale;
    }
    this.pointers.set(event.pointerId, at);
    this.draw();
  };

  private readonly leave = () => {
    if (this.hovered === undefined) return;
    this.hovered = undefined;
    this.draw();
  };

  private readonly release = (event: PointerEvent) => {
    this.pointers.delete(event.pointerId);
    const { dragged } = this;
    this.dragged = undefined;
    if (!dragged || dragged.isMoved || event.type === 'pointercancel') return;
    this.choose(dragged.node);
  };

  private choose(node: number | undefined): void {
    this.selected = node;
    this.draw();
    this.events.onSelect(node);
  }

  private readonly expand = (event: MouseEvent) => {
    const node = this.hit(this.at(event));
    if (node !== undefined) this.events.onExpand(node);
  };

  private readonly wheel = (event: WheelEvent) => {
    event.preventDefault();
    const { x, y } = this.at(event);
    const fromX = x - this.canvas.clientWidth / 2;
    const fromY = y - this.canvas.clientHeight / 2;
    const before = this.scale;
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)));
    // The point under the pointer stays where it is.
    this.centreX += fromX / before - fromX / this.scale;
    this.centreY += fromY / before - fromY / this.scale;
  };

  private readonly key = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (direction) this.choose(this.next(direction[0]!, direction[1]!));
    else if (event.key === 'Enter' && this.selected !== undefined) this.events.onExpand(this.selected);
    else if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit();
    else if (event.key === 'Escape') this.choose(undefined);
    else return;
    event.preventDefault();
  };

  /** Returns the nearest node in a direction; the most connected one to begin with. */
  private next(dx: number, dy: number): number | undefined {
    const { selected, positions, model } = this;
    if (selected === undefined) {
      let most = 0;
      for (let i = 1; i < model.degrees.length; i++) if (model.degrees[i]! > model.degrees[most]!) most = i;
      return model.nodes.length > 0 ? most : undefined;
    }
    let best = selected;
    let bestCost = Number.POSITIVE_INFINITY;
    for (let i = 0; i < model.nodes.length; i++) {
      const x = positions[2 * i]! - positions[2 * selected]!;
      const y = positions[2 * i + 1]! - positions[2 * selected + 1]!;
      const ahead = x * dx + y * dy;
      if (i === selected || ahead <= 0) continue;
      const cost = ahead + 2 * Math.abs(x * dy - y * dx);
      if (cost < bestCost) {
        best = i;
        bestCost = cost;
      }
    }
    return best;
  }
}
