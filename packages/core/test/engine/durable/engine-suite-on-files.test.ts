import { engineSuites } from './engine-suites.ts';
import { giveStorage } from './given-storage.ts';

giveStorage('file');
engineSuites('on files');
