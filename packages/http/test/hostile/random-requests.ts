import type { SeededRandom } from '@rdf-worlds/testkit';
import { direct, form, graphOf, type HostileRequest, importOf, json } from './attack.ts';

/**
 * Requests of a grammar of SPARQL and of the documents, of which most are valid, and all are bent
 * to nesting, repetition and length: any production may be one that is repeated or nested many
 * times.
 */
export class RandomRequests {
  private readonly random: SeededRandom;
  private readonly maxLength: number;
  /** How much more text there may be; what comes after is as short as it can be. */
  private room = 0;

  /** @param maxLength of one text, about, in UTF-16 units */
  constructor(random: SeededRandom, maxLength: number) {
    this.random = random;
    this.maxLength = maxLength;
  }

  next(): HostileRequest {
    this.room = Math.ceil(this.maxLength * this.random.next() ** 2);
    const text = this.pick(this.texts)();
    return this.random.chance(0.05) ? this.cut(text) : text;
  }

  private readonly texts: readonly (() => HostileRequest)[] = [
    () => this.asQuery(this.query()),
    () => this.asQuery(this.query()),
    () => this.asQuery(this.query()),
    () => this.asUpdate(this.update()),
    () => this.asUpdate(this.update()),
    () => importOf(this.turtle(), this.pick(['text/turtle', 'application/trig', 'text/n3'])),
    () => graphOf(this.turtle(), 'text/turtle', this.pick(['PUT', 'POST'])),
    () => importOf(this.quads(), 'application/n-quads'),
    () => importOf(this.xml(), 'application/rdf+xml'),
    () => importOf(this.jsonLd(), 'application/ld+json'),
    () =>
      json('POST', '/worlds/w/search', {
        query: this.many(() => this.word(), ' '),
        limit: this.below(1000) + 1,
        prefix: this.random.chance(0.5),
        ...this.pick([
          {},
          { facets: true },
          { explain: true },
          { fields: true },
          { feedback: true },
          { canonicalOrder: true },
        ]),
      }),
    () => importOf(this.patch(), 'application/rdf-patch'),
    () => json('POST', '/worlds/w/export', this.exported()),
    () => json('POST', '/worlds/w/export', this.exported()),
    () => this.pastOrPlan(),
    () => this.asMcp(this.message()),
    () => this.asMcp(this.message()),
    // A batch, as far as the values of one request go.
    () => this.asMcp(Array.from({ length: this.below(60) }, () => this.message())),
  ];

  /** Copies, comparisons, plans, descriptions and feeds. */
  private pastOrPlan(): HostileRequest {
    const at = () => this.pick<object>([{}, {}, { at: this.below(20) }, { at: '2020-01-01T00:00:00Z' }]);
    const get = (path: string): HostileRequest => ({
      method: 'GET',
      path,
      as: this.pick(['mallory', 'guest'] as const),
    });
    return this.pick<() => HostileRequest>([
      () => json('POST', '/worlds/w/fork', { slug: `f${this.below(1e9)}`, ...at() }),
      () => ({
        ...json('POST', '/worlds/w/diff', { from: this.below(20) }),
        as: this.pick(['mallory', 'reader'] as const),
      }),
      () => json('POST', '/worlds/w/sparql', { query: this.query(), explain: this.pick(['plan', 'analyze']) }),
      () =>
        json('POST', '/worlds/sparql', {
          query: this.pick([() => this.query(), () => this.update()])(),
          validate: true,
        }),
      () => ({ ...json('POST', '/worlds/w/sparql', { query: this.query() }), as: 'guest' }),
      () => json('POST', '/worlds/w/sparql', { query: this.query(), canonicalOrder: true, ...at() }),
      () => get(`/worlds/w/schema?limit=${this.below(1000)}`),
      () => get('/worlds/w/stats'),
      () => get(`/worlds/w/graphs?${this.pick(['default', 'graph=urn:g'])}`),
      () => ({ method: 'GET', path: `/worlds/w/changes?follow=false&after=${this.below(20)}` }),
    ])();
  }

