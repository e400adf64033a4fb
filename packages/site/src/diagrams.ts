import { escaped } from './escaped.ts';

/** The name of a code block that is a picture. */
export const DIAGRAM = 'diagram-as-svg';

interface Node {
  readonly id: string;
  readonly lines: readonly Line[];
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
  /** The name of the group that it is in. */
  readonly group: string | undefined;
}

interface Line {
  readonly text: string;
  readonly isName: boolean;
}

type Shape = 'box' | 'round' | 'database';

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly isDashed: boolean;
}

interface Flowchart {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
  readonly groups: ReadonlyMap<string, string>;
}

/** Top left corner of a node, in pixels. */
interface Place {
  readonly x: number;
  readonly y: number;
}

const MAX_CHARACTERS = 18;
const CHARACTER_PX = 7.8;
const LINE_PX = 16;
const PADDING_PX = 10;
const GAP_X_PX = 14;
const GAP_Y_PX = 44;
const MARGIN_PX = 16;
/** Narrower columns scroll, so that the texts stay readable. */
const MIN_WIDTH_PX = 620;

/**
 * Replaces the flowcharts of Mermaid, which GitHub draws, by pictures that need no script: the
 * renderer of Mermaid is a megabyte of it. Throws for a statement that it does not know.
 */
export function withDiagrams(text: string): string {
  let number = 0;
  return text.replace(
    /```mermaid\n([\s\S]*?)\n```/g,
    (_, source: string) => `\`\`\`${DIAGRAM}\n${draw(parse(source), `diagram-${++number}`)}\n\`\`\``,
  );
}

const ID = '\\w+';
const NODE = new RegExp(
  `^(${ID})(?:\\(\\[(?<round>.*?)\\]\\)|\\[\\((?<database>.*?)\\)\\]|\\["(?<quoted>.*?)"\\]|\\[(?<box>.*?)\\])?`,
);
const ARROW = /^\s*(?:-->|-\.->|-- (?<solid>.+?) -->|-\.\s*(?<dashed>.+?)\s*\.->)\s*/;
const GROUP = new RegExp(`^subgraph (${ID})\\["(.*)"\\]$`);

function parse(source: string): Flowchart {
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const groups = new Map<string, string>();
  let group: string | undefined;
  for (const line of source.split('\n').map((each) => each.trim())) {
    const begin = GROUP.exec(line);
    if (begin) {
      group = begin[1]!;
      groups.set(group, begin[2]!);
    } else if (line === 'end') group = undefined;
    else if (line !== '' && !/^flowchart T[BD]$/.test(line)) {
      let rest = line;
      let from: string | undefined;
      let arrow: RegExpExecArray | null = null;
      do {
        const node = NODE.exec(rest);
        if (!node) throw new Error(`A diagram has a statement that is not drawn: ${line}`);
        const [whole, id] = node;
        const { round, database, quoted, box } = node.groups!;
        const label = round ?? database ?? quoted ?? box;
        const shape: Shape = round !== undefined ? 'round' : database !== undefined ? 'database' : 'box';
        const known = nodes.get(id!);
        if (label !== undefined || !known) nodes.set(id!, nodeOf(id!, label ?? id!, shape, known?.group ?? group));
        // A node is in the group that first mentions it.
        else if (known.group === undefined) nodes.set(id!, { ...known, group });
        if (arrow) {
          const { solid, dashed } = arrow.groups!;
          edges.push({ from: from!, to: id!, label: solid ?? dashed ?? '', isDashed: arrow[0].includes('-.') });
        }
        from = id!;
        rest = rest.slice(whole.length);
        arrow = ARROW.exec(rest);
        if (!arrow && rest !== '') throw new Error(`A diagram has a statement that is not drawn: ${line}`);
        rest = rest.slice(arrow?.[0].length ?? 0);
      } while (arrow);
    }
  }
  return { nodes, edges, groups };
}

