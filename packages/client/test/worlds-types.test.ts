import type { Worlds, WorldsEngine } from '@rdf-worlds/core';
import { expectTypeOf, it } from 'vitest';
import type { WorldsClient } from '../src/index.ts';

type Method = Exclude<Extract<keyof Worlds, string>, 'worlds' | 'sparql'>;
type Requests<Implementation extends Worlds> = { [Name in Method]: Parameters<Implementation[Name]>[0] };

/** Compiles for what is assignable to {@link Worlds}. */
const usable = <Implementation extends Worlds>(_worlds?: Implementation) => undefined;

// Checked by `npm run check:types`.
it('an engine and a client are Worlds, with the same requests', () => {
  usable<WorldsEngine>();
  usable<WorldsClient>();
  // @ts-expect-error: a part of the methods is not enough
  usable<Pick<WorldsClient, 'select' | 'import'>>();
  expectTypeOf<Requests<WorldsClient>>().toEqualTypeOf<Requests<WorldsEngine>>();
});