  private asMcp(message: unknown): HostileRequest {
    const request = json('POST', this.pick(['/mcp', '/reference']), message);
    return { ...request, headers: { ...request.headers, accept: 'application/json, text/event-stream' } };
  }

  /** A message of MCP, mostly a call. */
  private message(): object {
    const fact = () => ({ subject: this.word(), predicate: this.word(), value: this.long('v') });
    const items = <Item>(item: () => Item): Item[] =>
      Array.from({ length: this.below(this.random.chance(0.1) ? 600 : 6) }, item);
    const call = (name: string, input: object) => ({ method: 'tools/call', params: { name, arguments: input } });
    const message = this.pick<() => object>([
      () => call('query', { query: this.query() }),
      () => call('query', { query: this.query(), worlds: items(() => 'w') }),
      () => call('search', { query: this.many(() => this.word(), ' ') }),
      () => call('find_entity', { name: this.word(), worlds: ['w'] }),
      () => call('look', { world: 'w', entity: this.iri() }),
      () => call('describe_world', { world: 'w' }),
      () => call('remember', { world: 'w', facts: items(fact) }),
      () => call('remember', { world: 'w', document: this.turtle() }),
      () => call('correct', { world: 'w', old: fact(), kind: 'wrong', value: this.long('x') }),
      () => call('forget', { world: 'w', facts: items(fact) }),
      () => call('history', { world: 'w', entity: this.iri() }),
      () => call('import_document', { world: 'w', document: this.turtle() }),
      () =>
        call('remember_document', {
          world: 'w',
          document: this.word(),
          text: this.many(() => this.word(), this.pick([' ', '. ', '\n\n'])),
        }),
      () =>
        call('create_entities', {
          entities: items(() => ({ name: this.word(), entityType: 't', observations: items(() => this.long('o')) })),
        }),
      () => call('search_nodes', { query: this.word() }),
      () => call('open_nodes', { names: items(() => this.word()) }),
      () => ({ method: this.pick(['tools/list', 'resources/list', 'prompts/list', 'ping']) }),
      () => ({ method: 'prompts/get', params: { name: 'remember', arguments: { text: this.long('t') } } }),
    ])();
    return { jsonrpc: '2.0', id: this.below(100), ...message };
  }

  /** The body of an export: a frame, a context, prefixes, or an order. */
  private exported(): object {
    const key = () =>
      this.pick(['urn:p0', 'urn:p1', '@type', '@id', '@reverse', '@embed', '@default', `urn:${this.long('k')}`]);
    const frame = (depth: number): object =>
      Object.fromEntries(
        Array.from({ length: this.below(this.random.chance(0.05) ? 2_000 : 4) }, () => [
          key(),
          this.isFull(depth)
            ? {}
            : this.pick<() => unknown>([
                () => frame(depth + 1),
                () => [frame(depth + 1)],
                () => this.long('v'),
                () => [],
              ])(),
        ]),
      );
    const context = (depth: number): object =>
      Object.fromEntries(
        Array.from({ length: this.below(this.random.chance(0.05) ? 2_000 : 4) }, (_, i) => [
          `t${i}`,
          this.isFull(depth)
            ? 'urn:p0'
            : this.pick<() => unknown>([
                () => `urn:${this.long('p')}`,
                () => ({ '@id': 'urn:p1', '@context': context(depth + 1) }),
                () => `t${i + 1}:x`,
              ])(),
        ]),
      );
    return this.pick<() => object>([
      () => ({ contentType: 'application/ld+json', frame: frame(0) }),
      () => ({ contentType: 'application/ld+json', context: context(0) }),
      () => ({ contentType: 'application/ld+json', frame: { '@context': context(0), ...frame(0) } }),
      () => ({ contentType: 'text/turtle', prefixes: context(9) }),
      () => ({ canonicalOrder: true }),
    ])();
  }

  private patch(): string {
    return this.many(() => `${this.pick(['A', 'D', 'A', 'TX', 'TC', 'TA', 'PA p'])} ${this.quads()}`, '\n');
  }

