import { NAMES, type Place } from './draft.ts';
import type { GroupWriter } from './group-writer.ts';
import { path, triples, twoSteps, waysOfPath } from './patterns.ts';
import { randomPath } from './random-path.ts';
import { GRAPHS, NODES, PREDICATES } from './terms.ts';

/** What a trap is written with. */
interface Setting {
  readonly writer: GroupWriter;
  readonly place: Place;
  /** A graph, and what is in it. */
  readonly graph: string;
  readonly there: Place;
}

type Trap = readonly [weight: number, name: string, write: (setting: Setting) => string];

const outerName = ({ writer: { draft } }: Setting): string =>
  draft.random.pick(draft.scope.length > 0 ? draft.scope : NAMES);

function inGraph({ writer: { draft }, there }: Setting, name: string): string {
  return `GRAPH ${name} { ${draft.random.chance(0.4) ? path(draft, there) : triples(draft, there)} }`;
}

/** Elements, with a filter that mentions a name of the outside. */
function filtered(setting: Setting, at: Place, most = 2): string {
  const { writer } = setting;
  const { draft } = writer;
  const { text, names } = writer.group(at, 0, most);
  draft.see(names);
  const condition = draft.comparison(draft.random.pick([...names, '?a']), outerName(setting));
  return `${text.slice(0, -1)} FILTER(${condition}) }`;
}

/**
 * Combinations in which an optimizer goes wrong most easily; chance alone would rarely write them.
 */
const TRAPS: readonly Trap[] = [
  [
    2,
    'graph name of an OPTIONAL',
    (setting) => {
      const { draft } = setting.writer;
      const name = draft.term(setting.graph, 0);
      const first = draft.random.chance(0.5) ? triples(draft, setting.place) : '';
      return `OPTIONAL { ${first} ${inGraph(setting, name)} } ${inGraph(setting, name)}`;
    },
  ],
  [
    1,
    'graph name of a UNION',
    (setting) => {
      const { draft } = setting.writer;
      const name = draft.term(setting.graph, 0);
      return `{ ${triples(draft, setting.place)} } UNION { ${inGraph(setting, name)} } ${inGraph(setting, name)}`;
    },
  ],
  [
    1,
    'graph name of VALUES',
    (setting) => {
      const name = setting.writer.draft.term(setting.graph, 0);
      return `VALUES (${name}) { (UNDEF) (${setting.graph}) } ${inGraph(setting, name)}`;
    },
  ],
  [
    2,
    'filter in a group in OPTIONAL',
    (setting) => {
      const { draft } = setting.writer;
      return `OPTIONAL { ${filtered(setting, setting.place)} ${draft.random.chance(0.5) ? triples(draft, setting.place) : ''} }`;
    },
  ],
  [2, 'filter of OPTIONAL', (setting) => `OPTIONAL ${filtered(setting, setting.place)}`],
  [
    3,
    'filter behind OPTIONAL',
    ({ writer: { draft }, place }) => {
      const { subject, predicate, object } = draft.sample(place);
      const bound = draft.nameFor(subject);
      const optional = draft.nameFor(object);
      draft.see([bound, optional]);
      return `OPTIONAL { ${bound} ${predicate} ${optional} } FILTER(${draft.comparison(bound, optional)})`;
    },
  ],
  [
    1,
    'UNDEF in OPTIONAL',
    (setting) => {
      const { draft } = setting.writer;
      const name = outerName(setting);
      draft.see([name]);
      const condition = `!BOUND(${name}) || ${draft.comparison(name, outerName(setting))}`;
      const values = `VALUES (${name}) { (UNDEF) (${draft.random.pick(NODES)}) }`;
      return `OPTIONAL { { ${triples(draft, setting.place)} ${values} FILTER(${condition}) } }`;
    },
  ],
  [5, 'correlated EXISTS', correlatedExists],
  [
    1,
    'path from anything that is not a node',
    ({ writer: { draft } }) => {
      const { random } = draft;
      const name = draft.newName();
      draft.see([name]);
      const value = random.pick(['"nowhere"', '<http://e/nowhere>', random.pick(draft.literals)]);
      const steps = random.chance(0.5) ? `${random.pick(PREDICATES)}*` : randomPath(random);
      const end = random.pick([name, value, random.pick(NAMES)]);
      if (end.startsWith('?')) draft.see([end]);
      const pattern = `${name} ${steps} ${end} .`;
      const bound = random.chance(0.5)
        ? `BIND(${value} AS ${name})`
        : `VALUES (${name}) { (${value}) (${random.pick(NODES)}) }`;
      return `${bound} ${random.weighted([
        [2, `FILTER ${random.chance(0.5) ? 'NOT ' : ''}EXISTS { ${pattern} }`],
        [1, pattern],
        [1, `OPTIONAL { ${pattern} }`],
      ])}`;
    },
  ],
  [
    1,
    'blank nodes of two groups',
    ({ writer: { draft }, place }) => {
      const { random } = draft;
      draft.makesNodes = true;
      const [one, other, same] = [draft.newName(), draft.newName(), draft.newName()];
      draft.see([one, other, same]);
      const label = () => random.pick(['"l"', '"l"', '"m"', 'STR(?a)']);
      const second = `BIND(BNODE(${label()}) AS ${other})`;
      const group = random.chance(0.5) ? `{ ${triples(draft, place)} ${second} }` : second;
      return `{ ${triples(draft, place)} BIND(BNODE(${label()}) AS ${one}) } ${group} BIND(sameTerm(${one}, ${other}) AS ${same})`;
    },
  ],
  [2, 'ways of a path', ({ writer: { draft }, place }) => waysOfPath(draft, place)],
  [2, 'path of two steps', ({ writer: { draft }, place }) => twoSteps(draft, place)],
  [
    1,
    'MINUS without shared names',
    ({ writer: { draft }, place }) => {
      const [one, other] = [draft.newName(), draft.newName()];
      return `MINUS { ${one} ${draft.sample(place).predicate} ${other} }`;
    },
  ],
];

