import { type CellRow, isBlankCell } from './term-cells.ts';

/**
 * How many guesses one comparison may take. Honest suites need a few; graphs built to defeat
 * refinement would need millions.
 */
const GUESS_LIMIT = 2_000;

/**
 * Returns whether two bags of rows are equal up to a bijection between their blank nodes. For the
 * quads of two datasets, this is isomorphism (RDF 1.1 Concepts 3.6, Datasets 4.1); for solutions,
 * it is equality of results (SPARQL 1.1 Test Cases).
 *
 * Colour refinement distinguishes blank nodes by the rows around them. Where nodes remain
 * indistinguishable, it guesses the partner of one and continues to refine. Throws when
 * {@link GUESS_LIMIT} is reached, because the answer is then unknown.
 */
export function rowsMatch(left: readonly CellRow[], right: readonly CellRow[]): boolean {
  if (left.length !== right.length) return false;
  const guesses = { left: GUESS_LIMIT };
  return matchColoured(left, right, startColours(left), startColours(right), guesses);
}

type Colours = ReadonlyMap<string, number>;

function startColours(rows: readonly CellRow[]): Colours {
  const colours = new Map<string, number>();
  for (const row of rows) for (const cell of row) if (isBlankCell(cell)) colours.set(cell, 0);
  return colours;
}

function matchColoured(
  left: readonly CellRow[],
  right: readonly CellRow[],
  leftStart: Colours,
  rightStart: Colours,
  guesses: { left: number },
): boolean {
  if (leftStart.size !== rightStart.size) return false;
  let leftColours = leftStart;
  let rightColours = rightStart;
  for (let classes = new Set(leftColours.values()).size; ; ) {
    // One palette for both sides makes equal neighbourhoods equal numbers.
    const palette = new Map<string, number>();
    leftColours = refine(left, leftColours, palette);
    rightColours = refine(right, rightColours, palette);
    const refined = new Set(leftColours.values()).size;
    if (refined === classes) break;
    classes = refined;
  }
  if (!sameBag(colouredRows(left, leftColours), colouredRows(right, rightColours))) return false;

  const leftClasses = colourClasses(leftColours);
  const rightClasses = colourClasses(rightColours);
  let smallest: { colour: number; nodes: readonly string[] } | undefined;
  for (const [colour, nodes] of leftClasses) {
    if (rightClasses.get(colour)?.length !== nodes.length) return false;
    if (nodes.length > 1 && (!smallest || nodes.length < smallest.nodes.length)) smallest = { colour, nodes };
  }
  // Every colour is one node on each side: the colours are the bijection, and the coloured rows are
  // equal under it.
  if (!smallest) return true;

  const fresh = Math.max(...leftClasses.keys()) + 1;
  const leftGuess = new Map(leftColours).set(smallest.nodes[0], fresh);
  for (const candidate of rightClasses.get(smallest.colour)!) {
    if (guesses.left-- === 0)
      throw new Error(`The comparison gave up after ${GUESS_LIMIT} guesses: too many blank nodes look alike.`);
    const rightGuess = new Map(rightColours).set(candidate, fresh);
    if (matchColoured(left, right, leftGuess, rightGuess, guesses)) return true;
  }
  return false;
}

/**
 * A node's next colour: its colour, and the coloured rows that it is in with its own places in them
 * marked.
 */
function refine(rows: readonly CellRow[], colours: Colours, palette: Map<string, number>): Colours {
  const around = new Map<string, string[]>();
  for (const node of colours.keys()) around.set(node, []);
  for (const row of rows) {
    const coloured = colouredRow(row, colours);
    for (const node of new Set(row)) {
      const places = around.get(node);
      if (places) places.push(`${row.flatMap((cell, place) => (cell === node ? [place] : [])).join()} ${coloured}`);
    }
  }
  const next = new Map<string, number>();
  for (const [node, places] of around) {
    const key = `${colours.get(node)}\n${places.sort().join('\n')}`;
    let colour = palette.get(key);
    if (colour === undefined) palette.set(key, (colour = palette.size));
    next.set(node, colour);
  }
  return next;
}

function colouredRow(row: CellRow, colours: Colours): string {
  return row.map((cell) => (isBlankCell(cell) ? `_:${colours.get(cell)}` : cell)).join('\0');
}

function colouredRows(rows: readonly CellRow[], colours: Colours): string[] {
  return rows.map((row) => colouredRow(row, colours));
}

function colourClasses(colours: Colours): Map<number, string[]> {
  const classes = new Map<number, string[]>();
  for (const [node, colour] of colours) {
    const nodes = classes.get(colour);
    if (nodes) nodes.push(node);
    else classes.set(colour, [node]);
  }
  return classes;
}

function sameBag(left: readonly string[], right: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const row of left) counts.set(row, (counts.get(row) ?? 0) + 1);
  for (const row of right) {
    const count = counts.get(row);
    if (!count) return false;
    counts.set(row, count - 1);
  }
  return true;
}