/** What is before a colon is the name of a node. */
function nodeOf(id: string, label: string, shape: Shape, group: string | undefined): Node {
  const [, name = '', text = ''] = /^([^:]*)(?:: (.*))?$/.exec(label) ?? [];
  const lines = [
    ...wrapped(name).map((line) => ({ text: line, isName: true })),
    ...wrapped(text).map((line) => ({ text: line, isName: false })),
  ];
  const longest = Math.max(...lines.map((line) => line.text.length));
  return {
    id,
    lines,
    shape,
    group,
    width: Math.ceil(longest * CHARACTER_PX + 2 * PADDING_PX),
    height: lines.length * LINE_PX + 2 * PADDING_PX + (shape === 'database' ? 10 : 0),
  };
}

/** Lines of at most {@link MAX_CHARACTERS}, broken at spaces and after slashes. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const part of text.split(/(?<=\/)(?=\S)|(?<=\s)/)) {
    const last = lines.at(-1);
    if (last !== undefined && (last + part).trim().length <= MAX_CHARACTERS) lines[lines.length - 1] = last + part;
    else if (part.trim() !== '') lines.push(part);
  }
  return lines.map((line) => line.trim());
}

/**
 * Nodes that only dashed arrows connect to a group, directly or through each other. They are drawn
 * below it, which keeps the picture narrow.
 */
function belowGroups({ nodes, edges }: Flowchart): ReadonlySet<string> {
  const below = new Set<string>();
  for (let before = -1; before !== below.size; ) {
    before = below.size;
    for (const { id, group } of nodes.values()) {
      const out = edges.filter(({ from }) => from === id);
      const leads = ({ to, isDashed }: Edge) => isDashed && (nodes.get(to)!.group !== undefined || below.has(to));
      if (group === undefined && out.length > 0 && out.every(leads)) below.add(id);
    }
  }
  return below;
}

/**
 * Returns the nodes of each row, from the top: each as far down as the nodes that it leads to
 * allow.
 */
function rowsOf(chart: Flowchart): string[][] {
  const { nodes, edges } = chart;
  const below = belowGroups(chart);
  const down = edges.map(({ from, to }) => (below.has(from) ? { from: to, to: from } : { from, to }));
  const heights = new Map<string, number>();
  const open = new Set<string>();
  // Arrows that lead back up: those whose opposite was before, and those that close a circle.
  const isOpposite = (one: (typeof down)[number], other: (typeof down)[number]) =>
    one.from === other.to && one.to === other.from;
  const back = new Set(down.filter((edge, i) => down.slice(0, i).some((other) => isOpposite(edge, other))));
  const visited = new Set<string>();
  const findBack = (id: string): void => {
    visited.add(id);
    open.add(id);
    for (const edge of down) {
      if (edge.from !== id || back.has(edge)) continue;
      if (open.has(edge.to)) back.add(edge);
      else if (!visited.has(edge.to)) findBack(edge.to);
    }
    open.delete(id);
  };
  for (const id of nodes.keys()) if (!visited.has(id)) findBack(id);
  const heightOf = (id: string): number => {
    const known = heights.get(id);
    if (known !== undefined) return known;
    const next = down.filter((edge) => edge.from === id && !back.has(edge)).map(({ to }) => heightOf(to) + 1);
    const height = Math.max(0, ...next);
    heights.set(id, height);
    return height;
  };
  for (const id of nodes.keys()) heightOf(id);
  // The rows of groups end above those of the nodes below them.
  const lowest = Math.max(-1, ...[...below].map((id) => heights.get(id)!));
  const inGroups = [...nodes.values()].filter(({ group }) => group !== undefined);
  const lift = Math.max(0, lowest + 1 - Math.min(...inGroups.map(({ id }) => heights.get(id)!)));
  const rowFromBelow = (id: string) => heights.get(id)! + (below.has(id) || lift === 0 ? 0 : lift);
  const last = Math.max(...[...nodes.keys()].map(rowFromBelow));
  const rows: string[][] = Array.from({ length: last + 1 }, () => []);
  for (const id of nodes.keys()) rows[last - rowFromBelow(id)]!.push(id);
  return rows.filter((row) => row.length > 0);
}

