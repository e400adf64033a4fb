import { describe, expect, it } from 'vitest';
import { LabelPlaces } from '../app/graph/label-places.ts';

const circle = (x: number, y: number, radius = 5) => ({ x, y, radius });

describe('labels of a graph', () => {
  it('are below their nodes, if nothing is there', () => {
    const node = circle(100, 100);
    const place = new LabelPlaces([node]).take(node, 60)!;
    expect(place.x).toBe(100);
    expect(place.y).toBeGreaterThan(105);
  });

  it('avoid other nodes, also large ones', () => {
    const node = circle(100, 100);
    const below = circle(110, 200, 95);
    const place = new LabelPlaces([node, below]).take(node, 60)!;
    expect(place.y).toBeLessThan(100);
  });

  it('avoid other labels', () => {
    const [left, right] = [circle(100, 100), circle(120, 100)];
    const places = new LabelPlaces([left, right]);
    const first = places.take(left, 80)!;
    const second = places.take(right, 80)!;
    expect(Math.abs(first.y - second.y) >= 15 || Math.abs(first.x - second.x) >= 80).toBe(true);
  });

  it('do not stick out of the canvas', () => {
    const [left, right] = [circle(20, 100), circle(190, 100)];
    const places = new LabelPlaces([left, right], 200);
    expect(places.take(left, 60)!.x).toBeGreaterThanOrEqual(30);
    expect(places.take(right, 60)!.x).toBeLessThanOrEqual(170);
    expect(places.take(circle(100, 200), 300)).toBeUndefined();
  });

  it('are left out in a crowd, except those of the first nodes', () => {
    const crowd = Array.from({ length: 2_500 }, (_, i) => circle((i % 50) * 12, Math.floor(i / 50) * 12));
    const places = new LabelPlaces(crowd);
    const labelled = crowd.filter((node) => places.take(node, 90) !== undefined);
    expect(labelled).toContain(crowd[0]);
    // At the rim there is room.
    expect(labelled.filter(({ x, y }) => x > 120 && x < 460 && y > 30 && y < 560)).toEqual([]);
  });
});
