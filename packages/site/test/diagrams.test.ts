import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withDiagrams } from '../src/diagrams.ts';
import { pages, ROOT } from '../src/pages.ts';

const chart = (...lines: readonly string[]) => `\`\`\`mermaid\nflowchart TB\n${lines.join('\n')}\n\`\`\``;
const drawn = (...lines: readonly string[]) => withDiagrams(chart(...lines));

/** Top and bottom of each frame and node, by its first text. */
function boxes(picture: string): Map<string, { x: number; y: number; width: number; height: number }> {
  const found =
    /<rect class="(?:node|frame)" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"[^>]*\/><text[^>]*>([^<]*)/g;
  return new Map(
    [...picture.matchAll(found)].map(([, x, y, width, height, name]) => [
      name!,
      { x: Number(x), y: Number(y), width: Number(width), height: Number(height) },
    ]),
  );
}

describe('diagrams', () => {
  it('have a box for each node, in rows along the arrows, and a summary', () => {
    const picture = drawn('a["first: begins"] --> b[second]', 'b -- by <post> --> c([third])', 'a -.-> c');
    const { first, second, third } = Object.fromEntries(boxes(picture));
    expect(first!.y + first!.height).toBeLessThan(second!.y);
    expect(second!.y + second!.height).toBeLessThan(third!.y);
    expect(picture).toContain('first to second; second by &lt;post> third; first to third.');
    expect(picture.match(/class="arrow/g)).toHaveLength(3);
    expect(picture.match(/class="arrow dashed"/g)).toHaveLength(1);
  });

  it('draw arrows back, and a label that several arrows share once', () => {
    const picture = drawn('a --> d', 'b --> d', 'd -. tells .-> a', 'd -. tells .-> b');
    const { a, b, d } = Object.fromEntries(boxes(picture));
    expect(a!.y).toBe(b!.y);
    expect(a!.y + a!.height).toBeLessThan(d!.y);
    expect(picture.match(/class="of-arrow/g)).toHaveLength(1);
  });

  it('frame groups, with what only implements something of them below', () => {
    const picture = drawn(
      'user --> one',
      'subgraph core["the core"]',
      'one --> two',
      'end',
      'plug -.implements.-> one',
      'kit -.checks.-> plug',
    );
    const { 'the core': frame, user, one, two, plug, kit } = Object.fromEntries(boxes(picture));
    for (const inside of [one!, two!]) {
      expect(inside.y).toBeGreaterThan(frame!.y);
      expect(inside.y + inside.height).toBeLessThan(frame!.y + frame!.height);
    }
    expect(user!.y + user!.height).toBeLessThan(frame!.y);
    expect(plug!.y).toBeGreaterThan(frame!.y + frame!.height);
    expect(kit!.y).toBeGreaterThan(plug!.y);
  });

  it('refuse what they cannot draw', () => {
    expect(() => drawn('a ==> b')).toThrow('a ==> b');
    expect(() => drawn('style a fill:red')).toThrow('style a fill:red');
  });

  it('of all documents are drawn, and nothing covers anything', () => {
    let count = 0;
    for (const { source } of pages()) {
      const text = readFileSync(`${ROOT}/${source}`, 'utf8');
      const pictures = withDiagrams(text).match(/<figure class="diagram">[\s\S]*?<\/figure>/g) ?? [];
      expect(pictures).toHaveLength(text.match(/^```mermaid$/gm)?.length ?? 0);
      for (const picture of pictures) {
        count++;
        expect(picture).not.toMatch(/NaN|undefined|Infinity/);
        const nodes = [...boxes(picture.replace(/<rect class="frame"[^>]*>/g, '')).values()];
        for (const [i, one] of nodes.entries())
          for (const other of nodes.slice(i + 1)) {
            const isApart =
              one.x + one.width <= other.x ||
              other.x + other.width <= one.x ||
              one.y + one.height <= other.y ||
              other.y + other.height <= one.y;
            expect(isApart).toBe(true);
          }
      }
    }
    expect(count).toBeGreaterThanOrEqual(3);
  });
});