/** Places the nodes: rows in the middle, and in a row by what they are connected with above. */
function placesOf(chart: Flowchart): { places: Map<string, Place>; width: number; height: number } {
  const { nodes, edges } = chart;
  const rows = rowsOf(chart);
  const order = new Map<string, number>();
  for (const row of rows) {
    const middle = (id: string) => {
      const above = edges.flatMap(({ from, to }) => (to === id ? [from] : from === id ? [to] : []));
      const known = above.map((other) => order.get(other)).filter((each) => each !== undefined);
      return known.length === 0 ? 0.5 : known.reduce((sum, each) => sum + each, 0) / known.length;
    };
    const middles = new Map(row.map((id) => [id, middle(id)]));
    row.sort((a, b) => middles.get(a)! - middles.get(b)!);
    for (const [i, id] of row.entries()) order.set(id, (i + 0.5) / row.length);
  }
  const widthOf = (row: readonly string[]) =>
    row.reduce((sum, id) => sum + nodes.get(id)!.width + GAP_X_PX, -GAP_X_PX) +
    (row.some((id) => nodes.get(id)!.group) ? 2 * MARGIN_PX : 0);
  const width = Math.max(...rows.map(widthOf)) + 2 * MARGIN_PX;
  const places = new Map<string, Place>();
  let y = MARGIN_PX;
  rows.forEach((row, i) => {
    const isGrouped = (each: readonly string[] | undefined) => each?.some((id) => nodes.get(id)!.group) ?? false;
    // Room for the frame of a group and its title.
    if (isGrouped(row) && !isGrouped(rows[i - 1])) y += LINE_PX + PADDING_PX;
    const height = Math.max(...row.map((id) => nodes.get(id)!.height));
    const inner = row.reduce((sum, id) => sum + nodes.get(id)!.width + GAP_X_PX, -GAP_X_PX);
    let x = (width - inner) / 2;
    for (const id of row) {
      places.set(id, { x, y: y + (height - nodes.get(id)!.height) / 2 });
      x += nodes.get(id)!.width + GAP_X_PX;
    }
    y += height + (isGrouped(row) && !isGrouped(rows[i + 1]) ? GAP_Y_PX + PADDING_PX : GAP_Y_PX);
  });
  return { places, width, height: y - GAP_Y_PX + MARGIN_PX };
}