  private asQuery(query: string): HostileRequest {
    return this.pick([
      () => json('POST', '/worlds/w/sparql', { query }),
      () => direct('/worlds/sparql', 'query', query),
      () => form('/worlds/w/sparql', { query }),
    ])();
  }

  private asUpdate(update: string): HostileRequest {
    return this.pick([
      () => json('POST', '/worlds/w/sparql', { query: update }),
      () => direct('/worlds/w/sparql', 'update', update),
      () => form('/worlds/w/sparql', { update }),
    ])();
  }

  /** Breaks a request off, as a client does that goes wrong. */
  private cut(request: HostileRequest): HostileRequest {
    const { body = '' } = request;
    return { ...request, body: body.slice(0, this.below(body.length + 1)) };
  }

  // SPARQL

  private query(): string {
    const where = `{ ${this.group(0)} }`;
    const modifiers = [
      this.some(0.2, () => `GROUP BY ${this.many(() => `(${this.expression(0)})`, ' ')}`),
      this.some(0.2, () => `ORDER BY ${this.many(() => `(${this.expression(0)})`, ' ')}`),
      this.some(0.3, () => `LIMIT ${this.below(100)}`),
    ].join(' ');
    return this.pick([
      () => `SELECT * ${where} ${modifiers}`,
      () =>
        `SELECT ${this.pick(['', 'DISTINCT', 'REDUCED'])} ${this.many(() => `(${this.expression(0)} AS ?x${this.below(1e9)})`, ' ')} ${where} ${modifiers}`,
      () => `SELECT (${this.aggregate()} AS ?a) ${where}`,
      () => `ASK ${where}`,
      () => `CONSTRUCT { ${this.triples(0)} } ${where} LIMIT 1000`,
      () => `DESCRIBE ${this.many(() => this.iri(), ' ')}`,
    ])();
  }

  private update(): string {
    return this.many(
      () =>
        this.pick([
          () => `INSERT DATA { ${this.data()} }`,
          () => `DELETE DATA { ${this.data()} }`,
          () => `INSERT { ${this.triples(0)} } WHERE { ${this.group(0)} }`,
          () => `DELETE { ?v0 ?v1 ?v2 } WHERE { ${this.group(0)} }`,
          () => `DELETE WHERE { ?v0 ${this.iri()} ?v1 }`,
          () => `${this.pick(['CLEAR', 'DROP'])} SILENT GRAPH ${this.iri()}`,
          () => `${this.pick(['COPY', 'MOVE', 'ADD'])} SILENT DEFAULT TO ${this.iri()}`,
        ])(),
      ' ; ',
    );
  }

  private group(depth: number): string {
    return this.many(() => this.pattern(depth), ' ');
  }

  private pattern(depth: number): string {
    if (this.isFull(depth)) return '?v0 <urn:p0> ?v1 .';
    const inner = () => this.group(depth + 1);
    return this.pick([
      () => this.triples(depth + 1),
      () => this.triples(depth + 1),
      () => `FILTER(${this.expression(depth + 1)})`,
      () => `BIND(${this.expression(depth + 1)} AS ?b${this.below(1e9)})`,
      () => this.deep('{ ', inner(), ' }'),
      () => this.deep('OPTIONAL { ?v0 <urn:p0> ?v1 ', inner(), ' }'),
      () => this.deep('{ ?v0 <urn:p1> ?v2 } UNION { ', inner(), ' }'),
      () => this.deep('MINUS { ?v0 ?v1 ?v2 ', inner(), ' }'),
      () => this.deep('FILTER NOT EXISTS { ', inner(), ' }'),
      () => this.deep('GRAPH ?g { ', inner(), ' }'),
      () => this.deep('{ SELECT DISTINCT * { ', inner(), ' } LIMIT 10 }'),
      () => `VALUES ?v${this.below(5)} { ${this.many(() => this.constant(), ' ')} }`,
    ])();
  }

  private triples(depth: number): string {
    return this.many(
      () =>
        `${this.node(depth)} ${this.pick([() => this.iri(), () => this.variable(), () => this.path(0)])()} ${this.many(() => this.node(depth), ', ')} .`,
      ' ',
    );
  }

