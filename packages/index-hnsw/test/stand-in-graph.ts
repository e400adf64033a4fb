import type { HnswGraph } from '../src/hnswlib.ts';

/**
 * Stands in for the graph of hnswlib-node where that is not installed. As a search in a graph does,
 * one here looks at the `ef` points nearest of all and gives those of them that the filter allows;
 * so what it finds depends on points that the filter hides.
 */
export class StandInGraph implements HnswGraph {
  private readonly points = new Map<number, readonly number[]>();
  private ef = 10;

  initIndex(): void {}

  resizeIndex(): void {}

  addPoint(point: number[], label: number): void {
    this.points.set(label, point);
  }

  markDelete(label: number): void {
    this.points.delete(label);
  }

  setEf(ef: number): void {
    this.ef = ef;
  }

  searchKnn(point: number[], count: number, filter?: (label: number) => boolean): { neighbors: number[] } {
    const nearest = [...this.points]
      .map(([label, other]) => ({ label, product: other.reduce((sum, component, i) => sum + component * point[i], 0) }))
      .sort((a, b) => b.product - a.product)
      .slice(0, this.ef);
    const allowed = nearest.filter(({ label }) => !filter || filter(label)).slice(0, count);
    return { neighbors: allowed.map(({ label }) => label) };
  }
}