function draw(chart: Flowchart, id: string): string {
  const { nodes, edges, groups } = chart;
  const { places, width, height } = placesOf(chart);
  const boxOf = (name: string) => ({ ...places.get(name)!, ...nodes.get(name)! });
  const frames = [...groups].map(([name, title]) => {
    const inside = [...nodes.values()].filter(({ group }) => group === name).map(({ id: each }) => boxOf(each));
    const left = Math.min(...inside.map(({ x }) => x)) - MARGIN_PX;
    const top = Math.min(...inside.map(({ y }) => y)) - MARGIN_PX - LINE_PX;
    const right = Math.max(...inside.map((box) => box.x + box.width)) + MARGIN_PX;
    const bottom = Math.max(...inside.map((box) => box.y + box.height)) + MARGIN_PX;
    return (
      `<rect class="frame" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" rx="8"/>` +
      `<text class="title" x="${left + 12}" y="${top + 19}">${escaped(title)}</text>`
    );
  });
  const labelled = new Set<string>();
  const labels: string[] = [];
  const lines = edges.map(({ from, to, label, isDashed }) => {
    const [a, b] = [boxOf(from), boxOf(to)];
    const isDown = a.y <= b.y;
    const hasOpposite = edges.some((other) => other.from === to && other.to === from);
    const aside = hasOpposite ? (isDown ? -10 : 10) : 0;
    const [x1, y1] = [a.x + a.width / 2 + aside, isDown ? a.y + a.height : a.y];
    const [x2, y2] = [b.x + b.width / 2 + aside, isDown ? b.y - 5 : b.y + b.height + 5];
    // From below a group, an arrow ends at the side of its node: others of the group may be
    // between.
    const isInto = a.group === undefined && b.group !== undefined && !isDown;
    const isLeft = a.x + a.width / 2 < b.x + b.width / 2;
    const end = isInto ? { x: isLeft ? b.x - 5 : b.x + b.width + 5, y: b.y + b.height / 2 } : { x: x2, y: y2 };
    const turn = isInto ? { x: end.x + (isLeft ? -70 : 70), y: end.y } : { x: x2, y: y2 - (y2 - y1) / 2 };
    const bend = (end.y - y1) / 2;
    const siblings = edges.filter((other) => other.label === label && (other.to === to || other.from === from));
    const middle = siblings[Math.floor((siblings.length - 1) / 2)]!;
    // Arrows of one node with the same label have it once.
    const key = `${label} ${siblings.length > 1 ? (siblings.every((other) => other.to === to) ? to : from) : `${from} ${to}`}`;
    if (label !== '' && !labelled.has(key) && middle.from === from && middle.to === to) {
      labelled.add(key);
      const anchor = hasOpposite ? (isDown ? ' before' : ' after') : '';
      const x = (x1 + x2) / 2 + (hasOpposite ? (isDown ? -7 : 7) : 0);
      const y = isInto ? y1 - 12 : (y1 + y2) / 2 + 4;
      labels.push(`<text class="of-arrow${anchor}" x="${fixed(x)}" y="${fixed(y)}">${escaped(label)}</text>`);
    }
    const path = `M${fixed(x1)} ${fixed(y1)}C${fixed(x1)} ${fixed(y1 + bend)} ${fixed(turn.x)} ${fixed(turn.y)} ${fixed(end.x)} ${fixed(end.y)}`;
    return `<path class="arrow${isDashed ? ' dashed' : ''}" d="${path}" marker-end="url(#${id}-head)"/>`;
  });
  const boxes = [...nodes.values()].map((node) => drawNode(node, places.get(node.id)!));
  const name = ({ lines: each }: Node) =>
    each
      .filter(({ isName }) => isName)
      .map(({ text }) => text)
      .join('');
  const summary = edges
    .map(({ from, to, label }) => `${name(nodes.get(from)!)} ${label || 'to'} ${name(nodes.get(to)!)}`)
    .join('; ');
  return (
    `<figure class="diagram"><svg class="drawing" viewBox="0 0 ${fixed(width)} ${fixed(height)}" width="${fixed(width)}" style="min-width:${fixed(Math.min(width, MIN_WIDTH_PX))}px" role="img" aria-labelledby="${id}-title ${id}-text">` +
    `<title id="${id}-title">Diagram</title><desc id="${id}-text">${escaped(summary)}.</desc>` +
    `<defs><marker id="${id}-head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>` +
    `${frames.join('')}${lines.join('')}${boxes.join('')}${labels.join('')}</svg></figure>`
  );
}

function drawNode({ lines, shape, width, height }: Node, { x, y }: Place): string {
  const [left, top] = [fixed(x), fixed(y)];
  const outline =
    shape === 'database'
      ? `<path class="node" d="M${left} ${fixed(y + 7)}a${width / 2} 7 0 0 1 ${width} 0v${height - 14}a${width / 2} 7 0 0 1 -${width} 0zm0 0a${width / 2} 7 0 0 0 ${width} 0"/>`
      : `<rect class="node" x="${left}" y="${top}" width="${width}" height="${height}" rx="${shape === 'round' ? height / 2 : 6}"/>`;
  const first = y + PADDING_PX + 12 + (shape === 'database' ? 9 : 0);
  const texts = lines.map(
    ({ text, isName }, i) =>
      `<text class="${isName ? 'name' : 'about'}" x="${fixed(x + width / 2)}" y="${fixed(first + i * LINE_PX)}">${escaped(text)}</text>`,
  );
  return outline + texts.join('');
}

const fixed = (value: number) => Number(value.toFixed(1));
