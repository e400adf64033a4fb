import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runExample } from './example-process.ts';

const quickstart = (...args: string[]) => runExample('quickstart.mjs', ...args);

describe('the quickstart', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-quickstart-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('tours the example data', () => {
    const { status, stdout, stderr } = quickstart();
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}elements +elements\.trig +application\/trig +2489 +2489 +\d+$/m);
    expect(stdout).toMatch(/^ {2}space +space\.trig +application\/trig +2087 +2087 +\d+$/m);
    expect(stdout).toMatch(/^ {2}tungsten +W +3\.695e3 +1783$/im);
    expect(stdout).toMatch(/^ {2}neptunium +1940 +Neptune +1 +1977-08-20$/m);
    expect(stdout).toMatch(/^ {5}1 +[01]\.\d{4} +1 +space +mission\//m);
    expect(stdout).toMatch(/^elements as application\/n-quads: [\d,]+ bytes/m);
    expect(stdout).toMatch(/^elements as text\/turtle: [\d,]+ bytes/m);
  });

  it('tours a file of the user', () => {
    const mine = file(
      'mine.ttl',
      `@prefix : <https://example.org/garden#> .
      :rose a :Flower ; :about "Blooms all summer" . :oak a :Tree ; :about "Shade in summer" . :fern a :Flower .`,
    );
    const { status, stdout, stderr } = quickstart(mine);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}mine +mine\.ttl +text\/turtle +5 +5 +\d+$/m);
    expect(stdout).toMatch(/^ {2}https:\/\/example\.org\/garden#Flower +2$/m);
    expect(stdout).toMatch(/^ {2}https:\/\/example\.org\/garden#about +2$/m);
    expect(stdout).toContain('The best hits for "summer"');
    expect(stdout).toMatch(/ 1 +mine +garden#(rose|oak) /);
  });

  it('tours a file without text, or with nothing in it', () => {
    for (const [name, content] of [
      ['links.nt', '<https://example.org/a> <https://example.org/b> <https://example.org/c> .\n'],
      ['empty.nq', ''],
    ] as const) {
      const { status, stdout } = quickstart(file(name, content));
      expect(stdout).toContain('There is no text to search in.');
      expect(status).toBe(0);
    }
  });

  it('says what is wrong with a file, and fails', () => {
    for (const [path, message] of [
      [join(folder, 'absent.ttl'), /absent\.ttl cannot be read/],
      [file('data.xyz', ''), /The format of data\.xyz is unknown/],
      [file('broken.nt', '<https://example.org/a> <https://example.org/b> .\n'), /line 1/],
    ] as const) {
      const { status, stderr } = quickstart(path);
      expect(stderr).toMatch(message);
      expect(status).toBe(1);
    }
  });
});