  private node(depth: number): string {
    if (this.isFull(depth)) return this.variable();
    return this.pick([
      () => this.variable(),
      () => this.variable(),
      () => this.iri(),
      () => this.deep('[ <urn:p0> ', this.variable(), ' ]'),
      () => this.deep('( ', this.variable(), ' )'),
      () => `( ${this.many(() => this.node(depth + 1), ' ')} )`,
    ])();
  }

  private path(depth: number): string {
    if (this.isFull(depth)) return '<urn:p0>';
    const inner = () => this.path(depth + 1);
    return this.pick([
      () => '<urn:p0>',
      () => this.deep('(', inner(), this.pick([')*', ')+', ')?', '/<urn:p1>)', '|<urn:p2>)'])),
      () => this.deep('^(', inner(), ')'),
      () => this.many(inner, this.pick(['/', '|'])),
      () => `!(${this.many(() => this.iri(), '|')})`,
    ])();
  }

  private expression(depth: number): string {
    if (this.isFull(depth)) return this.variable();
    const inner = () => this.expression(depth + 1);
    return this.pick([
      () => this.variable(),
      () => this.constant(),
      () => this.deep('(', inner(), ')'),
      () => this.deep('!', inner(), ''),
      () => this.deep(this.pick(['STR(', 'UCASE(', 'ABS(', 'MD5(', 'ENCODE_FOR_URI(', 'IRI(']), inner(), ')'),
      () => this.deep(`CONCAT(${inner()}, `, inner(), ')'),
      () => this.deep('IF(?v0 = ?v1, 1, ', inner(), ')'),
      () => `COALESCE(${this.many(inner, ', ')})`,
      () => this.many(inner, this.pick([' + ', ' * ', ' && ', ' || '])),
      () => `${inner()} IN (${this.many(inner, ', ')})`,
      () => `REGEX(STR(${inner()}), "${this.regularExpression()}")`,
      () => `REPLACE(STR(${inner()}), "${this.regularExpression()}", "$0$0")`,
      () => `EXISTS { ${this.pattern(depth + 1)} }`,
    ])();
  }

  private aggregate(): string {
    const inner = `${this.some(0.3, () => 'DISTINCT ')}${this.expression(0)}`;
    return `${this.pick(['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'SAMPLE', 'GROUP_CONCAT'])}(${inner})`;
  }

  private regularExpression(): string {
    return this.many(() => this.pick(['a*', '(a+)+', '(a|aa)*', '.*', '[^b]', 'x{1,9}', '(.)?']), '');
  }

  // Terms

  private variable = (): string => `?v${this.below(5)}`;
  private iri = (): string =>
    `<urn:${this.pick(['p0', 'p1', 'p2', 's0', 's1', `x${this.below(1e9)}`, this.long('x')])}>`;
  private word = (): string =>
    this.pick(['text', 'number', `w${this.below(1000)}`, '\u6587\u5b57', 'e\u0301', this.long('x')]);
  private constant = (): string =>
    this.pick([
      () => this.iri(),
      () => String(this.below(1000)),
      () => `"${this.word()}"`,
      () => `"${this.long('\\u0041')}"`,
      () => `"${this.word()}"@en`,
      () => `"1"^^${this.iri()}`,
    ])();

  private data(): string {
    return this.many(() => `${this.iri()} ${this.iri()} ${this.many(() => this.constant(), ', ')} .`, ' ');
  }

  // Documents

  private turtle(): string {
    const node = (depth: number): string =>
      this.isFull(depth)
        ? '1'
        : this.pick([
            () => this.constant(),
            () => `<${this.long('a/')}>`,
            () => `p:${this.below(1000)}`,
            () => this.deep('[ <urn:p> ', node(depth + 1), ' ]'),
            () => this.deep('( ', node(depth + 1), ' )'),
            () => `( ${this.many(() => node(depth + 1), ' ')} )`,
          ])();
    const start = `@prefix p: <urn:${this.long('p')}> . @base <http://e/${this.long('b/')}> . `;
    return start + this.many(() => `${this.iri()} ${this.iri()} ${this.many(() => node(0), ', ')} .`, '\n');
  }

