import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError, usage } from '../src/arguments.ts';
import type { Benchmark } from '../src/benchmark.ts';
import { BENCHMARKS } from '../src/benchmarks.ts';

const benchmark: Benchmark = {
  name: 'sample',
  summary: 'a sample',
  options: {
    file: { kind: 'file', meaning: 'a file' },
    rounds: { kind: 'integer', default: 3, min: 1, meaning: 'rounds' },
    size: { kind: 'choice', choices: ['small', 'large'], default: 'small', meaning: 'size' },
    peers: { kind: 'choices', choices: ['a', 'b', 'c'], default: 'a,b', meaning: 'peers' },
    growth: { kind: 'flag', meaning: 'growth' },
  },
  run: async () => ({ settings: [], tables: [], notes: [] }),
};
const DEFAULTS = { file: undefined, rounds: 3, size: 'small', peers: ['a', 'b'], growth: false };
const parse = (...argv: string[]) => parseArguments(argv, [benchmark]);

describe('arguments', () => {
  it.each([
    { argv: [], values: {} },
    { argv: ['--rounds', '5'], values: { rounds: 5 } },
    { argv: ['--rounds=1_000'], values: { rounds: 1000 } },
    { argv: ['--size', 'large', '--growth'], values: { size: 'large', growth: true } },
    { argv: ['--peers', 'c'], values: { peers: ['c'] } },
    { argv: ['--peers', 'c,a,b'], values: { peers: ['c', 'a', 'b'] } },
    { argv: ['--rounds', '1,000,000', '--file', 'a.nt'], values: { file: 'a.nt', rounds: 1_000_000 } },
  ])('sample $argv', ({ argv, values }) => {
    const parsed = parse('sample', ...argv);
    expect(parsed.benchmark).toBe(benchmark);
    expect(parsed.values).toEqual({ ...DEFAULTS, ...values });
  });

  it.each([[], ['--help'], ['-h'], ['sample', '--help'], ['sample', '-h']])('%j requests the usage', (...argv) => {
    expect(parse(...argv).benchmark).toBeUndefined();
  });

  it.each([
    { argv: ['nothing'], says: 'There is no benchmark "nothing"; there are: sample.' },
    { argv: ['__proto__'], says: 'There is no benchmark "__proto__"' },
    { argv: ['sample', '--rounds', '0'], says: '--rounds takes an integer from 1 on, not "0".' },
    { argv: ['sample', '--rounds', '1.5'], says: '--rounds takes an integer' },
    { argv: ['sample', '--rounds', '1e3'], says: '--rounds takes an integer' },
    { argv: ['sample', '--rounds', '1_0'], says: '--rounds takes an integer' },
    { argv: ['sample', '--rounds='], says: '--rounds takes an integer' },
    { argv: ['sample', '--rounds=-1'], says: '--rounds takes an integer' },
    { argv: ['sample', '--rounds', '99999999999999999999'], says: '--rounds takes an integer' },
    { argv: ['sample', '--rounds'], says: '--rounds' },
    { argv: ['sample', '--worlds', '1'], says: '--worlds' },
    { argv: ['sample', '--size', 'huge'], says: '--size takes one of small, large; not "huge".' },
    { argv: ['sample', '--size', 'small,large'], says: '--size takes one of small, large' },
    { argv: ['sample', '--peers', 'a,z'], says: '--peers takes some of, with commas between: a, b, c; not "a,z".' },
    { argv: ['sample', '--peers', 'a,a'], says: '--peers takes' },
    { argv: ['sample', '--peers='], says: '--peers takes' },
    { argv: ['sample', '--growth=yes'], says: '--growth' },
    { argv: ['sample', 'more'], says: 'more' },
  ])('$argv is refused', ({ argv, says }) => {
    expect(() => parse(...argv)).toThrow(UsageError);
    expect(() => parse(...argv)).toThrow(says);
  });

  it('the usage names every benchmark and every option', () => {
    const text = usage(BENCHMARKS);
    for (const { name, options } of BENCHMARKS) {
      expect(text).toContain(`  ${name}: `);
      for (const option of Object.keys(options)) expect(text).toContain(`--${option} `);
    }
  });

  it('names of benchmarks are unique', () => {
    expect(new Set(BENCHMARKS.map(({ name }) => name)).size).toBe(BENCHMARKS.length);
  });
});
