import { engineSuites } from './engine-suites.ts';

engineSuites('on files', 'file');