  private quads(): string {
    return this.many(
      () =>
        `${this.iri()} ${this.iri()} ${this.pick([() => `"${this.long('x')}"`, () => this.iri()])()} ${this.some(0.5, this.iri)} .`,
      '\n',
    );
  }

  private xml(): string {
    const element = (depth: number): string =>
      this.isFull(depth)
        ? ''
        : this.many(
            () =>
              this.pick([
                () => `<rdf:Description rdf:about="${this.long('a/')}"><e:p>${this.long('x')}</e:p></rdf:Description>`,
                () => this.deep('<rdf:Description><e:p>', element(depth + 1), '</e:p></rdf:Description>'),
                () =>
                  `<rdf:Description>${this.many(() => `<e:p rdf:resource="#${this.below(1000)}"/>`, '')}</rdf:Description>`,
                () =>
                  `<rdf:Description><e:p rdf:parseType="Literal">${this.deep('<e:a>', '', '</e:a>')}</e:p></rdf:Description>`,
              ])(),
            '',
          );
    return `<rdf:RDF xml:base="http://e/${this.long('b/')}" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/${this.long('n')}">${element(0)}</rdf:RDF>`;
  }

  private jsonLd(): string {
    const context = (): string =>
      `{${this.many(() => `"t${this.below(1e6)}":${this.pick(['"urn:a"', '{"@id":"urn:b","@container":"@list"}', '{"@id":"urn:c","@context":{"u":"urn:u"}}', `"urn:${this.long('p')}:"`])}`, ',')}}`;
    const value = (depth: number): string =>
      this.isFull(depth)
        ? '1'
        : this.pick([
            () => String(this.below(1000)),
            () => `"${this.long('x')}"`,
            () => `{"@list":[${this.many(() => value(depth + 1), ',')}]}`,
            () => this.deep('{"urn:p":', value(depth + 1), '}'),
            () => this.deep('[', value(depth + 1), ']'),
            () => `{"@context":${context()},${this.many(() => `"urn:q${this.below(100)}":${value(depth + 1)}`, ',')}}`,
            () => `{"@id":"t${this.below(10)}:${this.long('i')}"}`,
          ])();
    return `{"@context":${context()},"urn:p":[${this.many(() => value(0), ',')}]}`;
  }

  // Bends

  /** Repeats a production: most often once, rarely until there is no more room. */
  private many(item: () => string, separator: string): string {
    const count = this.random.chance(0.08) ? this.below(3000) : this.random.chance(0.3) ? this.below(6) : 0;
    const items = [item()];
    for (let i = 0; i < count && this.room > 0; i++) items.push(this.take(item()));
    return items.join(separator);
  }

  /** Nests something: most often once, rarely hundreds or thousands of times. */
  private deep(open: string, inner: string, close: string): string {
    const depth = this.random.chance(0.1) ? this.below(this.random.chance(0.2) ? 20_000 : 480) : this.below(3);
    const most = Math.min(depth, Math.floor(Math.max(0, this.room) / (open.length + close.length)));
    return this.take(open.repeat(1 + most)) + inner + close.repeat(1 + most);
  }

  private long(piece: string): string {
    const length = this.random.chance(0.06) ? this.below(this.random.chance(0.3) ? 100_000 : 3000) : this.below(8) + 1;
    return this.take(piece.repeat(Math.max(1, Math.min(length, Math.floor(this.room / piece.length)))));
  }

  private isFull(depth: number): boolean {
    return depth > 6 || this.room <= 0;
  }

  private take(text: string): string {
    this.room -= text.length;
    return text;
  }

  private some = (probability: number, item: () => string): string => (this.random.chance(probability) ? item() : '');
  private pick = <Choice>(choices: readonly Choice[]): Choice => this.random.pick(choices);
  private below = (end: number): number => this.random.below(end);
}
