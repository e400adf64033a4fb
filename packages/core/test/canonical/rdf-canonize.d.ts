/** The parts of rdf-canonize, which has no types, that the tests use. */
declare module 'rdf-canonize' {
  interface Options {
    readonly algorithm: 'RDFC-1.0';
    readonly messageDigestAlgorithm: string;
    readonly maxWorkFactor: number;
  }
  export function canonize(quads: readonly unknown[], options: Options): Promise<string>;
  export const NQuads: { parse(text: string): unknown[] };
}
