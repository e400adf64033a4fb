export function emitDeclarations(): string;
