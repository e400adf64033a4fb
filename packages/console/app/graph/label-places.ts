/** A rectangle on the canvas, in pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A node as it is drawn, in pixels. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** The centre of a label, in pixels. */
export interface LabelPlace {
  readonly x: number;
  readonly y: number;
}

const HEIGHT_PX = 15;
const GAP_PX = 4;
/** Nodes are compared with labels by squares of this size. */
const CELL_PX = 64;
/** More than any canvas has. */
const ROWS = 65_536;
/** A label may cover this many other nodes, if it is not one of the first. */
const MAX_COVERED = 1;
/** The most connected nodes have a label in any case. */
const ALWAYS_LABELLED = 6;

/**
 * Finds places for labels, in the order of their importance: below, above, right or left of its
 * node, where a label covers no other label and as few nodes as possible.
 */
export class LabelPlaces {
  /** The nodes that touch a square, by column and row. */
  private readonly cells = new Map<number, Circle[]>();
  private readonly taken: Box[] = [];

  private readonly width: number;

  /** `width` is of the canvas, in pixels: labels do not stick out of it sideways. */
  constructor(circles: Iterable<Circle>, width = Number.POSITIVE_INFINITY) {
    this.width = width;
    for (const circle of circles) {
      const { x, y, radius } = circle;
      for (const key of cellsOf({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius })) {
        const known = this.cells.get(key);
        if (known) known.push(circle);
        else this.cells.set(key, [circle]);
      }
    }
  }

  /** Takes a place for a label of a width in pixels; undefined if there is none. */
  take(node: Circle, width: number): LabelPlace | undefined {
    const below = node.radius + GAP_PX + HEIGHT_PX / 2;
    const beside = node.radius + GAP_PX + width / 2;
    let best: { readonly box: Box; readonly place: LabelPlace; readonly covered: number } | undefined;
    for (const place of [
      { x: node.x, y: node.y + below },
      { x: node.x, y: node.y - below },
      { x: node.x + beside, y: node.y },
      { x: node.x - beside, y: node.y },
    ]) {
      const box = {
        left: place.x - width / 2,
        right: place.x + width / 2,
        top: place.y - HEIGHT_PX / 2,
        bottom: place.y + HEIGHT_PX / 2,
      };
      if (box.left < 0 || box.right > this.width) continue;
      if (this.taken.some((other) => overlap(box, other))) continue;
      const covered = this.covered(box, node, best?.covered ?? Number.POSITIVE_INFINITY);
      if (!best || covered < best.covered) best = { box, place, covered };
      if (covered === 0) break;
    }
    if (!best || (best.covered > MAX_COVERED && this.taken.length >= ALWAYS_LABELLED)) return undefined;
    this.taken.push(best.box);
    return best.place;
  }

  /** Number of other nodes under a label; counts no further than `enough`. */
  private covered(box: Box, node: Circle, enough: number): number {
    // A node may be in several squares.
    const found = new Set<Circle>();
    for (const key of cellsOf(box)) {
      for (const circle of this.cells.get(key) ?? []) {
        if (circle !== node && covers(box, circle)) found.add(circle);
        if (found.size >= enough) return found.size;
      }
    }
    return found.size;
  }
}

function* cellsOf({ left, right, top, bottom }: Box): Generator<number> {
  for (let column = Math.floor(left / CELL_PX); column <= Math.floor(right / CELL_PX); column++)
    for (let row = Math.floor(top / CELL_PX); row <= Math.floor(bottom / CELL_PX); row++) yield column * ROWS + row;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.right + GAP_PX &&
    other.left < one.right + GAP_PX &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}

function covers(box: Box, { x, y, radius }: Circle): boolean {
  const nearestX = Math.min(Math.max(x, box.left), box.right);
  const nearestY = Math.min(Math.max(y, box.top), box.bottom);
  return Math.hypot(nearestX - x, nearestY - y) < radius;
}
