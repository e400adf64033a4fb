export const COMPILER: string;
export function emitDeclarations(folder?: string): string;
