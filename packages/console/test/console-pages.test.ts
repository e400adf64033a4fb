import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consolePages } from '@rdf-worlds/console';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-pages-'));
  mkdirSync(join(folder, 'app/assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'app/index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'app/assets/main-abc.js'), 'console.log(1);'.repeat(100));
  writeFileSync(join(folder, 'app/assets/font.woff2'), 'packed'.repeat(100));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = () => consolePages({ directory: join(folder, 'app') });

describe('consolePages', () => {
  it('serves the files of the app, and nothing beside them', () => {
    const { path, find } = pages();
    expect(path).toBe('/console');
    expect(find('/')).toBe(find('/index.html'));
    expect(find('/assets/main-abc.js')).toBeDefined();
    for (const other of ['', '/assets', '/assets/', '/secret.txt', '/../secret.txt', '/%2e%2e/secret.txt'])
      expect([other, find(other)]).toEqual([other, undefined]);
    for (const name of ['/__proto__', '/constructor', '/toString']) expect(find(name)).toBeUndefined();
  });

  it('lets browsers keep what has a hash in its name, and ask for the start page', () => {
    const { find } = pages();
    expect(find('/')!.headers['cache-control']).toBe('no-cache');
    expect(find('/assets/main-abc.js')!.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(find('/')!.etag).not.toBe(find('/assets/main-abc.js')!.etag);
  });

  it('packs what gets shorter', () => {
    const { find } = pages();
    const script = find('/assets/main-abc.js')!;
    expect(script.gzip!.length).toBeLessThan(script.body.length / 2);
    expect(find('/assets/font.woff2')!.gzip).toBeUndefined();
  });

  it('forbids everything that is not of the own origin, and everything unsafe', () => {
    for (const name of ['/', '/assets/main-abc.js']) {
      const policy = pages().find(name)!.headers['content-security-policy']!;
      const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]));
      expect(rules.get('default-src')).toEqual(["'none'"]);
      for (const kind of ['script-src', 'style-src', 'connect-src', 'font-src', 'worker-src'])
        expect([kind, rules.get(kind)]).toEqual([kind, ["'self'"]]);
      expect(rules.get('frame-ancestors')).toEqual(["'none'"]);
      expect(rules.get('require-trusted-types-for')).toEqual(["'script'"]);
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    }
  });

  it('says how to build an app that is not there', () => {
    expect(() => consolePages({ directory: join(folder, 'app/assets') })).toThrow('npm run build');
    expect(() => consolePages({ directory: join(folder, 'nothing') })).toThrow('ENOENT');
  });
});

describe('the built app', () => {
  /**
   * What the browser loads for the first view, in gzip: the page, what it names, and their imports.
   */
  function firstLoad(): { readonly names: readonly string[]; readonly bytes: number } {
    const { find } = consolePages({ directory: inject('consoleApp') });
    const names = new Set<string>();
    const visit = (name: string) => {
      const file = find(name);
      if (!file || names.has(name)) return;
      names.add(name);
      const text = new TextDecoder().decode(file.body);
      if (name.endsWith('.html'))
        for (const [, reference] of text.matchAll(/(?:src|href)="\.(\/[^"]+)"/g)) visit(reference!);
      if (name.endsWith('.js'))
        for (const [, reference] of text.matchAll(/(?:^|[;}])\s*(?:import|export)[^;'"()]*?["']\.\/([^'"]+)["']/g))
          visit(`/assets/${reference}`);
    };
    visit('/index.html');
    const view = [...scripts(find('/index.html')!.body)].find((name) => /worlds-view/.test(name));
    if (view) visit(view);
    const bytes = [...names].reduce((sum, name) => sum + (find(name)!.gzip ?? find(name)!.body).length, 0);
    return { names: [...names], bytes };
  }

  function scripts(page: Uint8Array): Set<string> {
    const { find } = consolePages({ directory: inject('consoleApp') });
    const main = /src="\.(\/assets\/[^"]+\.js)"/.exec(new TextDecoder().decode(page))![1]!;
    const text = new TextDecoder().decode(find(main)!.body);
    return new Set([...text.matchAll(/["'`](?:\.\/|assets\/)([\w-]+\.js)["'`]/g)].map(([, name]) => `/assets/${name}`));
  }

  it('loads below 300 kB in gzip, without the editor, the parser and the graph', () => {
    const { names, bytes } = firstLoad();
    expect(names.some((name) => /worlds-view/.test(name))).toBe(true);
    expect(names.filter((name) => /sparql-editor|syntax-check|graph|layout/.test(name))).toEqual([]);
    // Two fonts that the first view shows.
    expect(bytes + 48_000 + 40_000).toBeLessThan(300_000);
  });

  it('has no script, style or address of another origin in its page', () => {
    const { find } = consolePages({ directory: inject('consoleApp') });
    const text = new TextDecoder().decode(find('/')!.body);
    expect(text).not.toMatch(/<style|style=|<script(?![^>]* src="\.\/)|\son\w+=|https?:/);
  });

  it('has the licences of what it bundles', () => {
    const text = new TextDecoder().decode(consolePages({ directory: inject('consoleApp') }).find('/licenses.md')!.body);
    for (const name of ['preact', '@codemirror/view', 'd3-force']) expect(text).toContain(name);
  });
});
