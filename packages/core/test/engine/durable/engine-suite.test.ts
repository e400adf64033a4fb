import { engineSuites } from './engine-suites.ts';

engineSuites('with storage', 'memory');
