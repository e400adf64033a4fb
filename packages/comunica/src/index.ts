export { type ComunicaEngineOptions, comunicaEngine } from './comunica-engine.ts';