function correlatedExists(setting: Setting): string {
  const { writer, place, graph, there } = setting;
  const { draft } = writer;
  const { random } = draft;
  const one = () => triples(draft, place);
  const negation = () => (random.chance(0.5) ? 'NOT ' : '');
  const inner = random.weighted<() => string>([
    [2, () => `GRAPH ${draft.term(graph, 0.3)} ${filtered(setting, there)}`],
    [2, () => `${filtered(setting, place)} ${one()}`],
    [2, () => `${filtered(setting, place)} UNION ${filtered(setting, place)}`],
    [2, () => filtered(setting, place)],
    [1, () => `${one()} MINUS ${filtered(setting, place)}`],
    [
      1,
      () =>
        `${one()} OPTIONAL ${filtered(setting, place)} FILTER(${draft.comparison(outerName(setting), random.pick(NAMES))})`,
    ],
    [1, () => writer.subquery(place, 1)],
    [1, () => `${one()} FILTER ${negation()}EXISTS ${filtered(setting, place)}`],
    [
      2,
      () => {
        const steps = `${random.pick(PREDICATES)}${random.pick(['*', '?'])}`;
        return `${outerName(setting)} ${steps} ${random.pick([outerName(setting), random.pick(NAMES)])} .`;
      },
    ],
  ]);
  // What EXISTS mentions is not in scope outside.
  return draft.within(new Set(draft.scope), () => `FILTER ${negation()}EXISTS { ${inner()} }`);
}

export function trap(writer: GroupWriter, place: Place): string {
  const { draft } = writer;
  const graph = draft.random.pick([...draft.graphs, ...GRAPHS]);
  const [name, write] = draft.random.weighted(TRAPS.map(([weight, ...one]): [number, typeof one] => [weight, one]));
  draft.note(`trap: ${name}`);
  return write({ writer, place, graph, there: { triples: draft.triplesOf(graph) } });
}
