import { inTurn } from '../../../../../test/turn.ts';
import { ENGINE_SUITES, engineSuites } from './engine-suites.ts';

engineSuites('with storage', 'memory', inTurn(ENGINE_SUITES, 2));
