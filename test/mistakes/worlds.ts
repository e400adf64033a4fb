import { mistakes } from './mistake.ts';

export const WORLDS = [
  ...mistakes('INVALID_ARGUMENT', [
    [({ engine }) => engine.createWorld(), 'createWorld', 'nothing', "createWorld({ slug: 'people' })"],
    [({ engine }) => engine.createWorld('people'), 'createWorld', 'a string', "createWorld({ slug: 'people' })"],
    [({ engine }) => engine.createWorld({ name: 'x' }), 'createWorld', 'slug'],
    [({ engine }) => engine.createWorld({ slug: 'a b' }), 'slug', '"a b"', 'begin with a letter'],
    [({ engine }) => engine.createWorld({ slug: 'acme/a' }), 'slug', '"acme/a"'],
    [({ engine }) => engine.createWorld({ slug: 'x', lable: 'X' }), '"lable"', 'label'],
    [({ engine }) => engine.getWorld('w'), 'getWorld', 'a string', 'source'],
    [({ engine }) => engine.listWorlds('acme'), 'listWorlds', 'a string', 'namespace'],
    [({ engine }) => engine.updateWorld('w', { label: 'x' }), 'updateWorld', 'a string', 'source'],
    [({ engine }) => engine.deleteWorld('w'), 'deleteWorld', 'a string', "source: 'people'"],
    [({ engine }) => engine.deleteNamespace('acme'), 'deleteNamespace', 'a string', "namespace: 'acme'"],
    [({ engine }) => engine.fork({ source: 'w' }), 'fork', 'slug'],
    [({ engine }) => engine.world(), 'world: source', 'namespace/slug'],
    [({ engine }) => engine.world(5), 'world: source', 'namespace/slug'],
    [({ engine }) => engine.world({}), 'world: source', 'slug'],
    [({ engine }) => engine.world('a b'), 'world: source', '"a b"'],
    [({ engine }) => engine.world('w').updateWorld('L'), 'world.updateWorld', 'a string', "label: 'People'"],
    [({ engine }) => engine.world('w').fork('x'), 'world.fork', 'a string', 'slug'],
    [({ engine }) => engine.world('w').get(undefined), 'entity', 'IRI'],
    [({ engine }) => engine.getEntity('urn:s'), 'getEntity', 'a string', 'entity'],
    [({ engine }) => engine.stats('acme'), 'stats', 'a string', "namespace: 'acme'"],
    [({ engine }) => engine.compact('acme'), 'compact', 'a string', "namespace: 'acme'"],
    [({ engine }) => engine.getWorld({ source: 'w', at: 99_999 }), 'at', '99999', 'future'],
    [({ closed }) => closed.getWorld({ source: 'w' }), 'closed', 'open another'],
  ]),
  ...mistakes('ALREADY_EXISTS', [
    [({ engine }) => engine.createWorld({ slug: 'w' }), 'default/w', 'ifExists'],
    [({ engine }) => engine.fork({ source: 'w', slug: 'w' }), 'default/w', 'another slug'],
  ]),
];
